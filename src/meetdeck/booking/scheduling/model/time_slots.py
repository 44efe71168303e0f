"""Time slots, as the contract's section 2 spells their fields."""

from datetime import datetime
from uuid import UUID

import msgspec

from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.wire import AnyCase


class SlotStatus(AnyCase):
    """The state of a time slot (contract section 3; docs/api.md 25). Expired is a reservation past its time."""

    RESERVED = "Reserved"
    BOOKED = "Booked"
    EXPIRED = "Expired"
    RELEASED = "Released"


class AvailableSlot(msgspec.Struct, frozen=True, rename="camel"):
    """One free slot that the search found."""

    start_date: datetime
    end_date: datetime
    meeting_type: MeetingType
    employee_id: UUID


class ReservedTimeSlot(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A reservation, with what confirms it: its token and when it ends by itself."""

    id: UUID
    employee_id: UUID | None
    start_time: datetime
    end_time: datetime
    start_date: datetime
    end_date: datetime
    available: bool
    room_id: UUID | None
    status: SlotStatus
    service_group: str | None
    token: UUID
    expires_at: datetime


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
        """Tell whether it is reserved and its five minutes are not over."""
        return self.status is SlotStatus.RESERVED and self.expires_at is not None and now < self.expires_at
