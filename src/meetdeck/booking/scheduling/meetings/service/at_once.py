"""Books most meetings of employees, from a reservation or directly, in one statement (docs/decisions/0089)."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

from meetdeck.booking.scheduling.local_times import has_local_times
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting, NewMeeting
from meetdeck.booking.scheduling.meetings.service.checks import require_one_customer
from meetdeck.booking.scheduling.meetings.service.companions import NOBODY
from meetdeck.booking.scheduling.meetings.service.customer_bookings import is_by_customer
from meetdeck.booking.scheduling.meetings.service.meetings import compose_meeting, make_slot
from meetdeck.booking.scheduling.meetings.service.rooms import count_needed_seats
from meetdeck.booking.scheduling.meetings.store import at_once as store
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.scheduling.time_slots.schemas import TimeSlot
from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.changes import KeptAnswer
from meetdeck.platform.database import Connection
from meetdeck.platform.identity import Principal


async def create_at_once(
    connection: Connection,
    principal: Principal,
    body: NewMeeting,
    now: datetime,
    kept: KeptAnswer | None = None,
) -> Meeting | None:
    """Create an employee's meeting in one statement, outside of a transaction, and store its answer if it is `kept`.

    Returns None if the meeting needs more checks or cannot be booked: `create_meeting` then decides. Raises
    InvalidMeeting, InvalidTime.
    """
    body = body.in_our_names()
    require_one_customer(body)
    if _needs_transaction(body):
        return None
    times = tuple(one.to_utc(UTC) if one is not None else None for one in (body.start_date, body.end_date))
    hold_id = body.time_slot_id
    slot = make_slot(body, UTC, now) if hold_id is None else _describe_held(body, hold_id, now)
    meeting = compose_meeting(body, slot, NOBODY, meeting_id=uuid4(), date_created=now, date_modified=now)
    return await store.book_at_once(
        connection,
        meeting,
        kept,
        by=principal,
        hold_id=hold_id,
        times=(times[0], times[1]),
        needs_room=body.meeting_type is MeetingType.PHYSICAL,
        seats=count_needed_seats(body),
        over_busy=body.ignore_time_slot_conflicts,
    )


def _needs_transaction(body: NewMeeting) -> bool:
    """Return whether a meeting needs more checks than those of its time, its references and its room's seats."""
    return (
        is_by_customer(body)
        or bool(body.also_service_groups)
        or bool(body.cpr)
        or has_local_times(body.start_date, body.end_date)
        or (body.meeting_type is MeetingType.PHYSICAL and body.room_id is None and body.time_slot_id is None)
    )


def _describe_held(body: NewMeeting, hold_id: UUID, now: datetime) -> TimeSlot:
    """Return a reservation's slot with the values of the body; the statement reads its times and all other values."""
    return TimeSlot(
        time_slot_id=hold_id,
        starts_at=now,
        ends_at=now,
        employee_id=body.employee_id,
        room_id=body.room_id,
        status=SlotStatus.BOOKED,
    )
