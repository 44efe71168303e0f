"""uvicorn, set up: the application, the limits of connections, and how serving ends."""

import asyncio
import resource
import signal
import socket
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Final, NamedTuple, cast

import structlog
import uvicorn
from litestar.types import ASGIApp

from meetdeck.platform.http.server.acceptor import Acceptor
from meetdeck.platform.http.server.connection_counts import ConnectionCounts
from meetdeck.platform.http.server.protocol import BoundedProtocol, DrainableState
from meetdeck.platform.process.signals import handling
from meetdeck.platform.process.terminal import Terminal

LAST_REQUEST_SECONDS: Final = 75.0
"""A request that takes longer is cut when its process is replaced; a presentation may take 60 s to be rendered."""
_TICKS_A_SECOND: Final = 10  # uvicorn's
_FILES: Final = 16_384
_SUPERVISED: Final = "MEETDECK_WORKER_PROCESS=true, or serve --workers 2: a supervisor replaces it without a gap."

log = structlog.stdlib.get_logger()


class Drain(NamedTuple):
    """The drain before a server ends: how long it continues to serve, and a function called when that begins."""

    seconds: float
    begin: Callable[[], None]


NO_DRAIN: Final = Drain(0, lambda: None)


def allow_open_files() -> None:
    """Raise the limit of open files to what connections and their work need, as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


class Server(uvicorn.Server):
    """uvicorn, except that a signal ends only the serving: the surrounding parts stop in their own order."""

    def __init__(
        self,
        app: ASGIApp,
        report: Callable[[], Awaitable[None]],
        *,
        drain: Drain = NO_DRAIN,
        protocol: type[BoundedProtocol] = BoundedProtocol,
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=protocol,
                ws="none",
                log_config=None,
                access_log=False,  # ours is in the middleware; uvicorn would prepare its line even if nobody logs it
                lifespan="off",
                server_header=False,
                proxy_headers=False,  # forwarding.py reads them
                timeout_graceful_shutdown=10,
            )
        )
        self.server_state = self._state = DrainableState()
        self._report = report
        self._drain = drain
        self._terminal = Terminal()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to serve, and report it."""
        await super().startup(sockets)
        await self._report()

    async def on_tick(self, counter: int) -> bool:
        """Check the connections each second."""
        if counter % _TICKS_A_SECOND == 0:
            now = asyncio.get_running_loop().time()
            for connection in self.connections:
                connection.check(now)
        return await super().on_tick(counter)

    @property
    def connections(self) -> list[BoundedProtocol]:
        """The open connections."""
        return cast("list[BoundedProtocol]", [*self.server_state.connections])

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin the drain at SIGTERM; end at once when there is none, at SIGINT, and at the second signal."""
        if sig == signal.SIGTERM and self._drain.seconds and not (self._state.is_draining or self.should_exit):
            self._begin_drain()
        else:
            super().handle_exit(sig, frame)

    def _begin_drain(self) -> None:
        """Continue to serve for some seconds, so that balancers notice that we leave before the door is closed."""
        log.info("not ready any more: the process ends soon", seconds=self._drain.seconds)
        self._state.is_draining = True
        self._drain.begin()
        for connection in self.connections:
            connection.finish()
        asyncio.get_running_loop().call_later(self._drain.seconds, super().handle_exit, signal.SIGTERM, None)

    def hang_up(self) -> None:
        """End when the terminal was closed; otherwise log what a SIGHUP needs, and continue."""
        if self._terminal.is_gone():
            self.should_exit = True
        else:
            log.warning("SIGHUP does nothing here: nobody can replace this process", advice=_SUPERVISED)

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Handle signals by requesting the end, instead of uvicorn's way, which raises them again."""
        handlers: dict[signal.Signals, Callable[[], None]] = {
            number: partial(self.handle_exit, number, None) for number in (signal.SIGINT, signal.SIGTERM)
        }
        handlers[signal.SIGHUP] = self.hang_up
        with handling(handlers):
            yield


class SharedListener(NamedTuple):
    """A socket from which several processes accept connections, the count of each, and the number of this process."""

    socket: socket.socket
    counts: ConnectionCounts
    number: int


class WorkerServer(Server):
    """Serves as one of several processes that share `listener`, and can leave without losing a request (SIGHUP)."""

    def __init__(
        self,
        app: ASGIApp,
        report: Callable[[], Awaitable[None]],
        shared: SharedListener,
        *,
        drain: Drain = NO_DRAIN,
        protocol: type[BoundedProtocol] = BoundedProtocol,
    ) -> None:
        super().__init__(app, report, drain=drain, protocol=protocol)
        self._listener, self._counts, self._number = shared
        self._acceptor: Acceptor | None = None
        self._is_leaving = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to accept in turn with the other processes, and report it."""
        self._acceptor = Acceptor(self._listener, self._make_connection, self._is_ahead)
        self._acceptor.start()
        await super().startup(sockets)

    async def on_tick(self, counter: int) -> bool:
        """Write the number of our connections where the other processes read it."""
        if not self.should_exit:
            self._counts.put(self._number, len(self.server_state.connections))
        return await super().on_tick(counter)

    def _is_ahead(self) -> bool:
        self._counts.put(self._number, len(self.server_state.connections))
        return self._counts.is_ahead(self._number)

    def _make_connection(self) -> asyncio.Protocol:
        make = cast("Callable[..., asyncio.Protocol]", self.config.http_protocol_class)
        return make(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)

    def hang_up(self) -> None:
        """Close the listener: other workers have taken over."""
        self._is_leaving = self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End soon, even in the middle of leaving."""
        self._is_leaving = False
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more, answer requests on the open connections if we are leaving, and end."""
        if self._acceptor is not None:
            await self._acceptor.stop()
            self._counts.forget(self._number)
        await self._wait_for_connections()
        await super().shutdown(sockets)

    async def _wait_for_connections(self) -> None:
        """Wait for the open connections: each ends with its next answer, or when it has been idle for long enough.

        An idle one is closed no sooner than usual, so that no request finds a closed connection that it would not find
        otherwise.
        """
        ticks = 0
        for connection in self.connections:
            connection.finish()
        while self._is_leaving and self.server_state.connections and ticks < LAST_REQUEST_SECONDS * _TICKS_A_SECOND:
            ticks += 1
            await self.on_tick(ticks)
            await asyncio.sleep(1 / _TICKS_A_SECOND)
