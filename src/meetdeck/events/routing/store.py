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
    rows = queries.list_tenants(connection, subscribers=",".join(subscribers), now=now)
    return [(row["tenant_id"], row["is_overdue"]) async for row in rows]


async def move_cursors(
    connection: Connection, names: Sequence[str], subscribers: Sequence[str], *, most: int
) -> NewEvents:
    """Return the subscribers' positions, without those that another process has, and events after the first of them.

    There are at most so many. The positions are moved behind them, and are locked until the transaction ends;
    how far all `subscribers` are then is recorded, so that tenants without news are not examined.
    """
    found = queries.move_cursors(connection, names=",".join(names), subscribers=",".join(subscribers), most=most)
    rows = [row async for row in found]
    if not rows:
        return NewEvents({}, [], 0)
    events = [read_event(row) for row in rows if row["event_id"] is not None]
    return NewEvents(rows[0]["positions"] or {}, events, rows[0]["ends_at"])


async def add_cursors(connection: Connection, names: Sequence[str]) -> bool:
    """Insert positions at the feed's beginning; return whether some of the names had none."""
    return bool([row async for row in queries.add_cursors(connection, names=",".join(names))])
