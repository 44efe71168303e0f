"""The backlog: events that subscribers have not received, due jobs, and failing jobs."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from math import nan
from typing import Final, NamedTuple, NoReturn

import structlog
from prometheus_client import Gauge

from meetdeck.events.backlog import store
from meetdeck.platform.database import Connection, Database, DatabaseUnavailable
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.work import QueueBacklog, read_backlog

_MEASURE_SECONDS: Final = 10.0

_DUE: Final = Gauge("meetdeck_jobs_due", "Due jobs that wait.", ["queue"], multiprocess_mode="mostrecent")
_LAG: Final = Gauge(
    "meetdeck_jobs_lag_seconds",
    "How long the first waiting job has been due.",
    ["queue"],
    multiprocess_mode="mostrecent",
)
_FAILING: Final = Gauge(
    "meetdeck_jobs_failing", "Failed jobs that are retried.", ["queue"], multiprocess_mode="mostrecent"
)
_EVENT_LAG: Final = Gauge(
    "meetdeck_events_lag_seconds",
    "How long the first event has waited that a subscriber has not received.",
    multiprocess_mode="mostrecent",
)
_CELL_DUE: Final = Gauge(
    "meetdeck_cell_jobs_due",
    "Due jobs that wait in each of several cells; NaN: it does not answer.",
    ["cell"],
    multiprocess_mode="mostrecent",
)

log = structlog.stdlib.get_logger()


class Backlog(NamedTuple):
    """The waiting or failing jobs of each queue, and since when the first event has been waiting (None: none is)."""

    queues: list[QueueBacklog]
    first_event_at: datetime | None


async def measure_backlog(connection: Connection, now: datetime) -> Backlog:
    """Return the backlog of the whole installation; the connection needs no tenant."""
    return Backlog(await read_backlog(connection, now), await store.find_first_waiting(connection))


class BacklogNumbers:
    """The numbers of the backlog for `/metrics`: every process reports them, even one that runs no jobs."""

    def __init__(self, database: Database, queues: Sequence[str]) -> None:
        self._database = database
        self._queues = queues

    async def run(self, clock: Clock) -> NoReturn:
        """Measure every ten seconds, until cancelled."""
        while True:
            try:
                await self.measure(clock())
            except Exception:
                log.exception("the backlog could not be measured")
            await asyncio.sleep(_MEASURE_SECONDS)

    async def measure(self, now: datetime) -> None:
        """Measure once."""
        backlogs = {cell.name: await _measure(cell, now) for cell in self._database.cells}
        backlog = _add_up([one for one in backlogs.values() if one is not None])
        if len(backlogs) > 1:
            for name, one in backlogs.items():
                _CELL_DUE.labels(name).set(nan if one is None else sum(queue.due for queue in one.queues))
        if not any(backlogs.values()):
            return
        found = {one.queue: one for one in backlog.queues}
        for queue in self._queues:
            waiting = found.get(queue, QueueBacklog(queue, 0, None, 0))
            _DUE.labels(queue).set(waiting.due)
            _LAG.labels(queue).set(_count_seconds(waiting.first_due_at, now))
            _FAILING.labels(queue).set(waiting.failing)
        _EVENT_LAG.set(_count_seconds(backlog.first_event_at, now))


async def _measure(cell: Database, now: datetime) -> Backlog | None:
    """Return the backlog of a cell; None while it does not answer."""
    try:
        async with cell.outside_tenants() as connection:
            return await measure_backlog(connection, now)
    except DatabaseUnavailable:  # which the log has
        return None


def _add_up(backlogs: Sequence[Backlog]) -> Backlog:
    """Return the backlog of all cells."""
    queues: dict[str, QueueBacklog] = {}
    for one in (one for backlog in backlogs for one in backlog.queues):
        other = queues.get(one.queue, QueueBacklog(one.queue, 0, None, 0))
        queues[one.queue] = QueueBacklog(
            one.queue,
            one.due + other.due,
            _find_first(one.first_due_at, other.first_due_at),
            one.failing + other.failing,
        )
    return Backlog([*queues.values()], _find_first(*(backlog.first_event_at for backlog in backlogs)))


def _find_first(*moments: datetime | None) -> datetime | None:
    return min((moment for moment in moments if moment is not None), default=None)


def _count_seconds(since: datetime | None, now: datetime) -> float:
    return max(0.0, (now - since).total_seconds()) if since is not None else 0.0
