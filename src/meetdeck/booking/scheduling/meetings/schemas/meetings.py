"""Meetings, as the contract's section 2 spells their fields."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, NamedTuple
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from meetdeck.booking import examples
from meetdeck.booking.defaults import MOST_ADDITIONAL, MOST_ALSO
from meetdeck.booking.ids import NarrowingIds
from meetdeck.booking.scheduling.search.schemas import ALSO, Name
from meetdeck.booking.slots.model import MeetingType
from meetdeck.booking.slots.seats import MOST_ATTENDEES, count_attendees, count_seats
from meetdeck.booking.texts import Text
from meetdeck.platform.database import PageQuery
from meetdeck.platform.values import AnyCase, LanguageTag, Moment, SetSinceV3, SinceV3, SingleLine

Line = Annotated[str, SingleLine(0, 500, keeps_spaces=True), Meta(max_length=500, description="One line.")]


class BookedBy(AnyCase):
    """The party that booked a meeting."""

    EMPLOYEE = "Employee"
    CUSTOMER = "Customer"
    PORTAL_PARTNER = "PortalPartner"
    PORTAL_CUSTOMER = "PortalCustomer"


class CustomField(msgspec.Struct, frozen=True):
    """An answer to a portal's field."""

    key: Line
    """The `name` of the portal's field."""
    value: Text
    """The answer: for a checkbox `true` or `false`."""


class AttendeeStatus(AnyCase):
    """An attendee's answer to the invitation."""

    NEEDS_ACTION = "NeedsAction"
    ACCEPTED = "Accepted"
    DECLINED = "Declined"
    TENTATIVE = "Tentative"


class Attendance(AnyCase):
    """The attendance of the customer at a meeting."""

    ATTENDED = "Attended"
    NO_SHOW = "NoShow"


class CancellationReason(AnyCase):
    """The reason for which Meetdeck cancelled a meeting."""

    TOO_FEW_CUSTOMERS = "TooFewCustomers"
    """Fewer customers had booked its time than the topic's `minimumSeats`."""


class Attendee(msgspec.Struct, frozen=True, rename="camel"):
    """An external attendee."""

    name: Line
    """The name in the invitation."""
    email: Annotated[
        str,
        SingleLine(1, 320, is_address=True, keeps_spaces=True),
        Meta(pattern=r"^[^@\s\x00-\x1f]+@[^@\s\x00-\x1f]+$(?!\n)", max_length=320, examples=["freja@example.com"]),
    ]
    """The address to which the invitation is sent."""

    is_customer: SetSinceV3[bool] = UNSET
    """True if this is the customer, who is then counted once; at most one is. With `portalId` it is the first one."""


class InvitedAttendee(Attendee, frozen=True, omit_defaults=True):
    """An external attendee, with the reply to the invitation."""

    status: SinceV3[AttendeeStatus] = UNSET
    """The reply by mail; NeedsAction: it was to an earlier time. Missing: there is no reply yet."""


class AttendeeInV2(msgspec.Struct, frozen=True):
    """An external attendee, as v2 answers it."""

    name: str
    email: str


def count_people_from_outside(attendees: Sequence[Attendee], portal_id: UUID | UnsetType | None) -> int:
    """Return how many external people come to a meeting, including the customer (docs/api/rooms-and-seats.md#seats)."""
    return count_attendees(
        len(attendees), is_customer_among=bool(portal_id) or any(one.is_customer is True for one in attendees)
    )


class Companions(NamedTuple):
    """Service groups, and the person of each who comes along to a meeting, in the same order."""

    groups: Sequence[UUID] = ()
    people: Sequence[UUID] = ()


