"""The record in the database that a process of the installation runs background jobs."""

import asyncio
from typing import Final, NoReturn
from uuid import uuid4

import structlog
from prometheus_client import Gauge

from meetdeck.platform.database import Connection, Database, DatabaseUnavailable
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.work.leases import Leases, is_held

WORK: Final = "background work"
"""The lease held by one of the processes that do the background work."""
_EVERY_SECONDS: Final = 4.0
_PATIENCE_SECONDS: Final = 30.0  # a worker that starts, or takes over from one that was killed
_AGAIN_SECONDS: Final = 3600.0

_PRESENT: Final = Gauge(
    "meetdeck_workers_present",
    "1 while a process of the installation does the background work, 0 while none does.",
    multiprocess_mode="mostrecent",
)

log = structlog.stdlib.get_logger()


async def has_worker(connection: Connection) -> bool | None:
    """Return whether a process does the background work, None while there is no firm, and so nothing to do."""
    return await is_held(connection, WORK)


class WorkerPresence:
    """Records whether this process does the background work, and reports by a number and a log whether any does.

    `complains`: the log has a line while none does.
    """

    def __init__(self, database: Database, *, is_worker: bool, complains: bool) -> None:
        self._database = database
        self._leases = Leases(database)
        self._holder = uuid4()
        self._is_worker = is_worker
        self._complains = complains
        self._missed_since: float | None = None
        self._told_at: float | None = None

    async def run(self, _: Clock) -> NoReturn:
        """Refresh every few seconds until cancelled; then another worker may take over at once."""
        try:
            while True:
                try:
                    await self.refresh()
                except DatabaseUnavailable:  # which the log has
                    pass
                except Exception:
                    log.exception("workers could not be looked for")
                await asyncio.sleep(_EVERY_SECONDS)
        finally:
            await self.leave()

    async def leave(self) -> None:
        """Record that this process no longer does the background work."""
        if self._is_worker:
            await self._leases.leave(WORK, self._holder)

    async def refresh(self) -> None:
        """Report this worker's presence, and read that of others, once."""
        if self._is_worker:
            await self._leases.take_for_all(WORK, self._holder)
        async with self._database.outside_tenants() as connection, connection.transaction():
            is_present = await has_worker(connection)
        if is_present is not None:
            _PRESENT.set(is_present)
        if self._complains:
            self._complain(is_present is not False, asyncio.get_running_loop().time())

    def _complain(self, is_present: bool, now: float) -> None:  # noqa: FBT001 - the only thing that it is about
        if is_present:
            self._missed_since = self._told_at = None
            return
        self._missed_since = now if self._missed_since is None else self._missed_since
        is_due = self._told_at is None or now - self._told_at >= _AGAIN_SECONDS
        if now - self._missed_since >= _PATIENCE_SECONDS and is_due:
            self._told_at = now
            log.warning(
                "no worker",
                advice="No process sends messages and webhooks or makes documents. Run `meetdeck worker`, or `meetdeck "
                "serve` with `worker` in MEETDECK_ONLY.",
            )
