"""Retention: deleting expired data of meetings (docs/operations.md)."""

from datetime import datetime, timedelta
from typing import Final, NoReturn

import structlog

from meetdeck.booking.scheduling.retention import store
from meetdeck.booking.scheduling.retention.store import Purged
from meetdeck.platform.clock import Clock
from meetdeck.platform.db import Database
from meetdeck.platform.leases import Leases
from meetdeck.platform.periodic import run_periodically

_FIRST_SECONDS: Final = 10 * 60.0  # neither during the start, nor with the sweep of the storage
_EVERY_SECONDS: Final = 60 * 60.0

log = structlog.stdlib.get_logger()


class Retention:
    """Deletes data past its retention period, in one process at a time; two at once do no harm."""

    def __init__(self, database: Database, period: timedelta) -> None:
        """Keep data for the period after a meeting's end."""
        self._database = database
        self._period = period

    async def run(
        self, clock: Clock, *, first_seconds: float = _FIRST_SECONDS, every_seconds: float = _EVERY_SECONDS
    ) -> NoReturn:
        """Purge every hour, the first time after some minutes, until cancelled; after a failure, at the next hour."""
        await run_periodically(
            "retention",
            lambda: self.purge(clock()),
            Leases(self._database),
            first_seconds=first_seconds,
            every_seconds=every_seconds,
        )

    async def purge(self, now: datetime) -> Purged:
        """Erase `cpr`, and delete cancelled meetings, expired reservations and past calendar entries, tenant by tenant.

        Raises DatabaseUnavailable.
        """
        async with self._database.outside_tenants() as connection:
            tenant_ids = await store.list_tenants(connection)
        each = [
            await self._database.run(tenant_id, lambda connection: store.purge(connection, now - self._period))
            for tenant_id in tenant_ids
        ]
        purged = Purged(*map(sum, zip(*each, strict=True))) if each else Purged()
        log.info("retention", **purged._asdict())
        return purged
