"""Time slots, as the contract's section 2 spells their fields."""

from datetime import datetime
from typing import Annotated, Final
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType, field

from meetdeck.booking import examples
from meetdeck.booking.defaults import MOST_ADDITIONAL, MOST_ALSO
from meetdeck.booking.ids import NarrowingIds
from meetdeck.booking.scheduling.search.schemas import ALSO, Name
from meetdeck.booking.scheduling.slot_status import SlotSource, SlotStatus
from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.database import PageQuery
from meetdeck.platform.values import Moment, SetSinceV3

MOST_ENTRIES: Final = 5_000
"""The most entries of a series; their employees are locked while it is added."""
_People = Annotated[list[UUID], Meta(min_length=1, max_length=MOST_ENTRIES)]


class ReservedTimeSlot(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A reservation, with its token and the time when it ends by itself."""

    id: UUID
    """The time slot's id; a meeting's `timeSlotId`."""
    employee_id: UUID | None
    """The employee whose time it is; null: none."""
    start_time: datetime
    """When it begins."""
    end_time: datetime
    """When it ends."""
    start_date: datetime
    """When it begins, as searches and meetings name it."""
    end_date: datetime
    """When it ends, as searches and meetings name it."""
    available: bool
    """True if nothing holds the time any more: true for Expired and Released."""
    room_id: UUID | None
    """The reserved room; null: none."""
    status: SlotStatus
    """The current state of the time slot."""
    service_group: str | None
    """The requested service group, as written; null: none."""
    token: UUID
    """Your token, which renews, replaces or books it."""
    expires_at: datetime
    """The time at which it expires unless it is renewed or booked."""
    additional_employees: SetSinceV3[list[UUID]] = UNSET
    """The people of `alsoServiceGroups` who join, then the others whom you named; their time is held, too."""
    shared_slot_id: SetSinceV3[UUID] = UNSET
    """The time that it shares with other customers, if the topic has `seats`."""


class TimeSlot(msgspec.Struct, frozen=True, kw_only=True):
    """A time slot as stored; `status` is as written, so a Reserved one past `expires_at` is expired."""

    time_slot_id: UUID
    starts_at: datetime
    ends_at: datetime
    employee_id: UUID | None
    room_id: UUID | None
    service_group: str | None = None
    status: SlotStatus
    token: UUID | None = None
    expires_at: datetime | None = None
    renewals: int = 0
    existing_meeting_id: UUID | None = None
    created_at: datetime | None = None
    """When it was first reserved or booked; None where it is not needed."""
    calendar_unverified: bool = False
    """True if a calendar that should have been asked was not."""
    also_service_groups: list[str] = []
    """The service groups of which people come along, as written."""
    additional_employees: list[UUID] = []
    """The people of these groups who were chosen when the time was held, then those who come for no group."""
    shared_slot_id: UUID | None = None
    """The time that it shares with others, if its topic has seats."""
    seat: int | None = None
    """Its seat of these, from 1."""

    @property
    def loose(self) -> list[UUID]:
        """Return the additional employees of a held time who belong to no group."""
        return self.additional_employees[len(self.also_service_groups) :]

    @property
    def resource_ids(self) -> list[UUID]:
        """Return the ids of the reservation's people and room; a meeting's slot takes its additional employees too."""
        return [one for one in (self.employee_id, *self.additional_employees, self.room_id) if one is not None]

    def is_live_reservation(self, now: datetime) -> bool:
        """Return whether the slot is reserved and not expired."""
        return self.status is SlotStatus.RESERVED and self.expires_at is not None and now < self.expires_at


class CalendarEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A calendar entry as stored: a time of an employee or of a room."""

    time_slot_id: UUID
    employee_id: UUID | None
    room_id: UUID | None
    status: SlotStatus
    starts_at: datetime
    ends_at: datetime
    series_id: UUID | None = None
    recurrence: str | None = None


class ListedTimeSlot(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A time slot at a moment: `available` when nothing holds it any more; `expiresAt` for a reservation.

    Its token is not shown: it allows giving the reservation back.
    """

    id: UUID
    """The time slot's id; a meeting's `timeSlotId`."""
    employee_id: UUID | None
    """The employee whose time it is; null: none."""
    start_time: datetime
    """When it begins."""
    end_time: datetime
    """When it ends."""
    available: bool
    """True if it leaves the time free: false for Reserved, Booked and Busy."""
    room_id: UUID | None
    """The room of the time slot; null: none."""
    status: SlotStatus
    """The current state of the time slot."""
    service_group: str | None
    """The requested service group, as written; null: none."""
    expires_at: datetime | None
    """The time at which a reservation expires; null: never."""
    start_date: datetime | UnsetType = UNSET
    """When a calendar entry begins, as its body names it; no other time slot has it."""
    end_date: datetime | UnsetType = UNSET
    """When a calendar entry ends, as its body names it; no other time slot has it."""
    series_id: UUID | UnsetType = UNSET
    """The series of a calendar entry that was added together with others."""
    recurrence: str | UnsetType = UNSET
    """The rule by which the series repeats, as written."""
    additional_employees: list[UUID] | UnsetType = UNSET
    """The other employees whose time a reservation also holds; missing without any."""
    source: str | UnsetType = UNSET
    """`calendar`: it was read from a calendar of others, which alone changes it; missing otherwise."""


class SkippedTime(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A time of a series that meets a meeting, and was left out."""

    start_date: datetime
    """When it would begin."""
    end_date: datetime
    """When it would end."""
    employee_id: UUID | None
    """The employee of the meeting; null: it is a room's."""
    room_id: UUID | None
    """The room of the meeting; null: it is an employee's."""
    meeting_id: UUID
    """The meeting at that time; of several, the first."""


class AddedTimeSlot(ListedTimeSlot, frozen=True, rename="camel", kw_only=True):
    """A new calendar entry; of a series, the one that begins first, with all of them."""

    time_slots: list[ListedTimeSlot] | UnsetType = UNSET
    """The entries of the series, by their start; a single entry has none."""
    skipped: list[SkippedTime] | UnsetType = UNSET
    """With `skipConflicts`, the times that were left out."""


class EntryTime(msgspec.Struct, frozen=True, rename="camel"):
    """A time of a calendar entry that is not yet added."""

    start_date: datetime
    """When it begins."""
    end_date: datetime
    """When it ends."""


class EntriesPreview(msgspec.Struct, frozen=True, rename="camel"):
    """The calendar entries that a body would add: one for each time and employee, or for the room."""

    count: int
    """The number of entries."""
    employee_ids: list[UUID]
    """The employees who would have them; none for a room."""
    times: list[EntryTime]
    """The times of each, by their start."""
    skipped: list[SkippedTime] | UnsetType = UNSET
    """With `skipConflicts`, the times that would be left out; `count` is without them."""


class TimeSlotsQuery(PageQuery, frozen=True, rename="camel", kw_only=True):
    """GET /time-slots; without dates, the 31 days from now."""

    employee_id: Annotated[
        UUID | None, Meta(description="An employee's slots, and those of meetings in which they take part.")
    ] = None
    employee_ids: Annotated[
        NarrowingIds | None,
        Meta(description="Only those of any of these employees, like `employeeId` for one; an extension."),
    ] = None
    room_id: Annotated[UUID | None, Meta(description="A room's slots.")] = None
    room_ids: Annotated[NarrowingIds | None, Meta(description="Only those in any of these rooms; an extension.")] = None
    location: Annotated[
        Name | None, Meta(description="A location's name: slots of employees who usually work there, and of its rooms.")
    ] = None
    series_id: Annotated[UUID | None, Meta(description="A series' calendar entries; without dates, all of them.")] = (
        None
    )
    start_date: Annotated[Moment | None, Meta(description="Slots that end later; default now.")] = None
    end_date: Annotated[
        Moment | None, Meta(description="Slots that begin earlier; default 31 days after `startDate`, at most 366.")
    ] = None
    status: Annotated[list[SlotStatus], Meta(description="By default Reserved and Booked.")] = field(
        default_factory=list
    )
    source: Annotated[
        SlotSource | None,
        Meta(description="`calendar`: only times read from calendars; `api`: all others. An extension."),
    ] = None

    @property
    def is_whole_series(self) -> bool:
        """Return whether a series is requested, at any time."""
        return self.series_id is not None and self.start_date is None and self.end_date is None


_TOPIC = (
    "The topic of the meeting: people of its `alsoServiceGroups` join, too. With `seats`, several customers "
    "share the time: `meetingType` is then required, unless the topic has one. An extension."
)


_WITH = (
    "Employees whose time is held, too: each joins for one of `alsoServiceGroups` that has them, or in "
    "addition. For groups without a named person, the search chooses who joins. An extension."
)


class SlotToReserve(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The `timeSlot` of a reservation."""

    start_date: Annotated[Moment, Meta(examples=[examples.RESERVATION["timeSlot"]["startDate"]])]
    """When it begins: now or later."""
    end_date: Annotated[Moment, Meta(examples=[examples.RESERVATION["timeSlot"]["endDate"]])]
    """When it ends: at most 31 days later."""
    status: Annotated[SlotStatus, Meta(description="Reserved.", examples=["Reserved"])]
    employee_id: Annotated[
        UUID | None, Meta(description="The employee; none: see `serviceGroup`.", examples=[examples.EMPLOYEE])
    ] = None
    room_id: Annotated[UUID | None, Meta(description="A room to reserve, too.")] = None
    service_group: Annotated[
        Name | None,
        Meta(description="A group's id or name: the search chooses the least booked of its advisors."),
    ] = None
    also_service_groups: Annotated[list[Name], Meta(max_length=MOST_ALSO, description=ALSO)] = []
    additional_employees: Annotated[list[UUID], Meta(max_length=MOST_ADDITIONAL, description=_WITH)] = []
    topic_id: Annotated[UUID | None, Meta(description=_TOPIC)] = None
    meeting_type: Annotated[
        MeetingType | None, Meta(description="The meeting type of the customers who share the time.")
    ] = None
    ignore_time_slot_conflicts: bool = False
    """True if Busy time may be taken, too. Reserved or booked time never is."""


class CalendarEntryContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The members that creating and changing a calendar entry have in common."""

    start_date: Annotated[Moment, Meta(examples=[examples.BUSY_TIME["startDate"]])]
    """When it begins: at most ten years from now, back or ahead."""
    end_date: Annotated[Moment, Meta(examples=[examples.BUSY_TIME["endDate"]])]
    """When it ends: at most 366 days later."""
    status: Annotated[SlotStatus, Meta(description="Busy, ExtraOpen or WorkingFromElsewhere.", examples=["Busy"])]


class CreateCalendarEntry(CalendarEntryContent, frozen=True, rename="camel", kw_only=True):
    """A time slot that is not a meeting, of an employee or, Busy, of a room."""

    employee_id: Annotated[
        UUID | None, Meta(description="The employee of the entry.", examples=[examples.EMPLOYEE])
    ] = None
    room_id: Annotated[UUID | None, Meta(description="The room that is busy.")] = None

    @property
    def owners(self) -> dict[str, object]:
        """Return the members that name the owner, None without one."""
        return {"employeeId": self.employee_id, "roomId": self.room_id}


class CreateCalendarEntries(CreateCalendarEntry, frozen=True, rename="camel", kw_only=True):
    """POST /time-slots: a calendar entry, or a series of them; exactly one member names the owner."""

    employee_ids: Annotated[_People | None, Meta(description="The employees of the entries: a series.")] = None
    location: Annotated[
        Name | None, Meta(description="A location's name: a series for everybody who usually works there.")
    ] = None
    service_group_id: Annotated[
        UUID | None,
        Meta(description="A series for everybody in this service group, including those through competence groups."),
    ] = None
    recurrence: Annotated[
        Name | None,
        Meta(
            description="An RRULE with COUNT or UNTIL: the times of a series, by the organization's clock.",
            examples=["FREQ=WEEKLY;BYDAY=WE;COUNT=8"],
        ),
    ] = None
    skip_conflicts: Annotated[
        bool, Meta(description="true: a series leaves out the times that overlap with a meeting; see `skipped`.")
    ] = False

    @property
    def owners(self) -> dict[str, object]:
        """Return the members that name the owner, None without one."""
        many = {
            "employeeIds": self.employee_ids,
            "location": self.location,
            "serviceGroupId": self.service_group_id,
        }
        return super().owners | many

    @property
    def is_series(self) -> bool:
        """Return whether its entries are a series, even of one."""
        many = (self.employee_ids, self.location, self.service_group_id, self.recurrence)
        return any(one is not None for one in many)


class DeleteTimeSlotQuery(msgspec.Struct, frozen=True):
    """DELETE /time-slots/{id}."""

    token: Annotated[UUID | None, Meta(description="The token of the reservation to give back.")] = None
    series: Annotated[bool, Meta(description="true: all entries of the calendar entry's series.")] = False


class ReserveTimeSlot(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """POST /time-slots/reserve; `token` is unique for each customer's session."""

    time_slot: SlotToReserve
    """The time to hold."""
    token: Annotated[
        UUID,
        Meta(description="Chosen by you; it holds at most one slot.", examples=[examples.TOKEN]),
    ]
    existing_meeting_id: Annotated[
        UUID | None, Meta(description="The meeting to be moved there: its time counts as free.")
    ] = None
