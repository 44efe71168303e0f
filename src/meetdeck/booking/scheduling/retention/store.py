"""The SQL of retention."""

from datetime import datetime
from uuid import UUID

from asyncpg import Record

from meetdeck.booking.scheduling.retention.schemas import Periods
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


async def list_tenants(connection: Connection) -> list[UUID]:
    """Return the ids of all tenants; the connection needs no tenant."""
    return [row["tenant_id"] async for row in queries.list_tenants(connection)]


async def find_periods(connection: Connection, default: Periods) -> Periods:
    """Return how long the tenant's data is kept; defaults stand in for periods that it has not set."""
    row: Record | None = await queries.find_periods(connection, days=default.days, cpr_days=default.cpr_days)
    return Periods(*row.values()) if row is not None else default


async def erase_numbers(connection: Connection, ended_before: datetime, most: int) -> int:
    """Erase CPR numbers of meetings that ended before then; return how many, at most `most`, as the next functions."""
    return _count(await queries.erase_numbers(connection, ended_before=ended_before, most=most))


async def delete_cancelled(connection: Connection, ended_before: datetime, most: int) -> int:
    """Delete cancelled meetings that would have ended before then, with their history and slots."""
    return _count(await queries.delete_cancelled(connection, ended_before=ended_before, most=most))


async def delete_reservations(connection: Connection, expired_before: datetime, most: int) -> int:
    """Delete reservations that expired before then."""
    return _count(await queries.delete_reservations(connection, expired_before=expired_before, most=most))


async def delete_shared_slots(connection: Connection, ended_before: datetime, most: int) -> None:
    """Delete at most `most` shared times that ended before then and that nobody shares any more."""
    await queries.delete_shared_slots(connection, ended_before=ended_before, most=most)


async def delete_entries(connection: Connection, ended_before: datetime, most: int) -> int:
    """Delete calendar entries that ended before then."""
    return _count(await queries.delete_entries(connection, ended_before=ended_before, most=most))


async def forget_search_changes(connection: Connection) -> None:
    """Delete recorded changes that no search needs any more."""
    await queries.forget_search_changes(connection)


async def delete_unused_names(connection: Connection) -> None:
    """Delete the names kept of deleted resources that no meeting refers to any more."""
    await queries.delete_unused_names(connection)


def _count(status: str) -> int:
    """Return the number of rows that a statement changed: the last word of `DELETE 3`."""
    return int(status.rpartition(" ")[2])
