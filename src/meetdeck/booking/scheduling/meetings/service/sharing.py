"""All the meetings that share a time: cancelling them together (docs/api/group-meetings.md)."""

from datetime import datetime

from meetdeck.booking.scheduling.errors import InvalidMeeting
from meetdeck.booking.scheduling.meetings.schemas.history import Command
from meetdeck.booking.scheduling.meetings.schemas.meetings import CancellationReason, Meeting
from meetdeck.booking.scheduling.meetings.schemas.series import CancelQuery
from meetdeck.booking.scheduling.meetings.service.meetings import cancel_meeting
from meetdeck.booking.scheduling.meetings.store import meetings as store
from meetdeck.booking.scheduling.time_slots.schemas import TimeSlot
from meetdeck.booking.scheduling.time_slots.service.reservation_events import write_given_back
from meetdeck.booking.scheduling.time_slots.store import shared_slots, time_slots
from meetdeck.platform.database import ChangedMeanwhile, Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.identity import Principal


def require_no_series(query: CancelQuery) -> None:
    """Raise InvalidMeeting for a query that names both a series and a shared time."""
    if query.series:
        detail = "Cancel either a series or all meetings that share the time: leave one of series and sharedSlot out."
        raise InvalidMeeting(detail, faults=(Fault("/query/sharedSlot", detail),))


async def lock_sharing(connection: Connection, meeting: Meeting) -> list[Meeting]:
    """Lock and return the meetings that share the time of one that the caller has locked; that one comes first.

    Meetings that are cancelled or moved away meanwhile are left out.
    """
    if not meeting.shared_slot_id:
        return [meeting]
    ids = [one for one in await store.list_sharing(connection, meeting.shared_slot_id) if one != meeting.id]
    found = [await store.find_meeting(connection, one, for_update=True) for one in ids]
    others = [one for one in found if one is not None and one.shared_slot_id == meeting.shared_slot_id]
    return [meeting, *[one for one in others if not one.is_cancelled]]


async def cancel_sharing(
    connection: Connection,
    by: Principal | Command,
    meeting: Meeting,
    now: datetime,
    *,
    reason: CancellationReason | None = None,
    minimum_seats: int | None = None,
) -> None:
    """Cancel a meeting that the caller has locked, all that share its time, and the holds of seats there.

    Raises ChangedMeanwhile when someone takes a seat at the same moment, or `minimum_seats` are taken.
    """
    meetings = await lock_sharing(connection, meeting)
    holds = await _lock_holds(connection, meeting, now)
    if minimum_seats is not None and len(meetings) + len(holds) >= minimum_seats:
        raise ChangedMeanwhile
    resources = [one for each in (*meetings, *holds) for one in each.resource_ids]
    await time_slots.lock_resources(connection, meeting.resource_ids, released=resources)
    if meeting.shared_slot_id:
        known = {one.id for one in meetings}
        if not known.issuperset(await store.list_sharing(connection, meeting.shared_slot_id)):
            raise ChangedMeanwhile
    for hold in holds:
        await time_slots.end_reservation(connection, hold.time_slot_id, now)
        await write_given_back(connection, hold.time_slot_id, now)
    for one in meetings:
        await cancel_meeting(connection, by, one, now, reason=reason)


async def _lock_holds(connection: Connection, meeting: Meeting, now: datetime) -> list[TimeSlot]:
    """Lock and return the live reservations of seats in a meeting's time."""
    if not meeting.shared_slot_id:
        return []
    ids = await shared_slots.list_holds(connection, meeting.shared_slot_id, now)
    found = [await time_slots.find_slot_for_update(connection, one) for one in ids]
    return [one for one in found if one is not None and one.is_live_reservation(now)]
