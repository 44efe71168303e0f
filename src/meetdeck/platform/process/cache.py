"""A cache of values in memory: each loaded once for all callers, the least recently used dropped first."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

from meetdeck.platform.process.deadlines import forget_caller

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LoadingCache(Generic[K, V]):
    """An LRU of values by key, bounded in bytes, for all requests of a process; `size_of` returns a value's bytes."""

    def __init__(self, size_of: Callable[[V], int], *, limit_bytes: int) -> None:
        self._size_of = size_of
        self._limit_bytes = limit_bytes
        self._used_bytes = 0
        self._values: OrderedDict[K, V] = OrderedDict()
        self._loads: dict[K, asyncio.Task[V]] = {}

    async def get(self, key: K, load: Callable[[], Coroutine[Any, Any, V]]) -> V:
        """Return the value; `load` makes a missing one, once for all callers that request it in the meantime.

        Errors of `load` reach all of them, and the next caller tries again. Cancelling one waiter does not cancel the
        shared load.
        """
        if key in self._values:
            self._values.move_to_end(key)
            return self._values[key]
        loading = self._loads.get(key)
        if loading is None:
            loading = self._loads[key] = asyncio.create_task(_load_for_all(load))
            loading.add_done_callback(lambda done: self._finish(key, done))
        return await asyncio.shield(loading)

    async def close(self) -> None:
        """Cancel the loads in progress."""
        loads = list(self._loads.values())
        for loading in loads:
            loading.cancel()
        await asyncio.gather(*loads, return_exceptions=True)

    def _finish(self, key: K, loaded: asyncio.Task[V]) -> None:
        del self._loads[key]
        if loaded.cancelled() or loaded.exception() is not None:
            return
        self._values[key] = loaded.result()
        self._used_bytes += self._size_of(loaded.result())
        while self._used_bytes > self._limit_bytes and len(self._values) > 1:
            _, longest_unused = self._values.popitem(last=False)
            self._used_bytes -= self._size_of(longest_unused)


async def _load_for_all(load: Callable[[], Coroutine[Any, Any, V]]) -> V:
    forget_caller()
    return await load()
