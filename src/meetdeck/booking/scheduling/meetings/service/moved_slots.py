"""The slot of a changed meeting: its own at another time, or a reservation's."""

from datetime import datetime, tzinfo
from typing import Final

from msgspec.structs import replace

from meetdeck.booking.scheduling.errors import InvalidTime
from meetdeck.booking.scheduling.meetings.schemas.meetings import ChangedMeeting, Meeting
from meetdeck.booking.scheduling.meetings.service.conversion import convert_reservation, require_its_times
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.scheduling.time_slots.schemas import TimeSlot
from meetdeck.booking.scheduling.time_slots.service.reservations import check_time
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault

TIMES: Final = ("/startDate", "/endDate")


async def find_reserved(
    connection: Connection, before: Meeting, content: ChangedMeeting, now: datetime
) -> TimeSlot | None:
    """Return the reservation that becomes the meeting's slot; None if the meeting keeps its own."""
    if content.time_slot_id == before.time_slot_id:
        return None
    return await convert_reservation(connection, content.time_slot_id, content.employee_id, now, meeting_id=before.id)


def choose_slot(
    before: Meeting, content: ChangedMeeting, reserved: TimeSlot | None, zone: tzinfo, now: datetime
) -> TimeSlot:
    """Return the slot after the change: the reservation's, or the meeting's own at another time."""
    starts_at, ends_at = content.start_date.to_utc(zone), content.end_date.to_utc(zone)
    if before.start_date <= now < before.end_date and (reserved is not None or starts_at != before.start_date):
        pointer = TIMES[0] if reserved is None else "/timeSlotId"
        detail = "The meeting has begun: its end can move, its start cannot."
        raise InvalidTime(detail, faults=(Fault(pointer, "Can no longer be changed."),))
    if reserved is not None:
        require_its_times(
            reserved,
            starts_at if starts_at != before.start_date else None,
            ends_at if ends_at != before.end_date else None,
        )
        is_other_room = content.room_id != before.room_id
        return reserved if reserved.room_id and not is_other_room else replace(reserved, room_id=content.room_id)
    if (starts_at, ends_at) != (before.start_date, before.end_date) and before.end_date > now:
        # A meeting in progress may end at another time than planned.
        check_time(starts_at, ends_at, starts_at if starts_at == before.start_date else now, TIMES)
        if ends_at <= now:
            raise InvalidTime("The end is in the past.", faults=(Fault(TIMES[1], "In the past."),))
    return TimeSlot(
        time_slot_id=before.time_slot_id,
        starts_at=starts_at,
        ends_at=ends_at,
        employee_id=content.employee_id,
        room_id=content.room_id,
        status=SlotStatus.BOOKED,
    )


def find_moved(before: Meeting, slot: TimeSlot, content: ChangedMeeting) -> str | None:
    """Return the pointer to the first changed member that affects the meeting's occupancy, if any."""
    changed = {
        "/timeSlotId": slot.time_slot_id != before.time_slot_id,
        "/startDate": slot.starts_at != before.start_date,
        "/endDate": slot.ends_at != before.end_date,
        "/employeeId": content.employee_id != before.employee_id,
        "/additionalEmployees": set(content.people) != set(before.people),
        "/roomId": slot.room_id != before.room_id,
    }
    return next((pointer for pointer, is_changed in changed.items() if is_changed), None)
