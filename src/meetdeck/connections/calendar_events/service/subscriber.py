"""Enqueues writing the events of changed meetings, in the transaction of the change."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from meetdeck.booking.scheduling.meetings.store import history
from meetdeck.connections.calendar_events import store
from meetdeck.platform.changes import Event, EventType
from meetdeck.platform.database import Connection
from meetdeck.platform.work import enqueue_all

QUEUE: Final = "calendar-events"
_WANTED: Final = frozenset(
    {
        EventType.MEETING_CREATED,
        EventType.MEETING_CHANGED,
        EventType.MEETING_MOVED,
        EventType.MEETING_CANCELLED,
        EventType.DOCUMENTS_READY,
    }
)


class EventSubscriber:
    """Subscribes to events of meetings; the job reads the meeting's state when it runs."""

    name = "calendar-events"

    def wants(self, event_type: str) -> bool:
        """Return whether an event can change the calendar."""
        return event_type in _WANTED

    async def receive(self, connection: Connection, tenant_id: UUID, events: Sequence[Event], now: datetime) -> None:
        """Enqueue a job for each event that is written into a calendar."""
        del tenant_id
        meeting_ids = {UUID(event.subject.rpartition("/")[2]) for event in events}
        await _enqueue_concerned(connection, sorted(meeting_ids), now)


async def _enqueue_concerned(connection: Connection, meeting_ids: Sequence[UUID], now: datetime) -> None:
    """Enqueue writing the events of meetings.

    Changes by staff are delayed, since Microsoft mails attendees.
    """
    waiting = await history.list_waiting(connection, meeting_ids) if meeting_ids else {}
    due: dict[UUID, datetime] = {}
    for meeting_id, owner_id in await store.list_concerned(connection, meeting_ids):
        due[owner_id] = max(due.get(owner_id, now), waiting.get(meeting_id, now))
    by_moment = defaultdict[datetime, list[tuple[UUID, str]]](list)
    for owner_id, due_at in due.items():
        by_moment[due_at].append((owner_id, QUEUE))
    for due_at, jobs in by_moment.items():
        await enqueue_all(connection, QUEUE, jobs, due_at=due_at)


async def enqueue_writing(connection: Connection, owner_ids: Sequence[UUID], now: datetime) -> None:
    """Enqueue writing or checking events now."""
    await enqueue_all(connection, QUEUE, [(owner_id, QUEUE) for owner_id in owner_ids], due_at=now)


async def write_now(connection: Connection, meeting_id: UUID, now: datetime) -> None:
    """Enqueue writing the event of a meeting now, if it has one."""
    await _enqueue_concerned(connection, [meeting_id], now)


async def enqueue_unwritten(connection: Connection, connection_id: UUID, now: datetime) -> None:
    """Enqueue the events of meetings that were booked before their mailbox was known."""
    await enqueue_writing(connection, await store.list_unwritten(connection, connection_id, now), now)
