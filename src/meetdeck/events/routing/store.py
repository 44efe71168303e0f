"""The SQL of routing."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from meetdeck.events.feed.store import read_event
from meetdeck.platform.changes import Event
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


class NewEvents(NamedTuple):
    """The positions of subscribers, the events after the first of them, and the feed's last position."""

    positions: dict[str, int]
    events: list[Event]
    ends_at: int


async def list_tenants(connection: Connection, subscribers: Sequence[str], now: datetime) -> list[tuple[UUID, bool]]:
    """Return tenants with events to place or pass on; with True, they also have expired reservations without one.

    Needs no tenant.
    """
    rows = queries.list_tenants(connection, subscribers=subscribers, now=now)
    return [(row["tenant_id"], row["is_overdue"]) async for row in rows]


async def lock_cursors(connection: Connection, names: Sequence[str], *, most: int) -> NewEvents:
    """Return the subscribers' positions, locked until the transaction ends, without those that another process has.

    And the events after the first of them, at most so many.
    """
    found = await _lock_cursors(connection, names, most)
    if len(found.positions) < len(names):  # there are new ones, or another process has some
        await queries.add_cursors(connection, names=names)
        found = await _lock_cursors(connection, names, most)
    return found


async def _lock_cursors(connection: Connection, names: Sequence[str], most: int) -> NewEvents:
    rows = [row async for row in queries.lock_cursors(connection, names=names, most=most)]
    if not rows:
        return NewEvents({}, [], 0)
    events = [read_event(row) for row in rows if row["event_id"] is not None]
    return NewEvents(rows[0]["positions"] or {}, events, rows[0]["ends_at"])


async def record_routed(connection: Connection, subscribers: Sequence[str]) -> None:
    """Record how far all subscribers are, so that tenants without news are not examined."""
    await queries.note_routed(connection, subscribers=subscribers)


async def move_cursors(connection: Connection, names: Sequence[str], position: int, subscribers: Sequence[str]) -> None:
    """Set the position of some subscribers, and record how far all `subscribers` are then."""
    await queries.move_cursors(connection, names=names, position=position, subscribers=subscribers)
