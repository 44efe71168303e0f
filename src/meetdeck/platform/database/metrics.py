"""Collecting the numbers for Prometheus: of this process, or of all workers of an installation on this host.

Numbers are defined where they are counted. With several workers each writes its own into files of one folder, by
prometheus_client's multiprocess mode: whichever is asked reads all. So a Gauge says how those of several processes are
combined (`multiprocess_mode`), what is measured rather than counted is measured each second, and there is no Info.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from prometheus_client import CollectorRegistry, Gauge, ProcessCollector, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from meetdeck.platform.database.pool import Database
from meetdeck.platform.process.shared_numbers import are_shared

_EVERY_SECONDS: Final = 1.0

_CONNECTIONS = Gauge(
    "meetdeck_database_connections", "Connections to the database.", ["state"], multiprocess_mode="livesum"
)
_PROCESS = ProcessCollector(registry=None)
_OF_PROCESSES = {
    name: Gauge(name, text, registry=None, multiprocess_mode="livesum")
    for name, text in {
        "process_cpu_seconds_total": "Processor time of the workers that live, in seconds.",
        "process_resident_memory_bytes": "Memory of the workers in bytes; what they share is counted for each.",
        "process_open_fds": "Open files of the workers.",
    }.items()
}


def collect(database: Database) -> bytes:
    """Return all numbers in Prometheus's format."""
    _measure(database)
    if not are_shared():
        return generate_latest()
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    return generate_latest(registry)


@asynccontextmanager
async def measuring(database: Database) -> AsyncGenerator[None]:
    """Measure the numbers that are not counted, each second, for whichever process is asked."""

    async def measure() -> None:
        while True:
            _measure(database)
            await asyncio.sleep(_EVERY_SECONDS)

    task = asyncio.create_task(measure())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


def _measure(database: Database) -> None:
    idle = database.pool.get_idle_size()
    _CONNECTIONS.labels("idle").set(idle)
    _CONNECTIONS.labels("used").set(database.pool.get_size() - idle)
    if are_shared():
        for sample in (sample for metric in _PROCESS.collect() for sample in metric.samples):
            if sample.name in _OF_PROCESSES:
                _OF_PROCESSES[sample.name].set(sample.value)
