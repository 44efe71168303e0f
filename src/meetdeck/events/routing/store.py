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


async def lock_cursor(connection: Connection, name: str) -> int | None:
    """Return a subscriber's position, locked until the transaction ends; None if another process has locked it."""
    await queries.add_cursor(connection, name=name)
    return await queries.lock_cursor(connection, name=name)


async def record_routed(connection: Connection, subscribers: Sequence[str]) -> None:
    """Record how far all subscribers are, so that tenants without news are not examined."""
    await queries.note_routed(connection, subscribers=subscribers)


async def move_cursor(connection: Connection, name: str, position: int) -> None:
    """Set a subscriber's position."""
    await queries.move_cursor(connection, name=name, position=position)
