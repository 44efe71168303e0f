"""Placing events in the feed, and passing each to every subscriber once, in the feed's order (docs/decisions/0109)."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final, NoReturn, Protocol
from uuid import UUID

import structlog
from prometheus_client import Counter

from meetdeck.events.feed import store as feed
from meetdeck.events.routing import store
from meetdeck.platform.changes import Event
from meetdeck.platform.database import (
    Connection,
    Database,
    DatabaseUnavailable,
    TenantElsewhere,
    TenantMoving,
    all_of,
    gathering,
)
from meetdeck.platform.process import MovedClocks
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.work import NewJob, enqueue_jobs

_LOOK_SECONDS: Final = 0.1
_PAUSE_SECONDS: Final = 1.0  # after a failure
_AT_ONCE: Final = 500
_SHORTEST_REST: Final = timedelta(seconds=1)
_LONGEST_REST: Final = timedelta(minutes=1)

_RECEIVED: Final = Counter("meetdeck_events_routed", "Events given to a subscriber.", ["subscriber"])
_FAILURES: Final = Counter(
    "meetdeck_event_routing_failures", "Failures of a subscriber; it gets the same events again.", ["subscriber"]
)

log = structlog.stdlib.get_logger()

Source = Callable[[Connection, datetime], Awaitable[bool]]
"""Writes events of expired reservations, in a tenant's transaction; returns whether there may be more."""


class Subscriber(Protocol):
    """A part of the product that acts on events, in the transaction in which it receives them, by changing rows only.

    Slow work is a job (`platform/work/jobs.py`). The subscribers run at the same time, so that what they read is one
    statement (`platform/database/gathered.py`).
    """

    name: str
    """The name of its cursor, which never changes."""

    def wants(self, event_type: str, /) -> bool:
        """Return whether it handles events of a type."""
        ...

    async def receive(
        self, connection: Connection, tenant_id: UUID, events: Sequence[Event], now: datetime, /
    ) -> Sequence[NewJob]:
        """Handle events of a tenant, in the feed's order; return the jobs to enqueue.

        Each is passed once, unless the transaction is rolled back, because this or another subscriber raised.
        """
        ...


