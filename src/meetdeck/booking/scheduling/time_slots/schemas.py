"""Time slots, as the contract's section 2 spells their fields."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType, field

from meetdeck.booking import examples
from meetdeck.booking.scheduling.search.schemas import Name
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.platform.paging import Paged
from meetdeck.platform.serialization import Moment


class ReservedTimeSlot(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A reservation, with what confirms it: its token and when it ends by itself."""

    id: UUID
    """The time slot's id; a meeting's `timeSlotId`."""
    employee_id: UUID | None
    """The employee whose time it is; null: nobody's."""
    start_time: datetime
    """When it begins."""
    end_time: datetime
    """When it ends."""
    start_date: datetime
    """When it begins, as searches and meetings call it."""
    end_date: datetime
    """When it ends, as searches and meetings call it."""
    available: bool
    """Whether nothing holds the time any more: true of Expired and Released."""
    room_id: UUID | None
    """The room that it takes; null: none."""
    status: SlotStatus
    """The time slot's state now."""
    service_group: str | None
    """The service group that was asked for, as it was written; null: none."""
    token: UUID
    """Your token, which renews, replaces or books it."""
    expires_at: datetime
    """When it ends by itself, unless it is renewed or booked."""


class TimeSlot(msgspec.Struct, frozen=True, kw_only=True):
    """A time slot as it is stored; `status` is as written, so a Reserved one past `expires_at` is expired."""

    time_slot_id: UUID
    starts_at: datetime
    ends_at: datetime
    employee_id: UUID | None
    room_id: UUID | None
    service_group: str | None
    status: SlotStatus
    token: UUID | None
    expires_at: datetime | None
    renewals: int
    existing_meeting_id: UUID | None = None

    @property
    def resource_ids(self) -> list[UUID]:
        """Return the ids of the reservation's employee and room; a meeting's slot takes additional employees too."""
        return [one for one in (self.employee_id, self.room_id) if one is not None]

    def is_live_reservation(self, now: datetime) -> bool:
        """Return whether the slot is reserved and not expired."""
        return self.status is SlotStatus.RESERVED and self.expires_at is not None and now < self.expires_at


class CalendarEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A calendar entry as it is stored: a time of an employee or of a room."""

    time_slot_id: UUID
    employee_id: UUID | None
    room_id: UUID | None
    status: SlotStatus
    starts_at: datetime
    ends_at: datetime


class ListedTimeSlot(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A time slot at a moment: `available` when nothing holds it any more; `expiresAt` of a reservation.

    Its token is not shown: who knows it can give the reservation back.
    """

    id: UUID
    """The time slot's id; a meeting's `timeSlotId`."""
    employee_id: UUID | None
    """The employee whose time it is; null: nobody's."""
    start_time: datetime
    """When it begins."""
    end_time: datetime
    """When it ends."""
    available: bool
    """Whether it leaves the time free: false of Reserved, Booked and Busy."""
    room_id: UUID | None
    """The room that it takes; null: none."""
    status: SlotStatus
    """The time slot's state now."""
    service_group: str | None
    """The service group that was asked for, as it was written; null: none."""
    expires_at: datetime | None
    """When a reservation ends by itself; null: never."""
    start_date: datetime | UnsetType = UNSET
    """When a calendar entry begins, as its body calls it; no other time slot has it."""
    end_date: datetime | UnsetType = UNSET
    """When a calendar entry ends, as its body calls it; no other time slot has it."""


class TimeSlotsQuery(Paged, frozen=True, rename="camel", kw_only=True):
    """GET /time-slots; without dates, the 31 days from now."""

    employee_id: Annotated[
        UUID | None, Meta(description="An employee's slots, and those of meetings in which they take part.")
    ] = None
    room_id: Annotated[UUID | None, Meta(description="A room's slots.")] = None
    start_date: Annotated[Moment | None, Meta(description="Slots that end later; default now.")] = None
    end_date: Annotated[
        Moment | None, Meta(description="Slots that begin earlier; default 31 days after `startDate`, at most 366.")
    ] = None
    status: Annotated[list[SlotStatus], Meta(description="Reserved and Booked when it is not given.")] = field(
        default_factory=list
    )


class SlotToReserve(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The `timeSlot` of a reservation."""

    start_date: Annotated[Moment, Meta(examples=[examples.RESERVATION["timeSlot"]["startDate"]])]
    """When it begins: now or later."""
    end_date: Annotated[Moment, Meta(examples=[examples.RESERVATION["timeSlot"]["endDate"]])]
    """When it ends: at most 31 days later."""
    status: Annotated[SlotStatus, Meta(description="Reserved.", examples=["Reserved"])]
    employee_id: Annotated[
        UUID | None, Meta(description="Whose time; none: see `serviceGroup`.", examples=[examples.EMPLOYEE])
    ] = None
    room_id: Annotated[UUID | None, Meta(description="A room that is held, too.")] = None
    service_group: Annotated[
        Name | None,
        Meta(description="A group's id or name: of its advisors whom the search offers then, the least booked."),
    ] = None
    ignore_time_slot_conflicts: bool = False
    """Whether Busy time may be taken, too. What is reserved or booked is never."""


class CalendarEntryContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The members that creating and changing a calendar entry have in common."""

    start_date: Annotated[Moment, Meta(examples=[examples.BUSY_TIME["startDate"]])]
    """When it begins: at most ten years from now, back or ahead."""
    end_date: Annotated[Moment, Meta(examples=[examples.BUSY_TIME["endDate"]])]
    """When it ends: at most 366 days later."""
    status: Annotated[SlotStatus, Meta(description="Busy, ExtraOpen or WorkingFromElsewhere.", examples=["Busy"])]


class CreateCalendarEntry(CalendarEntryContent, frozen=True, rename="camel", kw_only=True):
    """POST /time-slots: a time slot that is no meeting, of an employee or, Busy, of a room."""

    employee_id: Annotated[
        UUID | None, Meta(description="Whose it is; else `roomId`.", examples=[examples.EMPLOYEE])
    ] = None
    room_id: Annotated[UUID | None, Meta(description="The room that is busy; else `employeeId`.")] = None


class ReserveTimeSlot(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """POST /time-slots/reserve; `token` is unique for each customer's session."""

    time_slot: SlotToReserve
    """The time to hold."""
    token: Annotated[
        UUID,
        Meta(description="Yours to choose: it holds one slot at most.", examples=[examples.TOKEN]),
    ]
    existing_meeting_id: Annotated[
        UUID | None, Meta(description="The meeting that is to move there: what it takes counts as free.")
    ] = None
