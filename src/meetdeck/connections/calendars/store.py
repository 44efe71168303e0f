"""The SQL of calendars."""

from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from meetdeck.connections.calendars.schemas import Calendar, CalendarKind, CalendarsQuery, CreateCalendar
from meetdeck.platform.database import Columns, Connection, load_queries

_CALENDARS: Final = Columns(Calendar)
queries = load_queries(__file__)


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """A calendar's address and credentials, and the outcome of its last readings."""

    employee_id: UUID | None
    room_id: UUID | None
    kind: CalendarKind
    address: str | None
    user_name: str | None
    password_encrypted: bytes | None
    etag: str | None
    changed: str | None
    whole_read_at: datetime | None
    failures: int
    failing_since: datetime | None
    is_failing_told: bool


async def find_calendar(connection: Connection, calendar_id: UUID, now: datetime) -> Calendar | None:
    """Return the calendar with an id."""
    items, _ = await list_calendars(connection, CalendarsQuery(), now, calendar_id)
    return items[0] if items else None


async def list_calendars(
    connection: Connection, wanted: CalendarsQuery, now: datetime, calendar_id: UUID | None = None
) -> tuple[list[Calendar], int]:
    """Return a page of the wanted calendars, the oldest first, and how many there are in all."""
    rows = queries.list_calendars(
        connection,
        calendar_id=calendar_id,
        employee_id=wanted.employee_id,
        room_id=wanted.room_id,
        status=wanted.status and wanted.status.value,
        most=wanted.limit,
        skipped=wanted.offset,
        now=now,
    )
    found = [dict(row) async for row in rows]
    totals = [row.pop("total") for row in found]
    return [_CALENDARS.read(row) for row in found if row["id"] is not None], totals[0]


async def lock_calendar(connection: Connection, calendar_id: UUID) -> None:
    """Lock a calendar until the transaction ends."""
    await queries.lock_calendar(connection, calendar_id=calendar_id)


async def count_calendars(connection: Connection) -> int:
    """Return how many calendars the tenant has."""
    return await queries.count_calendars(connection)


async def add_calendar(
    connection: Connection, calendar_id: UUID, body: CreateCalendar, password: bytes | None, now: datetime
) -> None:
    """Insert a calendar."""
    await queries.add_calendar(
        connection,
        calendar_id=calendar_id,
        employee_id=body.employee_id,
        room_id=body.room_id,
        kind=body.kind.value,
        address=body.address,
        user_name=body.user_name,
        password=password,
        now=now,
    )


async def update_calendar(
    connection: Connection,
    calendar_id: UUID,
    address: str | None,
    user_name: str | None,
    password: bytes | None,
    *,
    keeps_password: bool,
) -> None:
    """Update the address and credentials of a calendar."""
    await queries.update_calendar(
        connection,
        calendar_id=calendar_id,
        address=address,
        user_name=user_name,
        password=password,
        keeps_password=keeps_password,
    )


async def delete_calendar(connection: Connection, calendar_id: UUID) -> None:
    """Delete a calendar with the times that were read from it."""
    await queries.delete_calendar(connection, calendar_id=calendar_id)


async def find_source(connection: Connection, calendar_id: UUID) -> Source | None:
    """Return the address and credentials of a calendar."""
    row = await queries.find_source(connection, calendar_id=calendar_id)
    return msgspec.convert(dict(row), Source) if row else None


async def find_zone(connection: Connection, employee_id: UUID) -> str | None:
    """Return the name of an employee's time zone; None for the organization's."""
    return await queries.find_zone(connection, employee_id=employee_id)


class Success(NamedTuple):
    """A successful reading: with new content (`is_whole`), or without changes."""

    is_whole: bool
    etag: str | None = None
    changed: str | None = None
    problem: str | None = None
    left_out: int = 0


async def record_read(
    connection: Connection, calendar_id: UUID, address: str | None, now: datetime, success: Success
) -> bool | None:
    """Record that a calendar was read; return whether an event had reported its failure.

    None if the calendar has another address now, or was deleted.
    """
    return await queries.record_read(connection, calendar_id=calendar_id, address=address, now=now, **success._asdict())


async def record_failure(
    connection: Connection, calendar_id: UUID, address: str | None, now: datetime, problem: str, *, long_ago: datetime
) -> bool:
    """Record that a calendar could not be read.

    Return True the first time that it has been failing since `long_ago`.
    """
    return bool(
        await queries.record_failure(
            connection, calendar_id=calendar_id, address=address, now=now, problem=problem, long_ago=long_ago
        )
    )
