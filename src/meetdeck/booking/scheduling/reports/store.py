"""The SQL of reports."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from asyncpg import Record

from meetdeck.booking.scheduling.reports.schemas import Grouping
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


async def count_meetings(connection: Connection, bounds: Sequence[datetime], grouping: Grouping) -> list[Record]:
    """Return the numbers of meetings for each key of a grouping, and, with the key None, of all.

    The bounds are the beginnings of periods, in order, and the end of the last; a period's key is its number, from 1
    on.
    """
    return [row async for row in queries.count_meetings(connection, bounds=bounds, grouping=grouping.value)]


async def list_names(connection: Connection, kind: str, ids: Sequence[UUID]) -> dict[UUID, str]:
    """Return the names of some employees or topics, also of deleted ones."""
    return {row["id"]: row["name"] async for row in queries.list_names(connection, kind=kind, ids=ids)}


async def list_advisors(connection: Connection) -> list[Record]:
    """Return the employees who can be booked: id, name, resource key, zone, location and workdays, by name."""
    return [row async for row in queries.list_advisors(connection)]


async def list_topics(connection: Connection, ids: Sequence[UUID], most: int, skipped: int) -> list[Record]:
    """Return topics with id, name and the total number (`total`); only some, unless there are no ids."""
    return [row async for row in queries.list_topics(connection, ids=ids, most=most, skipped=skipped)]
