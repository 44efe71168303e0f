"""Planning: which documents follow when meetings are booked, moved, changed, cancelled or erased.

And when rules are created or changed, which also apply to booked meetings.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from meetdeck.booking.configuration.document_rules.service import KIND
from meetdeck.booking.configuration.document_rules.store import list_rules_for, table
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.booking.scheduling.meetings.store.meetings import find_meeting
from meetdeck.messages.documents import store
from meetdeck.messages.documents.schemas import BY_HAND
from meetdeck.platform.changes import Event, EventType
from meetdeck.platform.database import Connection
from meetdeck.platform.work import jobs
from meetdeck.present.contents.service import delete_contents, keep_contents

QUEUE: Final = "documents"
"""The queue of the jobs that make documents."""

_WANTED: Final = frozenset(
    {
        EventType.MEETING_CREATED,
        EventType.MEETING_CHANGED,
        EventType.MEETING_MOVED,
        EventType.MEETING_CANCELLED,
        EventType.MEETING_ERASED,
        EventType.CONFIGURATION_CHANGED,
    }
)
_RULES: Final = f"configuration/{KIND}/"
MOST_MEETINGS: Final = 1_000
"""For how many of the next meetings a new or changed rule makes documents."""


class Planner:
    """The subscriber that plans documents, based on the meeting's current state, not on the events."""

    name = "documents"

    def __init__(self, lifetime: timedelta) -> None:
        """Create it; documents are kept for this long after their meeting."""
        self._lifetime = lifetime

    def wants(self, event_type: str) -> bool:
        """Return whether an event of the type may mean that a meeting or a rule has changed."""
        return event_type in _WANTED

    async def receive(
        self, connection: Connection, tenant_id: UUID, events: Sequence[Event], now: datetime
    ) -> list[jobs.NewJob]:
        """Return a job for each meeting and rule, or delete what is no longer needed."""
        del tenant_id
        about = {event.subject: event.type for event in events if _is_about_documents(event)}
        if not about or not await store.is_used(connection):
            return []
        found: list[jobs.NewJob] = []
        for subject, last_type in about.items():
            if last_type == EventType.CONFIGURATION_CHANGED:
                await _plan_rule(connection, UUID(subject.removeprefix(_RULES)), now)
                continue
            meeting_id = UUID(subject.rpartition("/")[2])
            if last_type == EventType.MEETING_ERASED:
                await _forget(connection, meeting_id)
            else:
                found += await self._plan(connection, meeting_id, now)
        return found

    async def _plan(self, connection: Connection, meeting_id: UUID, now: datetime) -> list[jobs.NewJob]:
        meeting = await find_meeting(connection, meeting_id)
        if meeting is None or meeting.is_cancelled:
            await _forget(connection, meeting_id)
        elif meeting.start_date > now:
            return await self._plan_for(connection, meeting, now)
        return []

    async def _plan_for(self, connection: Connection, meeting: Meeting, now: datetime) -> list[jobs.NewJob]:
        rules = await list_rules_for(connection, meeting.topic_id, meeting.customer_type_id)
        rule_ids = [rule.id for rule in rules]
        await _forget(connection, meeting.id, but=[*rule_ids, BY_HAND])
        await delete_contents(connection, await store.list_former_contents(connection, meeting.id))
        kept = await store.list_contents(connection, meeting.id)
        await keep_contents(connection, kept, find_expiry(meeting, self._lifetime))
        if not rule_ids:
            return []
        tasks = await store.put_tasks(connection, meeting.id, rule_ids)
        # A lane for each rule, so that a slow data service delays only its own
        return [jobs.NewJob(QUEUE, task_id, now, str(rule_id)) for task_id, rule_id in tasks]


def _is_about_documents(event: Event) -> bool:
    return event.type != EventType.CONFIGURATION_CHANGED or event.subject.startswith(_RULES)


async def _plan_rule(connection: Connection, rule_id: UUID, now: datetime) -> None:
    """Enqueue a job for each future meeting to which a rule applies, and delete the documents of others.

    Documents of a deleted rule stay until their meetings change.
    """
    if not await table.list(connection, [rule_id]):
        return
    for task_id in await store.drop_unmatched_tasks(connection, rule_id):
        await jobs.cancel(connection, QUEUE, task_id)
    await delete_contents(connection, await store.list_unmatched_contents(connection, rule_id, now))
    tasks = await store.put_tasks_of_rule(connection, rule_id, now, most=MOST_MEETINGS)
    await jobs.enqueue_all(connection, QUEUE, [(task_id, str(rule_id)) for task_id in tasks], due_at=now)


def find_expiry(meeting: Meeting, lifetime: timedelta) -> datetime:
    """Return when the documents of a meeting expire."""
    return meeting.end_date + lifetime


async def _forget(connection: Connection, meeting_id: UUID, *, but: Sequence[UUID] = ()) -> None:
    """Delete the tasks and documents of a meeting, except those of some rules; the sweeper deletes the files."""
    for task_id in await store.drop_tasks(connection, meeting_id, but=but):
        await jobs.cancel(connection, QUEUE, task_id)
    content_ids = await store.list_contents(connection, meeting_id, but=but)
    if content_ids:
        await delete_contents(connection, content_ids)
