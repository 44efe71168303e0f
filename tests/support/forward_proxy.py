"""An HTTP proxy that opens tunnels (CONNECT), and knows names that are unknown elsewhere."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress


class ForwardProxy:
    """Tunnels to `port` of this machine, whatever name is asked for; `answer` refuses instead."""

    def __init__(self, port: int) -> None:
        self.target_port = port
        self.port = 0
        self.heads: list[str] = []
        """The requests for tunnels."""
        self.answer = "200 Connection established"

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Open a tunnel and forward both directions until one side ends."""
        self.heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
        writer.write(f"HTTP/1.1 {self.answer}\r\n\r\n".encode())
        if self.answer.startswith("2"):
            there = await asyncio.open_connection("127.0.0.1", self.target_port)
            await asyncio.gather(_forward(reader, there[1]), _forward(there[0], writer))
        writer.close()


async def _forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def open_forward_proxy(port: int) -> AsyncGenerator[ForwardProxy]:
    """Serve a proxy to a port of this machine until the block ends."""
    proxy = ForwardProxy(port)
    async with await asyncio.start_server(proxy.handle, "127.0.0.1", 0) as server:
        proxy.port = server.sockets[0].getsockname()[1]
        yield proxy
