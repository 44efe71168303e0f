"""The time of the last successful backup, stored in the database for every process and the doctor."""

import asyncio
from datetime import datetime
from typing import Final, NoReturn

import structlog
from prometheus_client import Gauge

from meetdeck.platform.database import Address, Connection, Database, DatabaseUnavailable, load_queries
from meetdeck.platform.process.clock import Clock

_MEASURE_SECONDS: Final = 10.0

_LAST_SUCCESS: Final = Gauge(
    "meetdeck_backup_last_success_timestamp_seconds",
    "When the last backup succeeded; 0 if none has.",
    multiprocess_mode="mostrecent",
)

queries = load_queries(__file__, "success.sql")
log = structlog.stdlib.get_logger()


async def record_success(address: Address, now: datetime) -> None:
    """Record that a backup is complete. Raises DatabaseUnavailable, DatabaseFull."""
    async with (
        Database(address, connections=1, owner_may_serve=True) as database,
        database.outside_tenants() as connection,
    ):
        if await queries.has_table(connection):
            await queries.set_success(connection, succeeded_at=now)


async def find_last_success(connection: Connection) -> datetime | None:
    """Return the time of the last successful backup, None if there is none; the connection needs no tenant."""
    succeeded_at: datetime | None = await queries.get_success(connection)
    return succeeded_at


class BackupNumbers:
    """The age of the last backup for `/metrics`, reported by every process; of several cells, the oldest."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def run(self, _: Clock) -> NoReturn:
        """Measure every ten seconds, until cancelled."""
        while True:
            try:
                await self.measure()
            except DatabaseUnavailable:  # the log has the failure
                pass
            except Exception:
                log.exception("the last backup could not be looked up")
            await asyncio.sleep(_MEASURE_SECONDS)

    async def measure(self) -> None:
        """Measure once."""
        times = await self._database.collect(_list_last_success)
        _LAST_SUCCESS.set(min(succeeded_at.timestamp() if succeeded_at is not None else 0 for succeeded_at in times))


async def _list_last_success(connection: Connection) -> list[datetime | None]:
    return [await find_last_success(connection)]
