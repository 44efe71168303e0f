"""The bodies and queries of meetings (contract section 4), in both dialects (docs/api.md 21)."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.booking.scheduling.model.meetings import Attendee, BookedBy, CustomField
from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.errors import Fault
from meetdeck.platform.wire import AnyCase, Moment

Name = Annotated[str, Meta(max_length=500)]
Text = Annotated[str, Meta(max_length=20_000)]


class CreateMeeting(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """POST /meetings, in the contract's own dialect and the booking flow's."""

    employee_id: UUID
    customer_id: Annotated[str, Meta(min_length=1, max_length=500)]
    booked_by: BookedBy = BookedBy.EMPLOYEE
    crm_id: Name | None = None
    customer_type_id: UUID | None = None
    customer_category_id: UUID | None = None
    time_slot_id: UUID | None = None
    topic_id: UUID | None = None
    theme_id: UUID | None = None
    type: MeetingType | None = None
    title: Name = ""
    description: Text = ""
    video_link: Name = ""
    additional_employees: list[UUID] = []
    room_id: UUID | None = None
    portal_id: UUID | None = None
    cpr: Name | None = None
    custom_fields: list[CustomField] = []
    external_attendees: list[Attendee] = []
    start_date: Moment | None = None
    end_date: Moment | None = None

    @property
    def any_customer_type_id(self) -> UUID | None:
        """Return the customer type, whichever dialect named it."""
        return self.customer_type_id or self.customer_category_id

    @property
    def any_topic_id(self) -> UUID | None:
        """Return the topic, whichever dialect named it."""
        return self.topic_id or self.theme_id


class ICalTexts(msgspec.Struct, frozen=True):
    """POST /meetings/{id}/ical: what to say instead of the defaults."""

    title: Name | None = None
    description: Text | None = None
    location: Name | None = None


class ICalMethod(AnyCase):
    """What an iCalendar object is for (RFC 5546)."""

    PUBLISH = "publish"
    REQUEST = "request"
    CANCEL = "cancel"


class ICalQuery(msgspec.Struct, frozen=True):
    """The query of POST /meetings/{id}/ical."""

    method: ICalMethod = ICalMethod.PUBLISH


def check_crm_id(sent: CreateMeeting, written: dict[str, object]) -> Fault | None:
    """Say that v2 needs `crmId`, unless the body is the booking flow's, which has none (docs/api.md 21).

    `written` is the body as it came: the flow is recognized by its own names, or by its lower-case values.
    """
    in_flow = (
        sent.customer_category_id is not None
        or sent.theme_id is not None
        or any(str(written.get(name, "")).islower() for name in ("bookedBy", "type"))
    )
    if sent.crm_id or in_flow:
        return None
    return Fault("/crmId", "crmId is required in v2.")
