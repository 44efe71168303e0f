"""A caller that keeps its connection and speaks just enough HTTP: a client library would take half of the machine."""

import asyncio
import json
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

_LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_CHUNKED: Final = re.compile(rb"\r\ntransfer-encoding: *chunked", re.IGNORECASE)
_CLOSE: Final = re.compile(rb"\r\nconnection: *close", re.IGNORECASE)
_LONGEST_LINE: Final = 1 << 16


class Answer(NamedTuple):
    """An answer, read to its end."""

    status: int
    body: bytes
    head: bytes = b""

    def read(self) -> Any:
        """Return the body's JSON."""
        return json.loads(self.body)


class Caller:
    """A connection; `headers` are sent with every request. It reconnects when the connection was closed."""

    def __init__(self, address: str, headers: Mapping[str, str]) -> None:
        parts = urlsplit(address)
        self._host, self._port = parts.hostname, parts.port
        self._headers = "".join(f"{name}: {value}\r\n" for name, value in {"Host": parts.netloc, **headers}.items())
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def request(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Send a request and wait for the whole answer. Raises OSError or EOFError when the connection ends."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._host, self._port, limit=_LONGEST_LINE)
        try:
            return await self._exchange(*self._streams, self._write(method, path, body, headers or {}))
        except BaseException:
            self.close()
            raise

    async def require(self, status: int, method: str, path: str, body: object = None) -> Answer:
        """Return the answer. Raises SystemExit for one of another status."""
        answer = await self.request(method, path, body)
        if answer.status != status:
            raise SystemExit(f"{method} {path} was answered {answer.status}: {answer.body[:300]!r}")
        return answer

    def close(self) -> None:
        """Disconnect."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    def _write(self, method: str, path: str, body: object, headers: Mapping[str, str]) -> bytes:
        own = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        if body is None:
            return f"{method} {path} HTTP/1.1\r\n{self._headers}{own}\r\n".encode()
        content = json.dumps(body).encode()
        about = f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
        return f"{method} {path} HTTP/1.1\r\n{self._headers}{own}{about}\r\n".encode() + content

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> Answer:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        if found := _LENGTH.search(head):
            body = await reader.readexactly(int(found[1]))
        else:
            body = await _read_chunks(reader) if _CHUNKED.search(head) else b""
        if _CLOSE.search(head):
            self.close()
        return Answer(int(head[9:12]), body, head)


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    pieces: list[bytes] = []
    while size := int(await reader.readline(), 16):
        pieces.append(await reader.readexactly(size))
        await reader.readexactly(2)
    await reader.readexactly(2)
    return b"".join(pieces)
