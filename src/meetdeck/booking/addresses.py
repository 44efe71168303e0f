"""Descriptions of the path parameters of booking's addresses, with ids of the demo to try."""

from typing import Annotated
from uuid import UUID

from litestar.openapi.spec import Example
from litestar.params import PathParameter

from meetdeck.booking import examples
from meetdeck.booking.kinds import Kind


def _id_of(what: str, example: str | None = None) -> PathParameter:
    """Return the type of an id in a path; `example` is an id of the demo data."""
    return PathParameter(description=f"The {what}'s `id`.", examples=[Example(value=example)] if example else None)


EmployeeId = Annotated[UUID, _id_of(Kind.EMPLOYEE, examples.EMPLOYEE)]
RoomId = Annotated[UUID, _id_of(Kind.ROOM, examples.ROOM)]
TopicId = Annotated[UUID, _id_of(Kind.TOPIC, examples.TOPIC)]
CustomerTypeId = Annotated[UUID, _id_of(Kind.CUSTOMER_TYPE, examples.CUSTOMER_TYPE)]
LocationId = Annotated[UUID, _id_of(Kind.LOCATION, examples.LOCATION)]
CompetenceGroupId = Annotated[UUID, _id_of(Kind.COMPETENCE_GROUP, examples.COMPETENCE_GROUP)]
ServiceGroupId = Annotated[UUID, _id_of(Kind.SERVICE_GROUP, examples.SERVICE_GROUP)]
PortalId = Annotated[UUID, _id_of(Kind.PORTAL, examples.PORTAL)]
ScheduleId = Annotated[UUID, _id_of("schedule", examples.SCHEDULE)]
SettingId = Annotated[UUID, _id_of(Kind.ORGANIZATION_SETTING, examples.SETTING)]
DocumentRuleId = Annotated[UUID, _id_of(Kind.DOCUMENT_RULE)]
MeetingId = Annotated[UUID, _id_of(Kind.MEETING)]
TimeSlotId = Annotated[UUID, _id_of(Kind.TIME_SLOT)]
WishId = Annotated[UUID, _id_of(Kind.WISH)]