class Routing:
    """Passes events to subscribers; several processes may do so, and each subscriber gets each event once."""

    def __init__(
        self,
        database: Database,
        subscribers: Sequence[Subscriber],
        sources: Sequence[Source],
        on_routed: Callable[[], None] = lambda: None,
        moved: MovedClocks | None = None,
    ) -> None:
        """Create it; `on_routed` is called when subscribers have received events, because their jobs are due then.

        Events of a firm whose clock is moved are routed by that clock.
        """
        self._database = database
        self._subscribers = subscribers
        self._names = [subscriber.name for subscriber in subscribers]
        self._sources = sources
        self._on_routed = on_routed
        self._moved = moved or MovedClocks()
        self._failures: dict[tuple[UUID, str], tuple[int, datetime]] = {}

    async def run(self, clock: Clock) -> NoReturn:
        """Route all events, and look for more ten times a second, until cancelled; failures do not stop it."""
        while True:
            try:
                await self.route(clock())
            except DatabaseUnavailable as error:
                log.warning("routing waits", detail=error.detail)
                await asyncio.sleep(_PAUSE_SECONDS)
            except Exception:
                log.exception("routing crashed")
                await asyncio.sleep(_PAUSE_SECONDS)
            await asyncio.sleep(_LOOK_SECONDS)

    async def route(self, now: datetime) -> None:
        """Pass all committed events to all subscribers, tenant by tenant. Raises DatabaseUnavailable."""
        async with self._database.outside_tenants() as connection:
            tenants = dict(await store.list_tenants(connection, self._names, now))
            for tenant_id in self._moved.list_firms():
                found = await store.list_tenants(connection, self._names, self._moved.read(tenant_id, now))
                tenants |= {one: is_overdue for one, is_overdue in found if one == tenant_id}
        for tenant_id, is_overdue in tenants.items():
            with suppress(TenantElsewhere, TenantMoving):  # it is moved, and the others need not wait for it
                if is_overdue:
                    await self._write_events(tenant_id, now)
                await self._give_all(tenant_id, now)
                self._on_routed()

    async def _write_events(self, tenant_id: UUID, now: datetime) -> None:
        """Write the events of a tenant's expired reservations."""
        moment = self._moved.read(tenant_id, now)
        for source in self._sources:
            while await self._database.run(tenant_id, lambda connection, source=source: source(connection, moment)):
                pass

    async def _give_all(self, tenant_id: UUID, now: datetime) -> None:
        """Place new events, and pass them to all subscribers together, or to each by itself if that fails."""
        ready = [
            subscriber
            for subscriber in self._subscribers
            if now >= self._failures.get((tenant_id, subscriber.name), (0, now))[1]
        ]
        try:
            await self._give(tenant_id, ready, now)
        except DatabaseUnavailable:
            raise
        except Exception:  # noqa: BLE001 - logged for the subscriber that fails by itself
            for subscriber in ready:
                await self._give_alone(tenant_id, subscriber, now)
        else:
            for subscriber in ready:
                self._failures.pop((tenant_id, subscriber.name), None)

    async def _give(self, tenant_id: UUID, subscribers: Sequence[Subscriber], now: datetime) -> None:
        moment = self._moved.read(tenant_id, now)
        while await self._database.run(
            tenant_id, lambda connection: self._give_some(connection, tenant_id, subscribers, moment)
        ):
            pass

    async def _give_alone(self, tenant_id: UUID, subscriber: Subscriber, now: datetime) -> None:
        """Pass a tenant's events to a subscriber; after a failure the subscriber pauses for a while."""
        failures, _ = self._failures.get((tenant_id, subscriber.name), (0, now))
        try:
            await self._give(tenant_id, [subscriber], now)
        except DatabaseUnavailable:
            raise
        except Exception:
            _FAILURES.labels(subscriber.name).inc()
            log.exception("subscriber failed", subscriber=subscriber.name, tenant=str(tenant_id))
            rest = min(_SHORTEST_REST * 2**failures, _LONGEST_REST)
            self._failures[tenant_id, subscriber.name] = (min(failures + 1, 10), now + rest)
        else:
            self._failures.pop((tenant_id, subscriber.name), None)

    async def _give_some(
        self, connection: Connection, tenant_id: UUID, subscribers: Sequence[Subscriber], now: datetime
    ) -> bool:
        """Place new events, and pass some to the subscribers that no other process serves.

        Returns whether there may be more.
        """
        await feed.place_events(connection)
        names = [subscriber.name for subscriber in subscribers]
        found = await store.move_cursors(connection, names, self._names, most=_AT_ONCE)
        is_more = len(found.events) == _AT_ONCE
        if len(found.positions) < len(names):  # another process has some, or there are new ones, whose turn is next
            is_more |= await store.add_cursors(connection, names)
        behind = [one for one in subscribers if one.name in found.positions]
        async with gathering(connection) as shared:
            receiving = [_receive(shared, tenant_id, one, found, now) for one in behind]
            jobs = itertools.chain.from_iterable(await all_of(*receiving))
        await enqueue_jobs(connection, jobs)
        return is_more


async def _receive(
    connection: Connection, tenant_id: UUID, subscriber: Subscriber, found: store.NewEvents, now: datetime
) -> Sequence[NewJob]:
    """Pass a subscriber the events that it wants; return the jobs to enqueue."""
    new = [event for event in found.events if event.position > found.positions[subscriber.name]]
    wanted = [event for event in new if subscriber.wants(event.type)]
    if not wanted:
        return ()
    jobs = await subscriber.receive(connection, tenant_id, wanted, now)
    _RECEIVED.labels(subscriber.name).inc(len(wanted))
    return jobs
