"""Compiled templates in memory: compiled once however many ask, the longest unused out first, bounded in bytes."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from meetdeck.present.deck import Template, compile_template


class CompiledTemplates:
    """An LRU of compiled templates by content digest, shared by all requests of a process."""

    def __init__(self, *, limit_bytes: int = 512 * 1024 * 1024) -> None:
        self._limit_bytes = limit_bytes
        self._tasks: OrderedDict[bytes, asyncio.Task[Template]] = OrderedDict()

    async def get(self, digest: bytes, load: Callable[[], Awaitable[bytes]]) -> Template:
        """Return the compiled template; `load` gives the file when it is not in memory."""
        task = self._tasks.get(digest)
        if task is None:
            task = self._tasks[digest] = asyncio.create_task(_compile(load))
            task.add_done_callback(lambda done: self._settle(digest, done))
        self._tasks.move_to_end(digest)
        return await asyncio.shield(task)

    def _settle(self, digest: bytes, task: asyncio.Task[Template]) -> None:
        if task.cancelled() or task.exception() is not None:
            self._tasks.pop(digest, None)
            return
        sizes = {key: kept.result().cost_bytes for key, kept in self._tasks.items() if _is_compiled(kept)}
        excess = sum(sizes.values()) - self._limit_bytes
        for key, size in sizes.items():
            if excess <= 0 or key == digest:
                break
            del self._tasks[key]
            excess -= size


def _is_compiled(task: asyncio.Task[Template]) -> bool:
    return task.done() and not task.cancelled() and task.exception() is None


async def _compile(load: Callable[[], Awaitable[bytes]]) -> Template:
    return await asyncio.to_thread(compile_template, await load())
