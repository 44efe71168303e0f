"""Collecting the numbers for Prometheus: of this process, or of all workers of an installation on this host.

Numbers are defined where they are counted. With several workers each writes its own into files of one folder, by
prometheus_client's multiprocess mode: whichever is asked reads all. So a Gauge says how those of several processes are
combined (`multiprocess_mode`), what is measured rather than counted is measured each second, and there is no Info.
"""

import asyncio
from collections.abc import AsyncGenerator, Collection
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
_CELL_CONNECTIONS = Gauge(
    "meetdeck_cell_connections",
    "Connections to each cell, where there are several.",
    ["cell", "state"],
    multiprocess_mode="livesum",
)
_CELL_UP = Gauge(
    "meetdeck_cell_up",
    "1 while a cell answers, 0 while it does not, where there are several.",
    ["cell"],
    multiprocess_mode="mostrecent",
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


def tell_cells(database: Database, away: Collection[str]) -> None:
    """Set the numbers that say which cells answer."""
    if len(database.cells) > 1:
        for cell in database.cells:
            _CELL_UP.labels(cell.name).set(cell.name not in away)


def _measure(database: Database) -> None:
    cells = {cell.name: cell.pool for cell in database.cells}
    idle = {name: pool.get_idle_size() for name, pool in cells.items()}
    used = {name: pool.get_size() - idle[name] for name, pool in cells.items()}
    for state, numbers in (("idle", idle), ("used", used)):
        _CONNECTIONS.labels(state).set(sum(numbers.values()))
        for name, number in numbers.items() if len(cells) > 1 else ():
            _CELL_CONNECTIONS.labels(name, state).set(number)
    if are_shared():
        for sample in (sample for metric in _PROCESS.collect() for sample in metric.samples):
            if sample.name in _OF_PROCESSES:
                _OF_PROCESSES[sample.name].set(sample.value)
