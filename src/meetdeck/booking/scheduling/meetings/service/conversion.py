"""Converting a reservation into the slot of a new or moved meeting.

The rules: docs/api/meetings.md#meeting-bodies, docs/api/changing-meetings.md.
"""

from datetime import datetime
from uuid import UUID

from msgspec.structs import replace

from meetdeck.booking.scheduling.errors import InvalidMeeting, ReservationGone
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.scheduling.time_slots.schemas import TimeSlot
from meetdeck.booking.scheduling.time_slots.store import time_slots as store
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault, NotFound
from meetdeck.platform.phrases import phrase


async def convert_reservation(
    connection: Connection,
    time_slot_id: UUID,
    employee_id: UUID,
    now: datetime,
    *,
    meeting_id: UUID | None = None,
) -> TimeSlot:
    """Return a live reservation as the slot of the employee's meeting; its row is locked, so only one meeting gets it.

    Writes nothing; room and token are still the reserved ones. `meeting_id` is the meeting that moves there. Raises
    NotFound, ReservationGone.
    """
    reserved = await store.find_slot_for_update(connection, time_slot_id)
    if reserved is None:
        detail = phrase("There is no time slot {time_slot_id}.", time_slot_id=time_slot_id)
        raise NotFound(detail, faults=(Fault("/timeSlotId", detail),))
    if reserved.status is not SlotStatus.RESERVED:
        raise ReservationGone("The reservation has already been used for a meeting.")
    if not reserved.is_live_reservation(now):
        raise ReservationGone("The reservation has expired; reserve a time again.")
    if reserved.employee_id not in {None, employee_id}:
        raise ReservationGone("The reservation is for another employee.")
    if meeting_id is not None and reserved.existing_meeting_id not in {None, meeting_id}:
        raise ReservationGone("The reservation is for another meeting.")
    return replace(
        reserved, employee_id=employee_id, status=SlotStatus.BOOKED, expires_at=None, existing_meeting_id=None
    )


def require_its_times(reserved: TimeSlot, starts_at: datetime | None, ends_at: datetime | None) -> None:
    """Raise InvalidMeeting if the body's times differ from the reservation's; missing times are not compared."""
    times = (("/startDate", starts_at, reserved.starts_at), ("/endDate", ends_at, reserved.ends_at))
    wrong = [pointer for pointer, given, right in times if given not in {None, right}]
    if wrong:
        raise InvalidMeeting(
            "With timeSlotId, the meeting is at the reservation's time: leave startDate and endDate out.",
            faults=tuple(Fault(pointer, "It differs from the reservation's.") for pointer in wrong),
        )
