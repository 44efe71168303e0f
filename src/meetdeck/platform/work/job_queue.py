"""Background jobs: one at a time, after the answer was sent, lost when the process ends."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final

import structlog
from prometheus_client import Counter, Gauge

from meetdeck.platform.errors import MeetdeckError
from meetdeck.platform.process import forget_caller
from meetdeck.platform.process.log_facts import begin_log_facts
from meetdeck.platform.process.tracing import WorkKind, leave_request, measured

Job = Callable[[], Awaitable[object]]

_MOST_WAITING: Final = 100
_WAITING: Final = Gauge(
    "meetdeck_background_jobs_waiting", "Background jobs that wait for their turn.", multiprocess_mode="livesum"
)
_DROPPED: Final = Counter("meetdeck_background_jobs_dropped", "Background jobs refused by a full queue.")
_JOB: Final = WorkKind()

log = structlog.stdlib.get_logger()


class JobQueue:
    """A queue of useful jobs that are not needed: dropping one does no harm."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[str, Job]] = deque(maxlen=_MOST_WAITING)  # when it is full, the oldest is dropped
        self._worker: asyncio.Task[None] | None = None

    def add(self, name: str, job: Job) -> None:
        """Enqueue a job; `name` is logged when it fails."""
        if len(self._waiting) == _MOST_WAITING:
            _DROPPED.inc()
        self._waiting.append((name, job))
        _WAITING.set(len(self._waiting))
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())

    async def wait(self) -> None:
        """Wait until no job is left."""
        if self._worker is not None:
            await asyncio.wait([self._worker])

    async def close(self) -> None:
        """Drop the waiting jobs and cancel the running one."""
        self._waiting.clear()
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.wait([self._worker])

    async def _work(self) -> None:
        begin_log_facts()  # it is not a part of the request that asked for it
        leave_request()
        forget_caller()
        while self._waiting:
            name, job = self._waiting.popleft()
            _WAITING.set(len(self._waiting))
            try:
                await measured(job(), name, _JOB)
            except MeetdeckError as error:
                log.warning("background job refused", job=name, code=error.code, detail=error.detail)
            except Exception:
                log.exception("background job crashed", job=name)
