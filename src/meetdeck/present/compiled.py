"""Compiled templates in memory: each compiled once however many ask, the least recently used dropped first."""

from collections.abc import Awaitable, Callable

from meetdeck.platform.cache import LoadingCache
from meetdeck.platform.threads import run_in_thread
from meetdeck.present.deck import Template, compile_template


class CompiledTemplates:
    """An LRU of compiled templates by content digest, shared by all requests of a process."""

    def __init__(self, *, limit_bytes: int = 512 * 1024 * 1024) -> None:
        self._cache = LoadingCache[bytes, Template](lambda template: template.cost_bytes, limit_bytes=limit_bytes)

    async def get(self, digest: bytes, load: Callable[[], Awaitable[bytes]]) -> Template:
        """Return the compiled template; `load` returns the file when it is not in memory."""

        async def compile_loaded() -> Template:
            return await run_in_thread(compile_template, await load())

        return await self._cache.get(digest, compile_loaded)
