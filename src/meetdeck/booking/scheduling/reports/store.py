"""The SQL of reports."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from uuid import UUID

from asyncpg import Record
from msgspec import UNSET

from meetdeck.booking.scheduling.reports.schemas import CountedMeeting, Grouping
from meetdeck.platform.database import Connection, load_queries

_COUNTED = Path(__file__).with_name("counted_meetings.sql").read_text(encoding="utf-8")
queries = load_queries(__file__, parts={"{counted_meetings}": _COUNTED})


async def count_meetings(connection: Connection, bounds: Sequence[datetime], grouping: Grouping) -> list[Record]:
    """Return the numbers of meetings for each key of a grouping, and, with the key None, of all.

    The bounds are the beginnings of periods, in order, and the end of the last; a period's key is its number, from 1
    on.
    """
    return [row async for row in queries.count_meetings(connection, bounds=bounds, grouping=grouping.value)]


async def list_counted(
    connection: Connection, bounds: Sequence[datetime], grouping: Grouping, key: str | None, count: str, most: int
) -> tuple[list[CountedMeeting], int]:
    """Return the first meetings that a number counts, and how many there are; a None `key` means all groups.

    `bounds` and keys are those of `count_meetings`; `count` is the number's name there.
    """
    found = queries.list_counted(connection, bounds=bounds, grouping=grouping.value, key=key, count=count, most=most)
    rows = [row async for row in found]
    return [_read_counted(row) for row in rows], rows[0]["total"] if rows else 0


def _read_counted(row: Record) -> CountedMeeting:
    attendees = row["external_attendees"]
    return CountedMeeting(
        id=row["id"],
        title=row["title"],
        start_date=row["starts_at"],
        end_date=row["ends_at"],
        employee_id=row["employee_id"],
        customer_id=row["customer_id"],
        customer_name=attendees[0]["name"] if attendees else "",
        is_cancelled=row["cancelled_at"] is not None,
        attendance=row["attendance"] or UNSET,
    )


async def list_names(connection: Connection, kind: str, ids: Sequence[UUID]) -> dict[UUID, str]:
    """Return the names of some employees or topics, also of deleted ones."""
    return {row["id"]: row["name"] async for row in queries.list_names(connection, kind=kind, ids=ids)}


async def list_advisors(connection: Connection) -> list[Record]:
    """Return the employees who can be booked: id, name, resource key, zone, location and workdays, by name."""
    return [row async for row in queries.list_advisors(connection)]


async def list_topics(connection: Connection, ids: Sequence[UUID], most: int, skipped: int) -> list[Record]:
    """Return topics with id, name and the total number (`total`); only some, unless there are no ids."""
    return [row async for row in queries.list_topics(connection, ids=ids, most=most, skipped=skipped)]
