"""Admission to a renderer, in turns by tenant, with its measurements."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final
from uuid import UUID

from prometheus_client import Counter, Gauge, Histogram

from meetdeck.platform.errors import TooManyRequests, Unavailable
from meetdeck.platform.process import Line, Turns
from meetdeck.platform.process.tracing import WorkKind, measure
from meetdeck.present.render.renderer import (
    RendererBusy,
    RendererShareFull,
    RendererUnavailable,
    RenderingFailed,
    RenderingGivenUp,
)

_WAITING: Final = Gauge(
    "meetdeck_renderings_waiting", "Presentations that wait for the renderer.", multiprocess_mode="livesum"
)
_RUNNING: Final = Gauge(
    "meetdeck_renderings_running", "Presentations that are being rendered.", multiprocess_mode="livesum"
)
_BUCKETS: Final = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_WAITED: Final = Histogram("meetdeck_rendering_wait_seconds", "Time until the renderer was free.", buckets=_BUCKETS)
_SECONDS: Final = Histogram(
    "meetdeck_rendering_seconds", "Time that the renderer took for a presentation.", ["outcome"], buckets=_BUCKETS
)
_REFUSED: Final = Counter("meetdeck_renderings_refused", "Presentations that were refused a place in line.", ["code"])
_OUTCOMES: Final[dict[type[BaseException], str]] = {
    RenderingGivenUp: "given_up",
    RendererUnavailable: "unavailable",
    RendererBusy: "unavailable",
    RenderingFailed: "failed",
    asyncio.CancelledError: "cancelled",
}
_RENDER: Final = WorkKind("render")
_LINE: Final = Line("presentations", "to be rendered", RendererBusy, RendererShareFull)


class Admission:
    """Admits `size` callers at once and queues up to `waiting` more, in turns by tenant."""

    def __init__(self, size: int, waiting: int) -> None:
        self._turns = Turns(size, waiting, _LINE)

    @asynccontextmanager
    async def admit(self, tenant_id: UUID | None = None) -> AsyncGenerator[None]:
        """Wait in the tenant's queue for admission, held until the block ends; None counts as a tenant of its own.

        Raises RendererBusy when the queue is full, RendererShareFull when the tenant's share of it is.
        """
        with _WAITING.track_inprogress(), _WAITED.time(), measure("render: wait", _RENDER):
            try:
                await self._turns.begin(tenant_id)
            except (Unavailable, TooManyRequests) as error:
                _REFUSED.labels(error.code).inc()
                raise
        clock = asyncio.get_running_loop().time
        begun, outcome = clock(), "done"
        try:
            with _RUNNING.track_inprogress(), measure("render: convert", _RENDER):
                yield
        except BaseException as error:
            outcome = _OUTCOMES.get(type(error), "failed")
            raise
        finally:
            seconds = clock() - begun
            _SECONDS.labels(outcome).observe(seconds)
            self._turns.end(tenant_id, seconds)
