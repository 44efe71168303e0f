"""The SQL of calendar entries: time slots that are not meetings. They occupy nothing (docs/decisions/0069)."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.booking.defaults import LONGEST_ENTRY, LONGEST_OCCUPANCY, SHORT_ENTRY
from meetdeck.booking.scheduling.time_slots.schemas import CalendarEntry, SkippedTime
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__, "calendar_entries.sql")

_MOST_DESCRIBED: Final = 3


async def lock_entry(connection: Connection, time_slot_id: UUID) -> None:
    """Lock a calendar entry's row, if it exists."""
    await queries.lock_entry(connection, time_slot_id=time_slot_id)


async def lock_series(connection: Connection, series_id: UUID) -> list[CalendarEntry]:
    """Return the entries of a series and lock their rows."""
    return [
        msgspec.convert(dict(row), CalendarEntry) async for row in queries.lock_series(connection, series_id=series_id)
    ]


async def list_read_times(
    connection: Connection, calendar_id: UUID
) -> list[tuple[UUID, tuple[str, datetime, datetime]]]:
    """Return the entries of a calendar: the id of each, and its status, start and end."""
    rows = queries.list_read_times(connection, calendar_id=calendar_id)
    return [(row["time_slot_id"], (row["status"], row["starts_at"], row["ends_at"])) async for row in rows]


async def add_entries(
    connection: Connection, entries: Sequence[CalendarEntry], now: datetime, *, calendar_id: UUID | None = None
) -> None:
    """Insert an entry, or the entries of one series or calendar; their employees or room are locked."""
    await queries.add_entries(
        connection,
        series_id=entries[0].series_id,
        recurrence=entries[0].recurrence,
        ids=[one.time_slot_id for one in entries],
        employee_ids=[one.employee_id for one in entries],
        room_ids=[one.room_id for one in entries],
        statuses=[one.status.value for one in entries],
        starts_at=[one.starts_at for one in entries],
        ends_at=[one.ends_at for one in entries],
        now=now,
        calendar_id=calendar_id,
    )


async def list_met(connection: Connection, entries: Sequence[CalendarEntry]) -> list[SkippedTime]:
    """Return the times of entries that meet a meeting, by their start."""
    rows = queries.list_met(
        connection,
        employee_ids=[one.employee_id for one in entries],
        room_ids=[one.room_id for one in entries],
        starts_at=[one.starts_at for one in entries],
        ends_at=[one.ends_at for one in entries],
        longest=LONGEST_OCCUPANCY,
    )
    return [SkippedTime(**dict(row)) async for row in rows]


async def list_employees_at(connection: Connection, location: str) -> list[UUID]:
    """Return the active employees who usually work at a location."""
    return [row["employee_id"] async for row in queries.list_employees_at(connection, location=location)]


async def list_employees_in(connection: Connection, service_group_id: UUID) -> list[UUID]:
    """Return the active employees of a service group, including those through competence groups."""
    rows = queries.list_employees_in(connection, service_group_id=service_group_id)
    return [row["employee_id"] async for row in rows]


async def update_entry(connection: Connection, entry: CalendarEntry) -> None:
    """Update time and status of a calendar entry, which is locked, as is its employee or room."""
    await queries.update_entry(
        connection,
        time_slot_id=entry.time_slot_id,
        status=entry.status.value,
        starts_at=entry.starts_at,
        ends_at=entry.ends_at,
    )


async def delete_entries(connection: Connection, ids: Sequence[UUID]) -> None:
    """Delete calendar entries."""
    await queries.delete_entries(connection, ids=ids)


async def describe_busy(connection: Connection, times: Sequence[Record | Mapping[str, Any]]) -> list[str]:
    """Return descriptions of the first Busy times among some rows of `resource_id`, `starts_at` and `ends_at`."""
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
