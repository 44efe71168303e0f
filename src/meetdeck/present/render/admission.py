"""Admission to a renderer: by tenant in rotation; so many render at once, so many wait, the rest are refused."""

import asyncio
import itertools
import math
from collections import Counter, deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final
from uuid import UUID

from prometheus_client import Counter as Total
from prometheus_client import Gauge, Histogram

from meetdeck.platform.tracing import Kind, measure
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
_REFUSED: Final = Total("meetdeck_renderings_refused", "Presentations that were refused a place in line.", ["code"])
_OUTCOMES: Final[dict[type[BaseException], str]] = {
    RenderingGivenUp: "given_up",
    RendererUnavailable: "unavailable",
    RendererBusy: "unavailable",
    RenderingFailed: "failed",
    asyncio.CancelledError: "cancelled",
}
_RENDER: Final = Kind("render")
_SHARE: Final = 0.75  # of the places in line, for one tenant


class Admission:
    """Admits `size` callers at once and queues up to `waiting` more.

    The next one admitted is of the tenant with the fewest admitted, and among these of the one admitted longest ago.
    While one tenant holds all places, there is one more, for another tenant: a rendering cannot be interrupted, and may
    last a minute.
    """

    def __init__(self, size: int, waiting: int) -> None:
        self._size = size
        self._most_waiting = waiting
        self._share = math.ceil(_SHARE * waiting)
        self._held = Counter[UUID | None]()
        self._queues: dict[UUID | None, deque[asyncio.Future[None]]] = {}
        self._rounds = itertools.count(1)
        self._served: dict[UUID | None, int] = {}  # in which round last, of all since the line was empty
        self._mean_seconds = 1.0

    @asynccontextmanager
    async def admit(self, tenant_id: UUID | None = None) -> AsyncGenerator[None]:
        """Wait in the tenant's queue for admission, held until the block ends; None stands for a tenant of its own.

        Raises RendererBusy when the queue is full, RendererShareFull when the tenant's part of it is.
        """
        with _WAITING.track_inprogress(), _WAITED.time(), measure("render: wait", _RENDER):
            await self._begin(tenant_id)
        clock = asyncio.get_running_loop().time
        begun, outcome = clock(), "done"
        try:
            with _RUNNING.track_inprogress(), measure("render: convert", _RENDER):
                yield
        except BaseException as error:
            outcome = _OUTCOMES.get(type(error), "failed")
            raise
        finally:
            _SECONDS.labels(outcome).observe(clock() - begun)
            self._mean_seconds += 0.1 * (clock() - begun - self._mean_seconds)
            self._end(tenant_id)

    async def _begin(self, tenant_id: UUID | None) -> None:
        admitted = asyncio.get_running_loop().create_future()
        if not self._may_begin(tenant_id):
            self._require_room(tenant_id)
        self._queues.setdefault(tenant_id, deque()).append(admitted)
        self._admit_next()
        try:
            await admitted
        except asyncio.CancelledError:
            if not admitted.cancelled():
                self._end(tenant_id)
            elif admitted in self._queues.get(tenant_id, ()):
                self._leave(tenant_id, admitted)
            raise

    def _end(self, tenant_id: UUID | None) -> None:
        self._held[tenant_id] -= 1
        self._held += Counter()  # forgets who holds none
        self._admit_next()
        if not self._held:
            self._served.clear()

    def _leave(self, tenant_id: UUID | None, admitted: asyncio.Future[None]) -> None:
        self._queues[tenant_id].remove(admitted)
        if not self._queues[tenant_id]:
            del self._queues[tenant_id]

    def _admit_next(self) -> None:
        """Admit the next callers to all free places."""
        while ready := [tenant_id for tenant_id in self._queues if self._may_begin(tenant_id)]:
            tenant_id = min(ready, key=lambda one: (self._held[one], self._served.get(one, 0)))
            admitted = self._queues[tenant_id][0]
            self._leave(tenant_id, admitted)
            if admitted.cancelled():  # who waited for it has gone, and could not say so yet
                continue
            self._held[tenant_id] += 1
            self._served[tenant_id] = next(self._rounds)
            admitted.set_result(None)

    def _may_begin(self, tenant_id: UUID | None) -> bool:
        held = self._held.total()
        return held < self._size or (held == self._size and len(self._held) == 1 and tenant_id not in self._held)

    def _require_room(self, tenant_id: UUID | None) -> None:
        waiting = sum(map(len, self._queues.values()))
        if waiting >= self._most_waiting:
            seconds = self._guess_seconds(waiting)
            _REFUSED.labels(RendererBusy.code).inc()
            raise RendererBusy(
                f"{waiting} presentations already wait to be rendered, as many as may. Ask again in {seconds} s.",
                retry_after_seconds=seconds,
            )
        own = len(self._queues.get(tenant_id, ()))
        if own >= self._share:
            seconds = self._guess_seconds(own)
            _REFUSED.labels(RendererShareFull.code).inc()
            raise RendererShareFull(
                f"{own} presentations of yours already wait to be rendered, as many as of one tenant may. Ask again in "
                f"{seconds} s, and for fewer at once.",
                retry_after_seconds=seconds,
            )

    def _guess_seconds(self, waiting: int) -> int:
        """Return an estimate of the seconds until so many waiting callers are done."""
        return max(1, math.ceil(self._mean_seconds * waiting / self._size))
