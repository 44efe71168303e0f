"""Erasing rows that are older than their period, in every tenant."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Final, NoReturn
from uuid import UUID

import structlog

from meetdeck.platform.database import Connection, Database
from meetdeck.platform.identity import list_tenants
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.work import Leases, run_periodically

_AT_ONCE: Final = 1_000
_EVERY_SECONDS: Final = 60 * 60.0

log = structlog.stdlib.get_logger()


class Retention:
    """Erases rows after a period, some of a tenant in each transaction; only one of several processes does it.

    `erase_some` erases up to a number of a tenant's expired rows at a time, and returns how many it erased.
    """

    def __init__(
        self,
        work: str,
        database: Database,
        erase_some: Callable[[Connection, datetime, int], Awaitable[int]],
        *,
        first_seconds: float,
    ) -> None:
        self._work = work
        self._database = database
        self._erase_some = erase_some
        self._first_seconds = first_seconds

    async def run(
        self, clock: Clock, *, first_seconds: float | None = None, every_seconds: float = _EVERY_SECONDS
    ) -> NoReturn:
        """Erase every hour, the first time after some minutes, until cancelled; failures do not stop it."""
        await run_periodically(
            self._work,
            lambda: self.erase(clock()),
            Leases(self._database),
            first_seconds=self._first_seconds if first_seconds is None else first_seconds,
            every_seconds=every_seconds,
        )

    async def erase(self, now: datetime) -> int:
        """Erase the expired rows of all tenants; return their number. Raises DatabaseUnavailable."""
        async with self._database.outside_tenants() as connection:
            tenant_ids = await list_tenants(connection)
        erased = sum([await self._erase(tenant_id, now) for tenant_id in tenant_ids])
        log.info(self._work, erased=erased)
        return erased

    async def _erase(self, tenant_id: UUID, now: datetime) -> int:
        total, erased = 0, _AT_ONCE
        while erased == _AT_ONCE:
            erased = await self._database.run(tenant_id, lambda connection: self._erase_some(connection, now, _AT_ONCE))
            total += erased
        return total
