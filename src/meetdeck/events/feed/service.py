"""Reading the feed, at once or when an event arrives, and deleting old events."""

import asyncio
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from meetdeck.events.errors import EventsGone
from meetdeck.events.feed import store
from meetdeck.events.feed.schemas import LATEST, FeedPage, FeedQuery, list_types, read_cursor, write_cursor
from meetdeck.events.schemas import show_event
from meetdeck.platform.database import Connection, Database
from meetdeck.retention import Retention

_LOOK_SECONDS: Final = 0.2
_FIRST_SECONDS: Final = 20 * 60.0  # after the other regular work


async def read_feed(database: Database, tenant_id: UUID, query: FeedQuery) -> FeedPage:
    """Return events after the query's cursor; waits for the first one as long as the query says.

    No connection is held while it waits. Raises InvalidInput, EventsGone.
    """
    types = list_types(query.types, "/query/types")
    position = await _find_start(database, tenant_id, query.after)
    looks = int(query.wait / _LOOK_SECONDS)
    while True:
        page, position = await _read_page(database, tenant_id, position, types, query.limit)
        if page.items:
            return page
        while True:
            if looks <= 0:
                return page
            looks -= 1
            await asyncio.sleep(_LOOK_SECONDS)
            async with database.reading(tenant_id) as connection:
                if await store.has_news(connection, position):
                    break


async def _find_start(database: Database, tenant_id: UUID, after: str | None) -> int:
    """Return the position after which to read. Raises InvalidInput, EventsGone."""
    if after is not None and after != LATEST:
        return read_cursor(tenant_id, after)

    async def find(connection: Connection) -> int:
        await store.place_events(connection)
        found = await store.list_events(connection, 0, most=0)
        return found.ends_at if after == LATEST else found.gone_to

    return await database.run(tenant_id, find)


async def _read_page(
    database: Database, tenant_id: UUID, position: int, types: list[str] | None, limit: int
) -> tuple[FeedPage, int]:
    async def read(connection: Connection) -> store.FoundEvents:
        await store.place_events(connection)
        return await store.list_events(connection, position, types=types, most=limit)

    found = await database.run(tenant_id, read)
    if position < found.gone_to:
        raise EventsGone
    # Events after a full page were not examined.
    reached = found.events[-1].position if len(found.events) == limit else max(found.ends_at, position)
    items = [show_event(event, tenant_id) for event in found.events]
    return FeedPage(items=items, next=write_cursor(tenant_id, reached)), reached


class EventRetention(Retention):
    """Erases events that are older than their tenant's period, or than a default number of days."""

    def __init__(self, database: Database, days: int) -> None:
        async def erase_some(connection: Connection, now: datetime, at_once: int) -> int:
            period = timedelta(days=await store.find_period(connection, days))
            return await store.forget_events(connection, now - period, at_once)

        super().__init__("event retention", database, erase_some, first_seconds=_FIRST_SECONDS)
