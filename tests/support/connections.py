"""A real server of a small application, and one connection at a time to it."""

import asyncio
import socket
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from signal import SIGTERM

import uvloop
from litestar.types import Receive, Scope, Send

from meetdeck.platform.http.around import RequestMiddleware
from meetdeck.platform.http.server import BoundedProtocol, Drain, Server
from meetdeck.platform.http.server.protocol import Limits
from meetdeck.platform.http.server.uvicorn_server import NO_DRAIN
from meetdeck.platform.process import has_caller_left
from meetdeck.platform.process.threads import run_in_thread

KIB = 1024
PATIENCE_SECONDS = 20
LEFT = threading.Event()
BIG = 30 * KIB * KIB


class ImpatientProtocol(BoundedProtocol):
    """The same protocol, with less patience."""

    limits = Limits(
        head_seconds=1,
        window_seconds=1,
        window_bytes=500,
        stalled_seconds=2,
        linger_seconds=0.5,
        connections=20,
        fresh_seconds=0.3,
    )


async def serve(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer the number of bytes received; below /big many bytes, below /slow after a while, below /at-once at once.

    Below /until-left it waits until it learns that the caller has left, and records that in `LEFT`.
    """
    assert scope["type"] == "http"
    received = 0
    while scope["path"] != "/at-once":
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        received += len(message["body"])
        if not message["more_body"]:
            break
    while scope["path"] == "/until-left" and not has_caller_left():  # noqa: ASYNC110 - it is asked, and does not announce
        await asyncio.sleep(0.01)
    if scope["path"] == "/until-left":
        LEFT.set()
    if scope["path"] == "/slow":
        await asyncio.sleep(1.2 * ImpatientProtocol.limits.stalled_seconds)
    body = b"x" * BIG if scope["path"] == "/big" else str(received).encode()
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


class ThreadedServer(Server):
    """A server that a test can end, instead of a signal."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


@asynccontextmanager
async def running(protocol: type[BoundedProtocol] = BoundedProtocol) -> AsyncGenerator[int]:
    """Serve, in a thread, on the event loop that we serve with; lend the port."""
    async with running_server(protocol) as (port, _):
        yield port


@asynccontextmanager
async def running_server(
    protocol: type[BoundedProtocol] = BoundedProtocol, drain: Drain = NO_DRAIN
) -> AsyncGenerator[tuple[int, Callable[[], None]]]:
    """Serve likewise; lend the port, and a function with the effect of SIGTERM."""
    ready = threading.Event()

    async def announce() -> None:
        ready.set()

    listener = socket.create_server(("127.0.0.1", 0))
    server = ThreadedServer(RequestMiddleware(serve, {}), announce, drain=drain, protocol=protocol)
    loops: list[asyncio.AbstractEventLoop] = []

    def terminate() -> None:
        loops[0].call_soon_threadsafe(server.handle_exit, SIGTERM, None)

    def run() -> None:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            loops.append(runner.get_loop())
            runner.run(server.serve([listener]))

    serving = asyncio.create_task(run_in_thread(run))
    port = listener.getsockname()[1]
    await run_in_thread(ready.wait, PATIENCE_SECONDS)
    try:
        yield port, terminate
    finally:
        server.should_exit = True
        await serving


class Line:
    """A caller's connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def send(self, *pieces: bytes) -> None:
        try:
            for piece in pieces:
                self.writer.write(piece)
                await self.writer.drain()
        except ConnectionError:  # it closed: what it answered is there to be read
            return

    async def read_answer(self) -> tuple[int, dict[str, str], bytes]:
        """Return the status, headers and body of an answer; status 0 when the connection is closed without one."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            try:
                head = await self.reader.readuntil(b"\r\n\r\n")
            except (asyncio.IncompleteReadError, ConnectionError):
                return 0, {}, b""
            status, *lines = head.decode().rstrip().split("\r\n")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
            body = await self.reader.readexactly(int(headers.get("content-length", 0)))
            return int(status.split()[1]), headers, body

    async def is_closed(self) -> bool:
        async with asyncio.timeout(PATIENCE_SECONDS):
            try:
                return await self.reader.read(1) == b""
            except ConnectionError:
                return True


@asynccontextmanager
async def dial(port: int, *, host: str = "127.0.0.1") -> AsyncGenerator[Line]:
    """Connect from a loopback address."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=64 * KIB, local_addr=(host, 0))
    yield Line(reader, writer)
    writer.close()


HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"
