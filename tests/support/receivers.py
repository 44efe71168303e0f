"""A server on the network, which answers as a test says and keeps its requests."""

import asyncio
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple

import msgspec


class ReceivedRequest(NamedTuple):
    """A request: its method and path, its headers by names in lower case, its body."""

    line: str
    headers: dict[str, str]
    body: bytes


class Receiver:
    """A server of one connection a request; `answers` are given in turn, the last one repeatedly."""

    def __init__(self, scheme: str) -> None:
        self.scheme = scheme
        self.port = 0
        self.answers: list[bytes] = [answer(200)]
        self.received: list[ReceivedRequest] = []
        self.came = asyncio.Event()
        """True if anything was received."""
        self.connections = 0
        self.holds: asyncio.Event | None = None
        """The event for which each answer waits."""
        self.names: list[str] = []
        """The names that TLS was requested for."""

    @property
    def host(self) -> str:
        """Return the host as MEETDECK_OUTGOING_ALLOW lists it."""
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """Return the address to call."""
        return f"{self.scheme}://{self.host}/hooks"

    def events(self) -> list[dict[str, object]]:
        """Return the received bodies."""
        return [msgspec.json.decode(each.body) for each in self.received]

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Read a request and answer it."""
        self.connections += 1
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            line, *rest = head.strip().split("\r\n")
            headers = {name.lower(): value for name, value in (each.split(": ", 1) for each in rest)}
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            self.received.append(ReceivedRequest(line, headers, body))
            self.came.set()
            if self.holds is not None:
                await self.holds.wait()
            writer.write(self.answers.pop(0) if len(self.answers) > 1 else self.answers[0])
            await writer.drain()
        writer.close()


def answer(status: int, body: bytes = b"", **headers: str) -> bytes:
    """Return an answer: `answer(503, Retry_After="120")`."""
    told = {"Content-Length": str(len(body)), "Connection": "close"} | headers
    lines = [f"HTTP/1.1 {status} Said", *(f"{name.replace('_', '-')}: {value}" for name, value in told.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


@asynccontextmanager
async def open_receiver(tls: ssl.SSLContext | None = None) -> AsyncGenerator[Receiver]:
    """Serve on a port of its own until the block ends."""
    receiver = Receiver("http" if tls is None else "https")
    if tls is not None:
        tls.sni_callback = lambda _, name, __: receiver.names.append(name)
    async with await asyncio.start_server(receiver.handle, "127.0.0.1", 0, ssl=tls) as server:
        receiver.port = server.sockets[0].getsockname()[1]
        yield receiver
        if receiver.holds is not None:
            receiver.holds.set()
