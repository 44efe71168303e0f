"""Notes who is searched for in memory, and writes it down every few seconds: their calendars are read first.

No search waits for it. A killed process loses the last seconds.
"""

import asyncio
from collections.abc import Iterable
from datetime import timedelta
from typing import Final, NoReturn
from uuid import UUID

import structlog

from meetdeck.booking.scheduling.outside_calendars import OutsideCalendars
from meetdeck.connections.calendar_connections import store
from meetdeck.connections.calendar_connections.service.reading import QUEUE
from meetdeck.connections.graph.rounds import RECENTLY
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.errors import Unavailable
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.work import enqueue

_EVERY_SECONDS: Final = 2.0
_LOOKS_EVERY: Final = 5  # times that notes are written: for firms that were connected since
_AGAIN_AFTER: Final = timedelta(minutes=2)
"""How long a note is good enough: searching again within that time writes nothing."""

log = structlog.stdlib.get_logger()


class CalendarAttention(OutsideCalendars):
    """The searches of this process that are not yet written to the database, of firms with a connection."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._connected = frozenset[UUID]()
        self._sought: dict[UUID, set[UUID]] = {}

    def note_search(self, tenant_id: UUID, employee_ids: Iterable[UUID]) -> None:
        """Note who was searched for."""
        if tenant_id in self._connected:
            self._sought.setdefault(tenant_id, set()).update(employee_ids)

    async def run(self, clock: Clock, *, every_seconds: float = _EVERY_SECONDS) -> NoReturn:
        """Look for connected firms and write notes every few seconds, until cancelled."""
        del clock
        turn = 0
        while True:
            try:
                if turn % _LOOKS_EVERY == 0:
                    await self.look()
                await self.flush()
            except Unavailable as error:
                log.warning("searches not noted for calendars", code=error.code, detail=error.detail)
            except Exception:
                log.exception("searches not noted for calendars")
            turn += 1
            await asyncio.sleep(every_seconds)

    async def look(self) -> None:
        """Find out which firms have a connection. Raises DatabaseUnavailable."""
        async with self._database.outside_tenants() as connection:
            self._connected = frozenset(await store.list_connected_tenants(connection))

    async def flush(self) -> None:
        """Write the notes; a connection with newly sought mailboxes reads at once. Raises DatabaseUnavailable."""
        while self._sought:
            tenant_id, employee_ids = self._sought.popitem()
            await self._database.run(tenant_id, lambda connection, ids=employee_ids: self._write(connection, ids))

    async def _write(self, connection: Connection, employee_ids: Iterable[UUID]) -> None:
        now = self._clock()
        for connection_id in await store.record_sought(
            connection, sorted(employee_ids), now, again_after=_AGAIN_AFTER, recently=RECENTLY
        ):
            await enqueue(connection, QUEUE, connection_id, due_at=now)
