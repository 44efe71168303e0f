"""The SQL of routing."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


async def list_tenants(connection: Connection, subscribers: Sequence[str], now: datetime) -> list[UUID]:
    """Return tenants with events to place or pass on, or with expired reservations; needs no tenant."""
    rows = queries.list_tenants(connection, subscribers=subscribers, now=now)
    return [row["tenant_id"] async for row in rows]


async def lock_cursors(connection: Connection, names: Sequence[str]) -> dict[str, int]:
    """Return the subscribers' positions, locked until the transaction ends, without those that another process has."""
    found = await _lock_cursors(connection, names)
    if len(found) < len(names):  # there are new ones, or another process has some
        await queries.add_cursors(connection, names=names)
        found = await _lock_cursors(connection, names)
    return found


async def _lock_cursors(connection: Connection, names: Sequence[str]) -> dict[str, int]:
    return {row["name"]: row["position"] async for row in queries.lock_cursors(connection, names=names)}


async def record_routed(connection: Connection, subscribers: Sequence[str]) -> None:
    """Record how far all subscribers are, so that tenants without news are not examined."""
    await queries.note_routed(connection, subscribers=subscribers)


async def move_cursors(connection: Connection, names: Sequence[str], position: int) -> None:
    """Set the subscribers' position."""
    await queries.move_cursors(connection, names=names, position=position)
