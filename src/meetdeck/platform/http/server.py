"""uvicorn, set up: the application, the limits of connections, and how serving ends."""

import asyncio
import resource
import signal
import socket
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from typing import cast

import uvicorn
from litestar.types import ASGIApp

from meetdeck.platform.http.protocol import BoundedProtocol

_TICKS_A_SECOND = 10  # uvicorn's


_FILES = 16_384


def allow_open_files() -> None:
    """Raise the limit of open files to as many as connections and their work need, as far as the system lets it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


class Server(uvicorn.Server):
    """uvicorn, except that a signal ends only the serving: the parts around it stop in their own order."""

    def __init__(
        self, app: ASGIApp, tell: Callable[[], Awaitable[None]], *, protocol: type[BoundedProtocol] = BoundedProtocol
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=protocol,
                ws="none",
                log_config=None,
                lifespan="off",
                server_header=False,
                proxy_headers=False,  # forwarding.py reads them
                timeout_graceful_shutdown=10,
            )
        )
        self._tell = tell

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to serve, and tell."""
        await super().startup(sockets)
        await self._tell()

    async def on_tick(self, counter: int) -> bool:
        """Look after the connections each second."""
        if counter % _TICKS_A_SECOND == 0:
            now = asyncio.get_running_loop().time()
            for connection in cast("list[BoundedProtocol]", [*self.server_state.connections]):
                connection.check(now)
        return await super().on_tick(counter)

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Handle signals by asking for the end, in place of uvicorn's way, which raises them again."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        try:
            yield
        finally:
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(number)
