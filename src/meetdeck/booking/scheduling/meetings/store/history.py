"""The SQL of meetings' history; rows are only added."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

import msgspec
from msgspec import UNSET
from prometheus_client import Counter

from meetdeck.booking.scheduling.meetings.schemas.history import Command, HistoryEntry, MeetingAction, MemberChange
from meetdeck.booking.scheduling.meetings.store.columns import MEETING_PARTS
from meetdeck.platform.changes import EventType
from meetdeck.platform.database import Connection, load_queries
from meetdeck.platform.identity import Principal

queries = load_queries(__file__, "history.sql", parts=MEETING_PARTS)


class UserChange(NamedTuple):
    """A change of a meeting in its history; `user_id` is None if a command made it."""

    happened_at: datetime
    user_id: UUID | None
    action: MeetingAction
    changes: list[MemberChange]
    is_undo: bool


MEETING_CHANGES = Counter("meetdeck_meetings", "Meetings created, changed and cancelled.", ["change"])


class NewEntry(NamedTuple):
    """A change of a meeting to be added to its history, and its event."""

    action: MeetingAction
    event: EventType
    changes: Sequence[MemberChange] = ()
    is_undo: bool = False
    """True if it undoes the last change that was not undone."""


async def add_entry(
    connection: Connection, meeting_id: UUID, entry: NewEntry, *, by: Principal | Command, now: datetime
) -> None:
    """Insert an entry into a meeting's history with its event, in the transaction of the change, after it."""
    MEETING_CHANGES.labels(entry.action.value.lower()).inc()
    await queries.add_entry(
        connection,
        meeting_id=meeting_id,
        now=now,
        user_id=by.user_id if isinstance(by, Principal) else None,
        user_name=by.name or None if isinstance(by, Principal) else None,
        command=by.value if isinstance(by, Command) else None,
        action=entry.action.value,
        changes=msgspec.to_builtins(entry.changes),
        is_undo=entry.is_undo,
        event_type=entry.event.value,
    )


async def add_event(connection: Connection, meeting_id: UUID, event: EventType, now: datetime) -> None:
    """Insert an event of a meeting without an entry in its history; its calendar object is unchanged."""
    await queries.add_event(connection, meeting_id=meeting_id, event_type=event.value, now=now)


async def add_note(
    connection: Connection, meeting_id: UUID, reason: str, now: datetime, *, is_perhaps_sent: bool
) -> None:
    """Insert an entry about a message that was not sent, or perhaps sent; the meeting itself is unchanged."""
    await queries.add_note(connection, meeting_id=meeting_id, reason=reason, is_perhaps_sent=is_perhaps_sent, now=now)


async def add_answer(connection: Connection, meeting_id: UUID, change: MemberChange, now: datetime) -> None:
    """Insert an entry about a reply that is stored nowhere else, with its event."""
    await queries.add_answer(connection, meeting_id=meeting_id, now=now, changes=msgspec.to_builtins([change]))
    await add_event(connection, meeting_id, EventType.ATTENDEE_REPLIED, now)


async def find_employee(connection: Connection, employee_ids: Sequence[UUID], address: str) -> UUID | None:
    """Return the employee with an e-mail address (in lower case) among some employees."""
    return await queries.find_employee(connection, employee_ids=list(employee_ids), address=address)


async def find_answer(connection: Connection, meeting_id: UUID, employee_id: UUID) -> str | None:
    """Return an employee's last reply; None if there is none since the meeting's last change."""
    return await queries.find_answer(connection, meeting_id=meeting_id, employee_id=employee_id)


async def list_changes(connection: Connection, meeting_id: UUID, most: int) -> list[UserChange]:
    """Return the last changes of a meeting, the newest first."""
    return [
        UserChange(
            happened_at=row["happened_at"],
            user_id=row["user_id"],
            action=MeetingAction(row["action"]),
            changes=msgspec.convert(row["changes"], list[MemberChange]),
            is_undo=row["is_undo"],
        )
        async for row in queries.list_changes(connection, meeting_id=meeting_id, most=most)
    ]


async def put_notice(
    connection: Connection, meeting_id: UUID, line: str | None, *, is_now: bool, written_at: datetime, delay: timedelta
) -> None:
    """Store additions to the messages about a meeting's last change, which wait for `delay`."""
    await queries.put_notice(
        connection,
        meeting_id=meeting_id,
        line=line,
        is_now=is_now,
        written_at=written_at,
        waits_since=written_at - delay,
    )


async def was_sent_early(connection: Connection, meeting_id: UUID) -> bool:
    """Return whether the messages about a meeting's last change were sent early."""
    return await queries.was_sent_early(connection, meeting_id=meeting_id)


async def drop_notice(connection: Connection, meeting_id: UUID) -> None:
    """Delete the additions to the messages about a meeting's last change."""
    await queries.drop_notice(connection, meeting_id=meeting_id)


async def list_waiting(connection: Connection, meeting_ids: Sequence[UUID]) -> dict[UUID, datetime]:
    """Return the meetings whose last change, by staff, is not announced yet, with the end of the wait."""
    rows = queries.list_waiting(connection, meeting_ids=meeting_ids)
    return {row["meeting_id"]: row["wait_until"] async for row in rows}


async def list_entries(connection: Connection, meeting_id: UUID) -> list[HistoryEntry]:
    """Return a meeting's history, the oldest entry first."""
    return [
        HistoryEntry(
            happened_at=row["happened_at"],
            user_id=row["user_id"],
            user_name=row["user_name"],
            action=MeetingAction(row["action"]),
            changes=msgspec.convert(row["changes"], list[MemberChange]),
            command=Command(row["command"]) if row["command"] is not None else None,
            reason=row["reason"] or UNSET,
        )
        async for row in queries.list_entries(connection, meeting_id=meeting_id)
    ]
