"""Retention: deleting expired data of meetings (docs/operations.md)."""

from datetime import datetime, timedelta
from typing import Final, NoReturn

import structlog

from meetdeck.booking.scheduling.retention import store
from meetdeck.booking.scheduling.retention.store import Forgotten
from meetdeck.platform.clock import Clock
from meetdeck.platform.db import Database
from meetdeck.platform.periodic import run_periodically

_FIRST_SECONDS: Final = 10 * 60.0  # not while everybody starts, nor with the sweep of the storage
_EVERY_SECONDS: Final = 60 * 60.0

log = structlog.stdlib.get_logger()


class Retention:
    """Deletes data past its retention period; any number of processes may run it at once."""

    def __init__(self, database: Database, period: timedelta) -> None:
        """Keep data for the period after a meeting's end."""
        self._database = database
        self._period = period

    async def run(
        self, clock: Clock, *, first_seconds: float = _FIRST_SECONDS, every_seconds: float = _EVERY_SECONDS
    ) -> NoReturn:
        """Purge every hour, the first time after some minutes, until cancelled; after a failure, at the next hour."""
        await run_periodically(
            "retention", lambda: self.forget(clock()), first_seconds=first_seconds, every_seconds=every_seconds
        )

    async def forget(self, now: datetime) -> Forgotten:
        """Erase `cpr`, and delete cancelled meetings with their history and expired reservations, tenant by tenant.

        Raises DatabaseUnavailable.
        """
        async with self._database.outside_tenants() as connection:
            tenant_ids = await store.list_tenants(connection)
        each = [
            await self._database.run(tenant_id, lambda connection: store.forget(connection, now - self._period))
            for tenant_id in tenant_ids
        ]
        forgotten = Forgotten(*map(sum, zip(*each, strict=True))) if each else Forgotten()
        log.info("retention", **forgotten._asdict())
        return forgotten
