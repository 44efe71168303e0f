"""Descriptions of the path parameters of booking's addresses, with ids of the demo to try."""

from typing import Annotated
from uuid import UUID

from litestar.openapi.spec import Example
from litestar.params import PathParameter

from meetdeck.booking import examples


def _id_of(what: str, example: str | None = None) -> PathParameter:
    """Return the type of an id in a path; `example` is an id of the demo."""
    return PathParameter(description=f"The {what}'s `id`.", examples=[Example(value=example)] if example else None)


EmployeeId = Annotated[UUID, _id_of("employee", examples.EMPLOYEE)]
RoomId = Annotated[UUID, _id_of("room", examples.ROOM)]
TopicId = Annotated[UUID, _id_of("topic", examples.TOPIC)]
CustomerTypeId = Annotated[UUID, _id_of("customer type", examples.CUSTOMER_TYPE)]
LocationId = Annotated[UUID, _id_of("location", examples.LOCATION)]
CompetenceGroupId = Annotated[UUID, _id_of("competence group", examples.COMPETENCE_GROUP)]
ServiceGroupId = Annotated[UUID, _id_of("service group", examples.SERVICE_GROUP)]
PortalId = Annotated[UUID, _id_of("portal", examples.PORTAL)]
ScheduleId = Annotated[UUID, _id_of("schedule", examples.SCHEDULE)]
SettingId = Annotated[UUID, _id_of("organization setting", examples.SETTING)]
MeetingId = Annotated[UUID, _id_of("meeting")]
TimeSlotId = Annotated[UUID, _id_of("time slot")]
