"""Finding the times that become free when a meeting is cancelled or moved, a reservation ends, or hours change."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec

from meetdeck.booking.scheduling.freed_times import FreedSpan, find_horizon, record_freed
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.booking.scheduling.time_slots.schemas import ListedTimeSlot
from meetdeck.booking.scheduling.visitor_holds import store as visitor_holds
from meetdeck.booking.scheduling.wishes import store
from meetdeck.platform.changes import Event, EventType
from meetdeck.platform.database import Connection
from meetdeck.platform.work import NewJob

_MEETINGS: Final = frozenset({EventType.MEETING_CANCELLED, EventType.MEETING_MOVED})
_RESERVATIONS: Final = frozenset({EventType.RESERVATION_EXPIRED, EventType.RESERVATION_REPLACED})
_SCHEDULES: Final = "configuration/employee-schedules/"
_AHEAD: Final = timedelta(days=62)  # longer hours are offered only this far ahead: each wish costs a search
_TIMES: Final = {"startDate", "endDate", "employeeId", "additionalEmployees"}


class _Schedule(msgspec.Struct, frozen=True, rename="camel"):
    """The part of an employee's schedule that names its employee."""

    employee_id: UUID


class FreedTimeSubscriber:
    """Records the times that events free, so that they are offered to the waiting list.

    Whether a time is still free is checked when it is offered.
    """

    name = "wishes"

    def wants(self, event_type: str) -> bool:
        """Return whether an event of the type may free time."""
        return event_type in _MEETINGS | _RESERVATIONS | {EventType.CONFIGURATION_CHANGED}

    async def receive(
        self, connection: Connection, tenant_id: UUID, events: Sequence[Event], now: datetime
    ) -> list[NewJob]:
        """Record the times that events freed, each with its job; return no further ones."""
        del tenant_id
        horizon = await find_horizon(connection, now)
        if horizon is None:
            return []
        ends_at = min(horizon, now + _AHEAD)
        freed = {span for event in events for span in await _list_freed(connection, event, now, ends_at)}
        await record_freed(connection, freed, now)
        return []


async def _list_freed(connection: Connection, event: Event, now: datetime, ends_at: datetime) -> list[FreedSpan]:
    """Return the times that an event may have freed; for changed hours everything until `ends_at`."""
    if bytes(event.data) == b"null":
        return []
    if event.type == EventType.CONFIGURATION_CHANGED:
        if not event.subject.startswith(_SCHEDULES):
            return []
        return [FreedSpan(msgspec.json.decode(event.data, type=_Schedule).employee_id, now, ends_at)]
    if event.type in _RESERVATIONS:
        return await _list_of_reservation(connection, msgspec.json.decode(event.data, type=ListedTimeSlot))
    meeting = msgspec.json.decode(event.data, type=Meeting)
    if event.type == EventType.MEETING_CANCELLED:
        return list(_list_of_meeting(meeting))
    changes = await store.list_changes(connection, meeting.id, event.time)
    return [time for before in changes for time in _list_of_move(meeting, before)]


async def _list_of_reservation(connection: Connection, slot: ListedTimeSlot) -> list[FreedSpan]:
    """Return the time of a reservation that ended; none for an offer's, which its own job offers to the next.

    None for a visitor's, either: by holding and giving back, anybody could get many times held for their own wishes.
    """
    if slot.employee_id is None or await store.list_offered(connection, [slot.id]):
        return []
    if await visitor_holds.is_visitors(connection, slot.id):
        return []
    people = [slot.employee_id, *(slot.additional_employees or [])]
    return [FreedSpan(each, slot.start_time, slot.end_time, slot.id) for each in people]


def _list_of_meeting(meeting: Meeting) -> Iterator[FreedSpan]:
    seat_of = meeting.id if meeting.shared_slot_id else None
    for employee_id in meeting.people:
        yield FreedSpan(employee_id, meeting.start_date, meeting.end_date, seat_of)


def _list_of_move(meeting: Meeting, before: dict[str, Any]) -> Iterator[FreedSpan]:
    """Yield the times that a meeting took before a change; none if neither time nor people have changed since."""
    changed = {member: value for member, value in before.items() if member in _TIMES}
    if changed and None not in changed.values():
        yield from _list_of_meeting(msgspec.convert(msgspec.to_builtins(meeting) | changed, Meeting))
