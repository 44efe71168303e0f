"""The backlog: events that subscribers have not received, due jobs, and failing jobs."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple, NoReturn

import structlog
from prometheus_client import Gauge

from meetdeck.events.backlog import store
from meetdeck.platform.database import Connection, Database, DatabaseUnavailable
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.work import QueueBacklog, read_backlog

_MEASURE_SECONDS: Final = 10.0

_DUE: Final = Gauge("meetdeck_jobs_due", "Jobs that are due and wait.", ["queue"], multiprocess_mode="mostrecent")
_LAG: Final = Gauge(
    "meetdeck_jobs_lag_seconds",
    "For how long the first job has been due that waits.",
    ["queue"],
    multiprocess_mode="mostrecent",
)
_FAILING: Final = Gauge(
    "meetdeck_jobs_failing", "Jobs that failed and are tried again.", ["queue"], multiprocess_mode="mostrecent"
)
_EVENT_LAG: Final = Gauge(
    "meetdeck_events_lag_seconds",
    "For how long the first event waits that a subscriber has not received.",
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
            except DatabaseUnavailable:  # which the log has
                pass
            except Exception:
                log.exception("the backlog could not be measured")
            await asyncio.sleep(_MEASURE_SECONDS)

    async def measure(self, now: datetime) -> None:
        """Measure once."""
        async with self._database.outside_tenants() as connection:
            backlog = await measure_backlog(connection, now)
        found = {one.queue: one for one in backlog.queues}
        for queue in self._queues:
            waiting = found.get(queue, QueueBacklog(queue, 0, None, 0))
            _DUE.labels(queue).set(waiting.due)
            _LAG.labels(queue).set(_count_seconds(waiting.first_due_at, now))
            _FAILING.labels(queue).set(waiting.failing)
        _EVENT_LAG.set(_count_seconds(backlog.first_event_at, now))


def _count_seconds(since: datetime | None, now: datetime) -> float:
    return max(0.0, (now - since).total_seconds()) if since is not None else 0.0
