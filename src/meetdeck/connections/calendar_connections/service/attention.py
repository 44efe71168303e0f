"""Reads the calendars of the advisors in current searches first, and again before a time is reserved.

Searches are recorded in memory and written every few seconds, so no search waits for the database; a killed process
loses the last seconds. A reservation waits 800 milliseconds at most.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Final, NoReturn
from uuid import UUID

import structlog

from meetdeck.booking.scheduling.outside_calendars import OutsideCalendars, WantedTime
from meetdeck.connections.calendar_connections import store
from meetdeck.connections.calendar_connections.service.reading import QUEUE, ConnectionReader
from meetdeck.connections.calendar_connections.store import MatchedMailbox
from meetdeck.connections.graph.rounds import MOST_AT_ONCE, RECENTLY, Horizon
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.errors import Unavailable
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.work import enqueue

_EVERY_SECONDS: Final = 2.0
_FINDS_FIRMS_EVERY: Final = 5  # writes between two looks for newly connected firms
_FRESH: Final = timedelta(seconds=60)
"""The maximum age of the calendars of an offered time."""
_AGAIN_AFTER: Final = timedelta(minutes=2)
"""The time for which a recorded search is current: searching again within that time writes nothing."""

log = structlog.stdlib.get_logger()


class CalendarAttention(OutsideCalendars):
    """Records the searches of this process, for firms with a connection, until they are written to the database."""

    def __init__(self, database: Database, reader: ConnectionReader, clock: Clock) -> None:
        self._database = database
        self._reader = reader
        self._clock = clock
        self._connected = frozenset[UUID]()
        self._sought: dict[UUID, set[UUID]] = {}

    def record_search(self, tenant_id: UUID, employee_ids: Iterable[UUID]) -> None:
        """Record the employees of a search."""
        if tenant_id in self._connected:
            self._sought.setdefault(tenant_id, set()).update(employee_ids)

    async def read_again(
        self, tenant_id: UUID, find_wanted: Callable[[Connection], Awaitable[WantedTime | None]]
    ) -> bool | None:
        """Return whether the calendars of a wanted time were read again; those read within the last minute are not."""
        if tenant_id not in self._connected:
            return None
        async with self._database.transaction(tenant_id) as connection:
            wanted = await find_wanted(connection)
            known = await store.list_of_resources(connection, wanted.resource_ids) if wanted is not None else []
        if wanted is None or not known:
            return None
        now = self._clock()
        if (horizon := Horizon.find_of(wanted.starts_at, now)) is None:
            return False
        late = [one for one in known if _is_late(one[1], horizon, now)]
        asked = [one for one in late if not _failed_just_now(one[1], now)]
        readings = (self._reader.read_mailboxes(tenant_id, *one) for one in _list_requests(asked, horizon))
        try:
            return all(await asyncio.gather(*readings)) and len(asked) == len(late)
        except Exception:  # a booking must never fail because of a calendar
            log.exception("calendar not read again")
            return False

    async def run(self, clock: Clock, *, every_seconds: float = _EVERY_SECONDS) -> NoReturn:
        """Look for connected firms and write the recorded searches every few seconds, until cancelled."""
        del clock
        turn = 0
        while True:
            try:
                if turn % _FINDS_FIRMS_EVERY == 0:
                    await self.find_connected_firms()
                await self.flush()
            except Unavailable as error:
                log.warning("searches not noted for calendars", code=error.code, detail=error.detail)
            except Exception:
                log.exception("searches not noted for calendars")
            turn += 1
            await asyncio.sleep(every_seconds)

    async def find_connected_firms(self) -> None:
        """Store which firms have a connection. Raises DatabaseUnavailable."""
        self._connected = frozenset(await self._database.collect(store.list_connected_tenants))

    async def flush(self) -> None:
        """Write the recorded searches; connections with newly searched mailboxes are read at once.

        Raises DatabaseUnavailable.
        """
        while self._sought:
            tenant_id, employee_ids = self._sought.popitem()
            connection_ids = await self._database.run(
                tenant_id, lambda connection, ids=employee_ids: self._write(connection, ids)
            )
            for connection_id in connection_ids:  # a search is often followed by a reservation
                await self._reader.sign_in(tenant_id, connection_id)

    async def _write(self, connection: Connection, employee_ids: Iterable[UUID]) -> list[UUID]:
        """Write the recorded searches; return the tenant's connections."""
        now = self._clock()
        for connection_id in await store.record_sought(
            connection, sorted(employee_ids), now, again_after=_AGAIN_AFTER, recently=RECENTLY
        ):
            await enqueue(connection, QUEUE, connection_id, due_at=now)
        return await store.list_ids(connection)


def _is_late(mailbox: MatchedMailbox, horizon: Horizon, now: datetime) -> bool:
    """Return whether a mailbox was last read more than a minute ago."""
    read_at = mailbox.near_at if horizon is Horizon.NEAR else mailbox.far_at
    return read_at is None or now - read_at > _FRESH


def _failed_just_now(mailbox: MatchedMailbox, now: datetime) -> bool:
    """Return whether reading a mailbox failed within the last minute."""
    return mailbox.problem is not None and mailbox.tried_at is not None and now - mailbox.tried_at <= _FRESH


def _list_requests(
    late: Iterable[tuple[UUID, MatchedMailbox]], horizon: Horizon
) -> Iterator[tuple[UUID, Horizon, Mapping[UUID, MatchedMailbox]]]:
    """Yield a request for each small batch of mailboxes, with its connection."""
    by_connection = dict[UUID, list[MatchedMailbox]]()
    for connection_id, mailbox in late:
        by_connection.setdefault(connection_id, []).append(mailbox)
    for connection_id, mailboxes in by_connection.items():
        for begin in range(0, len(mailboxes), MOST_AT_ONCE):
            some = mailboxes[begin : begin + MOST_AT_ONCE]
            yield connection_id, horizon, {each.mailbox_id: each for each in some}
