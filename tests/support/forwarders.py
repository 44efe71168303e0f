"""A TCP forwarder that can fall silent, like a failover or a lost network does to open connections."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress


class Forwarder:
    """Passes connections on to a port of this machine."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._silent: set[asyncio.StreamWriter] = set()
        self._open: set[asyncio.StreamWriter] = set()
        self.port = 0

    @classmethod
    @asynccontextmanager
    async def run(cls, target: int) -> AsyncGenerator["Forwarder"]:
        """Forward during the block."""
        forwarder = cls(target)
        server = await asyncio.start_server(forwarder._forward, "127.0.0.1", 0)
        forwarder.port = server.sockets[0].getsockname()[1]
        try:
            yield forwarder
        finally:
            server.close()
            for writer in [*forwarder._open]:
                writer.transport.abort()

    def silence(self) -> int:
        """Swallow everything on the open connections from now on, and return their number; new ones work."""
        self._silent |= self._open
        return len(self._open) // 2

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        to_reader, to_writer = await asyncio.open_connection("127.0.0.1", self._target)
        self._open |= {writer, to_writer}
        await asyncio.gather(self._pass_on(reader, to_writer), self._pass_on(to_reader, writer))

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                if writer not in self._silent:
                    writer.write(data)
        if writer not in self._silent:
            self._open.discard(writer)
            writer.close()
