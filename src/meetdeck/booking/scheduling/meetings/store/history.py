"""The SQL of meetings' history; rows are only added."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec
from prometheus_client import Counter

from meetdeck.booking.scheduling.meetings.schemas import Command, HistoryEntry, MeetingAction, MemberChange
from meetdeck.platform.auth import Principal
from meetdeck.platform.db import Connection, load_queries

queries = load_queries(__file__, "history.sql")

MEETING_CHANGES = Counter("meetdeck_meetings", "Meetings created, changed and cancelled.", ["change"])


async def add_entry(
    connection: Connection,
    meeting_id: UUID,
    action: MeetingAction,
    *,
    by: Principal | Command,
    now: datetime,
    changes: Sequence[MemberChange] = (),
) -> None:
    """Insert an entry into a meeting's history, in the transaction of the change."""
    MEETING_CHANGES.labels(action.value.lower()).inc()
    await queries.add_entry(
        connection,
        meeting_id=meeting_id,
        now=now,
        user_id=by.user_id if isinstance(by, Principal) else None,
        command=by.value if isinstance(by, Command) else None,
        action=action.value,
        changes=msgspec.to_builtins(changes),
    )


async def list_entries(connection: Connection, meeting_id: UUID) -> list[HistoryEntry]:
    """Return a meeting's history, the oldest entry first."""
    return [
        HistoryEntry(
            happened_at=row["happened_at"],
            user_id=row["user_id"],
            action=MeetingAction(row["action"]),
            changes=msgspec.convert(row["changes"], list[MemberChange]),
            command=Command(row["command"]) if row["command"] is not None else None,
        )
        async for row in queries.list_entries(connection, meeting_id=meeting_id)
    ]
