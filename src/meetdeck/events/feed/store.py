"""The SQL of the feed."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

import msgspec
from asyncpg import Record

from meetdeck.platform.changes import Event
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)

_PLACED_AT_ONCE: Final = 1_000


class FoundEvents(NamedTuple):
    """Events after a position; `ends_at` is the feed's last position, `gone_to` the last one that is no longer kept."""

    events: list[Event]
    ends_at: int
    gone_to: int


async def place_events(connection: Connection) -> None:
    """Append committed events to the feed; locks the feed until the transaction ends."""
    while await queries.place_events(connection, most=_PLACED_AT_ONCE) == _PLACED_AT_ONCE:
        pass


async def list_events(
    connection: Connection, position: int, *, types: Sequence[str] | None = None, most: int
) -> FoundEvents:
    """Return placed events after a position, in the feed's order; of some types, or None for all."""
    rows = [row async for row in queries.list_events(connection, position=position, types=types, most=most)]
    if not rows:
        return FoundEvents([], 0, 0)
    events = [read_event(row) for row in rows if row["event_id"] is not None]
    return FoundEvents(events, rows[0]["ends_at"], rows[0]["gone_to"])


async def has_news(connection: Connection, position: int) -> bool:
    """Return whether there is an event after a position of the feed, placed or not."""
    return await queries.has_news(connection, position=position)


async def find_period(connection: Connection, days: int) -> int:
    """Return for how many days the tenant's events are kept: `days` unless it has its own number."""
    return await queries.find_period(connection, days=days)


async def forget_events(connection: Connection, before: datetime, most: int) -> int:
    """Delete the oldest events from before a time, up to a maximum; return their number."""
    return await queries.forget_events(connection, before=before, most=most)


def read_event(row: Record) -> Event:
    """Return the event in a row; its `data` is text."""
    return Event(
        id=row["event_id"],
        position=row["position"],
        type=row["type"],
        time=row["happened_at"],
        subject=row["subject"],
        sequence=row["sequence"],
        data=msgspec.Raw((row["data"] or "null").encode()),
    )
