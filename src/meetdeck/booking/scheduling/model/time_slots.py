"""Time slots, as the contract's section 2 spells their fields."""

from datetime import datetime
from uuid import UUID

import msgspec

from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.wire import AnyCase


class SlotStatus(AnyCase):
    """The state of a time slot (contract section 3; docs/api.md#time-slots). Expired is a reservation past its time."""

    RESERVED = "Reserved"
    BOOKED = "Booked"
    EXPIRED = "Expired"
    RELEASED = "Released"


class AvailableSlot(msgspec.Struct, frozen=True, rename="camel"):
    """One free slot that the search found."""

    start_date: datetime
    """When it begins."""
    end_date: datetime
    """When it ends."""
    meeting_type: MeetingType
    """How one can meet then."""
    employee_id: UUID
    """The employee who is free then."""


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
        """Return whom and what a reservation takes; a meeting's slot takes additional employees too."""
        return [one for one in (self.employee_id, self.room_id) if one is not None]

    def is_live_reservation(self, now: datetime) -> bool:
        """Return whether it is reserved and its five minutes are not over."""
        return self.status is SlotStatus.RESERVED and self.expires_at is not None and now < self.expires_at
