"""Reading the feed, at once or when something happens, and erasing events after their time."""

import asyncio
from datetime import datetime, timedelta
from typing import Final, NoReturn
from uuid import UUID

import structlog

from meetdeck.events.errors import EventsGone
from meetdeck.events.feed import store
from meetdeck.events.feed.schemas import LATEST, FeedPage, FeedQuery, list_types, read_cursor, write_cursor
from meetdeck.events.schemas import show_event
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.identity import list_tenants
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.work import Leases, run_periodically

_LOOK_SECONDS: Final = 0.2
_AT_ONCE: Final = 1_000
_FIRST_SECONDS: Final = 20 * 60.0  # after the other regular work
_EVERY_SECONDS: Final = 60 * 60.0

log = structlog.stdlib.get_logger()


async def read_feed(database: Database, tenant_id: UUID, query: FeedQuery) -> FeedPage:
    """Return events after the query's cursor; waits for the first of them as long as the query says.

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
    # What follows the last of a full page was not looked at.
    reached = found.events[-1].position if len(found.events) == limit else max(found.ends_at, position)
    items = [show_event(event, tenant_id) for event in found.events]
    return FeedPage(items=items, next=write_cursor(tenant_id, reached)), reached


class EventRetention:
    """Erases events after their time; of several processes one does it."""

    def __init__(self, database: Database, days: int) -> None:
        self._database = database
        self._days = days

    async def run(
        self, clock: Clock, *, first_seconds: float = _FIRST_SECONDS, every_seconds: float = _EVERY_SECONDS
    ) -> NoReturn:
        """Erase every hour, the first time after some minutes, until cancelled, also after a failure."""
        await run_periodically(
            "event retention",
            lambda: self.erase(clock()),
            Leases(self._database),
            first_seconds=first_seconds,
            every_seconds=every_seconds,
        )

    async def erase(self, now: datetime) -> int:
        """Erase the events of all tenants that are older than their period; return how many there were.

        Raises DatabaseUnavailable.
        """
        async with self._database.outside_tenants() as connection:
            tenant_ids = await list_tenants(connection)
        erased = sum([await self._erase(tenant_id, now) for tenant_id in tenant_ids])
        log.info("event retention", erased=erased)
        return erased

    async def _erase(self, tenant_id: UUID, now: datetime) -> int:
        async def erase_some(connection: Connection) -> int:
            days = await store.find_period(connection, self._days)
            return await store.forget_events(connection, now - timedelta(days=days), _AT_ONCE)

        total, erased = 0, _AT_ONCE
        while erased == _AT_ONCE:
            erased = await self._database.run(tenant_id, erase_some)
            total += erased
        return total
