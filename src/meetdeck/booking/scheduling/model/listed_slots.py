"""Time slots as they are read (contract section 2: TimeSlot)."""

from datetime import datetime
from uuid import UUID

import msgspec

from meetdeck.booking.scheduling.model.time_slots import SlotStatus


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
    """Whether nothing holds the time any more: true of Expired and Released."""
    room_id: UUID | None
    """The room that it takes; null: none."""
    status: SlotStatus
    """The time slot's state now."""
    service_group: str | None
    """The service group that was asked for, as it was written; null: none."""
    expires_at: datetime | None
    """When a reservation ends by itself; null: never."""
