"""Which times become free, by what happens: a meeting is cancelled or moved, a reservation ends."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID, uuid4

import msgspec

from meetdeck.booking.scheduling.meetings.schemas import Meeting
from meetdeck.booking.scheduling.time_slots.schemas import ListedTimeSlot
from meetdeck.booking.scheduling.wishes import store
from meetdeck.booking.scheduling.wishes.schemas import FreedTime
from meetdeck.booking.scheduling.wishes.service.queue import enqueue
from meetdeck.platform.db import Connection
from meetdeck.platform.outbox import Event, EventType

_MEETINGS: Final = frozenset({EventType.MEETING_CANCELLED, EventType.MEETING_MOVED})
_RESERVATIONS: Final = frozenset({EventType.RESERVATION_EXPIRED, EventType.RESERVATION_REPLACED})
_TIMES: Final = {"startDate", "endDate", "employeeId", "additionalEmployees"}


class TimesFreed:
    """The subscriber that lets freed times be offered. Whether they are free still is seen when they are offered."""

    name = "wishes"

    def wants(self, event_type: str) -> bool:
        """Return whether an event of the type may free somebody's time."""
        return event_type in _MEETINGS | _RESERVATIONS

    async def receive(self, connection: Connection, tenant_id: UUID, events: Sequence[Event], now: datetime) -> None:
        """Write down the times that events freed, and enqueue a job for each."""
        del tenant_id
        if not await store.has_wishes(connection, now):
            return
        freed = {time for event in events for time in await _list_freed(connection, event)}
        for employee_id, starts_at, ends_at in sorted(freed):
            if ends_at > now:
                time = FreedTime(freed_time_id=uuid4(), employee_id=employee_id, starts_at=starts_at, ends_at=ends_at)
                await store.add_freed_time(connection, time, now)
                await enqueue(connection, time.freed_time_id, now)


_Time = tuple[UUID, datetime, datetime]


async def _list_freed(connection: Connection, event: Event) -> list[_Time]:
    """Return the times that an event may have freed, each with its employee."""
    if bytes(event.data) == b"null":
        return []
    if event.type in _RESERVATIONS:
        return await _list_of_reservation(connection, msgspec.json.decode(event.data, type=ListedTimeSlot))
    meeting = msgspec.json.decode(event.data, type=Meeting)
    if event.type == EventType.MEETING_CANCELLED:
        return list(_list_of_meeting(meeting))
    changes = await store.list_changes(connection, meeting.id, event.time)
    return [time for before in changes for time in _list_of_move(meeting, before)]


async def _list_of_reservation(connection: Connection, slot: ListedTimeSlot) -> list[_Time]:
    """Return the time of a reservation that ended; none of an offer's, which goes on to the next by its own job."""
    if slot.employee_id is None or await store.list_offered(connection, [slot.id]):
        return []
    return [(slot.employee_id, slot.start_time, slot.end_time)]


def _list_of_meeting(meeting: Meeting) -> Iterator[_Time]:
    for employee_id in meeting.people:
        yield employee_id, meeting.start_date, meeting.end_date


def _list_of_move(meeting: Meeting, before: dict[str, Any]) -> Iterator[_Time]:
    """Yield the times that a meeting took before a change; none when neither time nor people are others since."""
    changed = {member: value for member, value in before.items() if member in _TIMES}
    if changed and None not in changed.values():
        yield from _list_of_meeting(msgspec.convert(msgspec.to_builtins(meeting) | changed, Meeting))
