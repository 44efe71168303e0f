"""Work that several callers ask for at once: one run for all who asked before it began."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

from meetdeck.platform.process.deadlines import forget_caller

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

Work = Callable[[], Coroutine[Any, Any, V]]


class _Run(Generic[V]):
    """A run, and the number of callers who wait for it."""

    def __init__(self, work: Work[V]) -> None:
        self.work = work
        self.waiting = 0
        self.task: asyncio.Task[V]


class Together(Generic[K, V]):
    """Runs of work by key, one after the other.

    Whoever asks during a run waits for the next one, together with all others who do: its result is as new as if each
    had run alone.
    """

    def __init__(self) -> None:
        self._running: dict[K, _Run[V]] = {}
        self._next: dict[K, _Run[V]] = {}

    async def run(self, key: K, work: Work[V]) -> V:
        """Return the result of a run that begins after this call, or raise its error.

        It runs the work of the caller who asked last. It is cancelled when all who wait for it are.
        """
        run = self._next.get(key)
        if run is None:
            run = self._next[key] = _Run(work)
            run.task = asyncio.create_task(self._run(key, run, self._running.get(key)))
        run.work = work
        run.waiting += 1
        try:
            return await asyncio.shield(run.task)
        finally:
            run.waiting -= 1
            if not run.waiting and not run.task.done():
                self._leave_line(key, run)
                run.task.cancel()

    def is_shared(self, key: K) -> bool:
        """Return whether several callers wait for the run in progress."""
        run = self._running.get(key)
        return run is not None and run.waiting > 1

    async def _run(self, key: K, run: _Run[V], before: _Run[V] | None) -> V:
        forget_caller()
        try:
            if before is not None:
                await asyncio.wait([before.task])
            self._leave_line(key, run)
            self._running[key] = run
            return await run.work()
        finally:
            self._leave_line(key, run)
            if self._running.get(key) is run:
                del self._running[key]

    def _leave_line(self, key: K, run: _Run[V]) -> None:
        if self._next.get(key) is run:
            del self._next[key]