class Meeting(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A meeting. UNSET members are not written."""

    id: UUID
    """The meeting's id; it never changes."""
    crm_id: str | None
    """The meeting's id in your CRM; null: none."""
    booked_by: BookedBy
    """The kind of person who booked it."""
    customer_type_id: UUID | None
    """The customer's type; null: none."""
    time_slot_id: UUID
    """The time slot of the meeting."""
    date_created: datetime
    """When it was booked."""
    date_modified: datetime
    """When it was last changed."""
    title: str
    """The title in calendars; may be empty."""
    description: str
    """The description in calendars; may be empty."""
    video_link: str
    """The address of an online meeting; empty: none."""
    additional_employees: list[UUID]
    """Employees beside the advisor."""
    room_id: UUID | None
    """The room; null: none."""
    start_date: datetime
    """When it begins."""
    end_date: datetime
    """When it ends."""
    type: MeetingType
    """The meeting type."""
    topic_id: UUID | None
    """The topic; null: none."""
    employee_id: UUID
    """The advisor."""
    customer_id: str
    """The customer's id in your systems."""
    portal_id: UUID | UnsetType | None = UNSET
    """The portal in which it was booked; null: none."""
    custom_fields: list[CustomField] | UnsetType = UNSET
    """The answers to the portal's fields."""
    external_attendees: list[InvitedAttendee] | UnsetType = UNSET
    """External attendees, besides the customer."""
    cancelled_at: datetime | UnsetType = UNSET
    """When it was cancelled; only in cancelled meetings."""
    attendance: SetSinceV3[Attendance] = UNSET
    """The attendance of the customer, once it is recorded."""
    language: SetSinceV3[LanguageTag] = UNSET
    """The language of its messages, manage page and calendar file. Older meetings have none: the main one is used."""
    calendar_unverified: SetSinceV3[bool] = UNSET
    """True: a connected calendar did not answer in time when it was booked; otherwise it is left out."""
    also_service_groups: SetSinceV3[list[UUID]] = UNSET
    """The service groups of each of which one more person joins; left out if there are none."""
    also_employees: SetSinceV3[list[UUID]] = UNSET
    """The person of each of `alsoServiceGroups`, in the same order; all of them are `additionalEmployees`, too."""
    series_id: SetSinceV3[UUID] = UNSET
    """The id of the first meeting of its series; a meeting of none is without."""
    recurrence: SetSinceV3[str] = UNSET
    """The rule by which its series was booked, as written."""
    original_start_date: SetSinceV3[datetime] = UNSET
    """The start that the rule gave it; it stays when the meeting is moved."""
    shared_slot_id: SetSinceV3[UUID] = UNSET
    """The time that it shares with other customers' meetings; only of topics with `seats`."""
    cancellation_reason: SetSinceV3[CancellationReason] = UNSET
    """The reason for which Meetdeck cancelled it; missing if a person or system did."""

    @property
    def people(self) -> list[UUID]:
        """Return the advisor and the additional employees, each once."""
        return list(dict.fromkeys([self.employee_id, *self.additional_employees]))

    @property
    def companions(self) -> Companions:
        """Return the people of service groups who come along."""
        return Companions(self.also_service_groups or [], self.also_employees or [])

    @property
    def resource_ids(self) -> list[UUID]:
        """Return the ids of the advisor, additional employees and room."""
        return self.people if self.room_id is None else [*self.people, self.room_id]

    @property
    def seats(self) -> int:
        """Return the number of seats that its room needs."""
        return count_seats(len(self.people), self.attendees, is_physical=self.type is MeetingType.PHYSICAL)

    @property
    def attendees(self) -> int:
        """Return the number of external people, including the customer."""
        return count_people_from_outside(self.external_attendees or [], self.portal_id)

    @property
    def others(self) -> int:
        """Return how many people besides the advisor are in its room: the attendees of a search for another advisor."""
        return len(self.people) - 1 + self.attendees

    @property
    def reference(self) -> str:
        """Return a short reference that people can read out."""
        digits = self.id.hex[:8].upper()
        return f"{digits[:4]}-{digits[4:]}"

    @property
    def is_cancelled(self) -> bool:
        """Return whether the meeting was cancelled."""
        return self.cancelled_at is not UNSET


class MeetingVersion(NamedTuple):
    """A meeting, and the SEQUENCE of its present calendar object: the number of its changes."""

    meeting: Meeting
    sequence: int


class MeetingInV2(Meeting, frozen=True, rename="camel", kw_only=True):
    """A meeting as v2 answers it."""

    external_attendees: list[AttendeeInV2] | UnsetType = UNSET  # pyright: ignore[reportIncompatibleVariableOverride] - the same with less


_MOST_OTHERS = 1_000


class MeetingsQuery(PageQuery, frozen=True, rename="camel", kw_only=True):
    """GET /meetings."""

    time_slot_id: Annotated[UUID | None, Meta(description="The meeting in this time slot.")] = None
    shared_slot_id: Annotated[UUID | None, Meta(description="Those that share this time; an extension.")] = None
    employee_id: Annotated[UUID | None, Meta(description="The advisor, or one of the additional employees.")] = None
    employee_ids: Annotated[
        NarrowingIds | None,
        Meta(description="Only those of any of these employees, like `employeeId` for one; an extension."),
    ] = None
    room_id: Annotated[
        UUID | None, Meta(description="Only those in this room; none for an unknown one. An extension.")
    ] = None
    room_ids: Annotated[NarrowingIds | None, Meta(description="Only those in any of these rooms; an extension.")] = None
    series_id: Annotated[UUID | None, Meta(description="The meetings of a series; an extension.")] = None
    customer_id: Annotated[
        str | None, Meta(description="The meetings of this customer, exactly as in `customerId`.")
    ] = None
    start_date: Annotated[Moment | None, Meta(description="Meetings that end later.")] = None
    end_date: Annotated[Moment | None, Meta(description="Meetings that begin earlier.")] = None
    start_date_modified: Annotated[Moment | None, Meta(description="Meetings changed at this time or later.")] = None
    end_date_modified: Annotated[Moment | None, Meta(description="Meetings changed before this time.")] = None
    search: Annotated[
        Annotated[str, Meta(max_length=200)] | None,
        Meta(
            description="A part of the title, or of an external attendee's name or e-mail, in any case of its letters; "
            "or the `customerId`, or the reference that customers are given. With `startDate` and `endDate`, at most "
            "92 days apart; an extension."
        ),
    ] = None
    include_cancelled: Annotated[bool, Meta(description="Also cancelled ones, which have `cancelledAt`.")] = False


class MeetingContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The members that the bodies for creating and changing a meeting share."""

    employee_id: Annotated[UUID, Meta(examples=[examples.EMPLOYEE])]
    """The advisor."""
    customer_id: Annotated[str, Meta(min_length=1, max_length=500, examples=["C-1001"])]
    """The customer's id in your systems."""
    booked_by: BookedBy = BookedBy.EMPLOYEE
    """The kind of person who books it."""
    crm_id: Annotated[Line | None, Meta(examples=["CRM-1001"])] = None
    """The meeting's id in your CRM. In v2 it is required, unless the body is the booking flow's."""
    customer_type_id: UUID | None = None
    """The customer's type; it must exist."""
    topic_id: UUID | None = None
    """The topic, which must exist."""
    type: MeetingType | None = None
    """The meeting type; default: Physical."""
    title: Line = ""
    """The title in calendars."""
    description: Text = ""
    """The description in calendars."""
    video_link: Line = ""
    """The address of an online meeting."""
    additional_employees: Annotated[list[UUID], Meta(max_length=MOST_ADDITIONAL)] = []
    """Employees beside the advisor, whose time is taken, too."""
    also_service_groups: Annotated[list[Name], Meta(max_length=MOST_ALSO, description=ALSO)] = []
    room_id: UUID | None = None
    """The room, whose time is taken, too; none: see the location's `addRoomsToBookedMeetings`."""
    portal_id: UUID | None = None
    """The portal in which it was booked; `customFields` must then answer its fields."""
    custom_fields: Annotated[list[CustomField], Meta(max_length=_MOST_OTHERS)] = []
    """The answers to the portal's fields; without `portalId` they are stored unchecked."""
    external_attendees: Annotated[list[Attendee], Meta(max_length=MOST_ATTENDEES - 1)] = []
    """External attendees, besides the customer."""
    language: SetSinceV3[LanguageTag | None] = None
    """The language of its messages, manage page and calendar file; default: the organization's main one."""
    ignore_time_slot_conflicts: bool = False
    """True if Busy time may be taken, too; reserved or booked time never is. It is not stored."""
    cpr: Annotated[Line | UnsetType | None, Meta(description="Encrypted, and never returned.", examples=[None])] = UNSET

    @property
    def meeting_type(self) -> MeetingType:
        """Return the meeting type."""
        return self.type or MeetingType.PHYSICAL

    @property
    def people(self) -> list[UUID]:
        """Return the advisor and the additional employees, each once."""
        return list(dict.fromkeys([self.employee_id, *self.additional_employees]))

    @property
    def seats(self) -> int:
        """Return the number of seats that its room needs."""
        return count_seats(len(self.people), self.attendees, is_physical=self.meeting_type is MeetingType.PHYSICAL)

    @property
    def attendees(self) -> int:
        """Return the number of external people, including the customer."""
        return count_people_from_outside(self.external_attendees, self.portal_id)

    def pointer_to(self, name: str) -> str:
        """Return the pointer to a member of the body."""
        return f"/{name}"


class NewMeeting(MeetingContent, frozen=True, rename="camel", kw_only=True):
    """POST /meetings, with the contract's member names or the booking flow's."""

    time_slot_id: Annotated[
        UUID | None, Meta(description="The reservation that becomes the meeting; else `startDate` and `endDate`.")
    ] = None
    customer_category_id: Annotated[UUID | None, Meta(description="The booking flow's `customerTypeId`.")] = None
    theme_id: Annotated[UUID | None, Meta(description="The booking flow's `topicId`.")] = None
    start_date: Annotated[
        Moment | None,
        Meta(
            description="For a meeting without a reservation, together with `endDate`.",
            examples=[examples.NEW_MEETING["startDate"]],
        ),
    ] = None
    end_date: Annotated[Moment | None, Meta(examples=[examples.NEW_MEETING["endDate"]])] = None
    """When it ends: at most 31 days after the start."""

    def in_our_names(self) -> "NewMeeting":
        """Return the body with the contract's member names."""
        return replace(
            self,
            customer_type_id=self.customer_type_id or self.customer_category_id,
            topic_id=self.topic_id or self.theme_id,
        )

    def pointer_to(self, name: str) -> str:
        """Return the pointer to a member, with the body's own member names."""
        if name == "customerTypeId" and self.customer_type_id == self.customer_category_id:
            return "/customerCategoryId"
        if name == "topicId" and self.topic_id == self.theme_id:
            return "/themeId"
        return super().pointer_to(name)


class ChangedMeeting(MeetingContent, frozen=True, rename="camel", kw_only=True):
    """The meeting after PATCH /meetings/{id}. Adding a `cpr` replaces it, adding null erases it."""

    time_slot_id: UUID
    start_date: Moment
    end_date: Moment
    attendance: Attendance | None = None
    """The attendance of the customer; it can be set once the meeting has begun."""
