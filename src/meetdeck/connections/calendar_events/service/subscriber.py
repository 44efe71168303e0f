"""Enqueues writing the events of changed meetings, in the transaction of the change."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from meetdeck.booking.scheduling.meetings.store import history
from meetdeck.connections.calendar_events import store
from meetdeck.platform.changes import Event, EventType
from meetdeck.platform.database import Connection, all_of, gathering
from meetdeck.platform.work import NewJob, enqueue_all, enqueue_jobs

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

    async def receive(
        self, connection: Connection, tenant_id: UUID, events: Sequence[Event], now: datetime
    ) -> list[NewJob]:
        """Return a job for each event that is written into a calendar."""
        del tenant_id
        meeting_ids = {UUID(event.subject.rpartition("/")[2]) for event in events}
        return await _list_jobs(connection, sorted(meeting_ids), now)


async def _list_jobs(connection: Connection, meeting_ids: Sequence[UUID], now: datetime) -> list[NewJob]:
    """Return the jobs that write the events of meetings.

    Changes by staff are delayed, since Microsoft mails attendees.
    """
    async with gathering(connection) as reads:
        waiting, concerned = await all_of(
            history.list_waiting(reads, meeting_ids), store.list_concerned(reads, meeting_ids)
        )
    due: dict[UUID, datetime] = {}
    for meeting_id, owner_id in concerned:
        due[owner_id] = max(due.get(owner_id, now), waiting.get(meeting_id, now))
    return [NewJob(QUEUE, owner_id, due_at, QUEUE) for owner_id, due_at in due.items()]


async def enqueue_writing(connection: Connection, owner_ids: Sequence[UUID], now: datetime) -> None:
    """Enqueue writing or checking events now."""
    await enqueue_all(connection, QUEUE, [(owner_id, QUEUE) for owner_id in owner_ids], due_at=now)


async def write_now(connection: Connection, meeting_id: UUID, now: datetime) -> None:
    """Enqueue writing the event of a meeting now, if it has one."""
    await enqueue_jobs(connection, await _list_jobs(connection, [meeting_id], now))


async def enqueue_unwritten(connection: Connection, connection_id: UUID, now: datetime) -> None:
    """Enqueue the events of meetings that were booked before their mailbox was known."""
    await enqueue_writing(connection, await store.list_unwritten(connection, connection_id, now), now)
