"""Numbers about the service's dependencies, measured for each `/metrics`: database, standby, disk, readiness."""

import asyncio
from contextlib import suppress
from math import nan
from pathlib import Path
from typing import Final

from prometheus_client import Gauge

from meetdeck.platform.database import Database, DatabaseUnavailable
from meetdeck.platform.database.metrics import tell_cells
from meetdeck.platform.http.operations.readiness import Readiness
from meetdeck.platform.process import count_free_bytes, deadline_of_requests, within

_DEADLINE: Final = deadline_of_requests(0.5)  # numbers are most important while the database is silent
_READY: Final = Gauge("meetdeck_ready", "1 when `/health/ready` answers 200, else 0.", multiprocess_mode="mostrecent")
_LAG: Final = Gauge(
    "meetdeck_database_read_lag_seconds",
    "How far the standby is behind; NaN: unknown.",
    ["server"],
    multiprocess_mode="mostrecent",
)
_OLDEST: Final = Gauge(
    "meetdeck_database_oldest_transaction_seconds",
    "How long the oldest transaction of our role has been open; NaN: unknown.",
    multiprocess_mode="mostrecent",
)
_FREE: Final = Gauge(
    "meetdeck_disk_free_bytes", "Free space on the disk of the data folder.", multiprocess_mode="mostrecent"
)
_FIND_OLDEST: Final = """
select coalesce(extract(epoch from max(clock_timestamp() - xact_start)), 0)::float8
from pg_stat_activity
where usename = current_user and backend_type = 'client backend' and pid <> pg_backend_pid()
"""


async def measure_dependencies(database: Database, readiness: Readiness, data_dir: Path) -> None:
    """Set the numbers, one after the other on the same connection; within five seconds when nothing answers."""
    missing = await readiness.find_missing()
    tell_cells(database, await readiness.find_away())
    with within(_DEADLINE):
        lags = await asyncio.gather(*(cell.measure_lag() for cell in database.cells))
        oldest_seconds = await _find_oldest(database)
    _READY.set(not missing)
    _OLDEST.set(oldest_seconds)
    for cell, lag in zip(database.cells, lags, strict=True):
        if lag is not None:
            _LAG.labels("standby" if cell.name == database.name else f"standby of cell {cell.name}").set(lag)
    with suppress(OSError):
        _FREE.set(count_free_bytes(data_dir))


async def _find_oldest(database: Database) -> float:
    try:
        async with database.outside_tenants() as connection:
            seconds: float = await connection.fetchval(_FIND_OLDEST)
            return seconds
    except DatabaseUnavailable:
        return nan
