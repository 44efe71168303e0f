"""The line before a renderer: so many render at once, so many wait, the rest are asked to come back."""

import asyncio
import math
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from meetdeck.present.render.renderer import RendererBusy


class Turns:
    """Gives `size` callers a turn at once and lets up to `waiting` more wait for theirs."""

    def __init__(self, size: int, waiting: int) -> None:
        self._size = size
        self._free = asyncio.Semaphore(size)
        self._most_waiting = waiting
        self._waiting = 0
        self._mean_seconds = 1.0

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[None]:
        """Wait in line for a turn; raises RendererBusy when the line is full."""
        if self._free.locked() and self._waiting >= self._most_waiting:
            raise self._refusal()
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1
        clock = asyncio.get_running_loop().time
        begun = clock()
        try:
            yield
        finally:
            self._mean_seconds += 0.1 * (clock() - begun - self._mean_seconds)
            self._free.release()

    def _refusal(self) -> RendererBusy:
        """Ask to come back when those who wait now are likely to be through."""
        seconds = max(1, math.ceil(self._mean_seconds * self._waiting / self._size))
        return RendererBusy(
            f"{self._waiting} presentations already wait to be rendered. Ask again in {seconds} s.",
            retry_after_seconds=seconds,
        )
