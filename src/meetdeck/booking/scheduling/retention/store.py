"""The SQL of retention."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from meetdeck.platform.db import Connection, load_queries

queries = load_queries(__file__)


class Purged(NamedTuple):
    """The numbers of CPR numbers erased, and of cancelled meetings, reservations and calendar entries deleted."""

    numbers: int = 0
    meetings: int = 0
    reservations: int = 0
    entries: int = 0


async def list_tenants(connection: Connection) -> list[UUID]:
    """Return the ids of all tenants; the connection needs no tenant."""
    return [row["tenant_id"] async for row in queries.list_tenants(connection)]


async def purge(connection: Connection, ended_before: datetime) -> Purged:
    """Purge one tenant's meetings and calendar entries that ended, and reservations that expired, before a moment."""
    numbers = await queries.erase_numbers(connection, ended_before=ended_before)
    meetings = await queries.delete_cancelled(connection, ended_before=ended_before)
    reservations = await queries.delete_reservations(connection, expired_before=ended_before)
    entries = await queries.delete_entries(connection, ended_before=ended_before)
    await queries.delete_unused_names(connection)
    return Purged(_count(numbers), _count(meetings), _count(reservations), _count(entries))


def _count(status: str) -> int:
    """Return the number of rows that a statement changed: the last word of `DELETE 3`."""
    return int(status.rpartition(" ")[2])
