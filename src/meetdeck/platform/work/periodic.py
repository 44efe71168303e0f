"""Periodic work of an installation, done by one of its processes."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final, NoReturn

import structlog
from prometheus_client import Counter, Gauge, Histogram

from meetdeck.platform.errors import MeetdeckError
from meetdeck.platform.process.tracing import WorkKind, measure
from meetdeck.platform.work.leases import Leases

_LOOK_SECONDS: Final = 60.0
_SUCCESS: Final = Gauge(
    "meetdeck_job_last_success_timestamp_seconds",
    "When regular work last succeeded, in Unix time.",
    ["work"],
    multiprocess_mode="max",
)
_SECONDS: Final = Histogram(
    "meetdeck_job_seconds", "Time that regular work took.", ["work"], buckets=(0.1, 1, 10, 60, 600, 3600)
)
_FAILURES: Final = Counter(
    "meetdeck_job_failures", "Regular work that failed; it is retried at its next time.", ["work"]
)
_JOB: Final = WorkKind()

log = structlog.stdlib.get_logger()


async def run_periodically(
    name: str, work: Callable[[], Awaitable[object]], leases: Leases, *, first_seconds: float, every_seconds: float
) -> NoReturn:
    """Run `work` after the first seconds and then at every interval, until cancelled, also after failures.

    Only one process does it, whichever looks first when it is due; each looks every minute, so that another takes over
    from a killed one.
    """
    await asyncio.sleep(first_seconds)
    while True:
        async with leases.hold_for_all(name, rest=timedelta(seconds=every_seconds)) as is_ours:
            if is_ours:
                await _try(name, work)
        await asyncio.sleep(min(every_seconds, _LOOK_SECONDS))


async def _try(name: str, work: Callable[[], Awaitable[object]]) -> None:
    try:
        with measure(name, _JOB), _SECONDS.labels(name).time():
            await work()
        _SUCCESS.labels(name).set_to_current_time()
    except MeetdeckError as error:
        _FAILURES.labels(name).inc()
        log.warning("regular work refused", work=name, code=error.code, detail=error.detail)
    except Exception:
        _FAILURES.labels(name).inc()
        log.exception("regular work crashed", work=name)
