"""The SQL of calendar entries: time slots that are no meetings. They occupy nothing (docs/decisions/0069)."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from asyncpg import Record

from meetdeck.booking.defaults import LONGEST_ENTRY, SHORT_ENTRY
from meetdeck.booking.scheduling.time_slots.schemas import CalendarEntry
from meetdeck.platform.db import Connection, load_queries

queries = load_queries(__file__, "calendar_entries.sql")

_MOST_DESCRIBED: Final = 3


async def lock_entry(connection: Connection, time_slot_id: UUID) -> None:
    """Lock a calendar entry's row, if there is one."""
    await queries.lock_entry(connection, time_slot_id=time_slot_id)


async def add_entry(connection: Connection, entry: CalendarEntry, now: datetime) -> None:
    """Insert a calendar entry, whose employee or room is locked."""
    await queries.add_entry(
        connection,
        time_slot_id=entry.time_slot_id,
        employee_id=entry.employee_id,
        room_id=entry.room_id,
        status=entry.status.value,
        starts_at=entry.starts_at,
        ends_at=entry.ends_at,
        now=now,
    )


async def update_entry(connection: Connection, entry: CalendarEntry) -> None:
    """Update time and status of a calendar entry, which is locked, as is its employee or room."""
    await queries.update_entry(
        connection,
        time_slot_id=entry.time_slot_id,
        status=entry.status.value,
        starts_at=entry.starts_at,
        ends_at=entry.ends_at,
    )


async def delete_entry(connection: Connection, time_slot_id: UUID) -> None:
    """Delete a calendar entry."""
    await queries.delete_entry(connection, time_slot_id=time_slot_id)


async def describe_busy(connection: Connection, times: Sequence[Record | Mapping[str, Any]]) -> list[str]:
    """Return the first Busy times, as people read them, of some rows of `resource_id`, `starts_at` and `ends_at`."""
    rows = queries.list_busy(
        connection,
        longest_entry=LONGEST_ENTRY,
        short_entry=SHORT_ENTRY,
        resource_ids=[each["resource_id"] for each in times],
        starts_at=[each["starts_at"] for each in times],
        ends_at=[each["ends_at"] for each in times],
        most=_MOST_DESCRIBED,
    )
    return [
        f"{row['name']} is busy from {row['starts_at']:%Y-%m-%dT%H:%MZ} to {row['ends_at']:%Y-%m-%dT%H:%MZ}"
        async for row in rows
    ]
