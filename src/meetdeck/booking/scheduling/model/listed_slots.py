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
    employee_id: UUID | None
    start_time: datetime
    end_time: datetime
    available: bool
    room_id: UUID | None
    status: SlotStatus
    service_group: str | None
    expires_at: datetime | None
