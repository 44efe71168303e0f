"""A stand-in for Gotenberg: speaks its form over HTTP, with its messages for faults."""

import asyncio
import base64
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email.message import Message
from email.parser import BytesParser
from http import HTTPStatus
from typing import Self

ROUTE = "/forms/libreoffice/convert"
VERSION_ROUTE = "/version"
VERSION = b"8.21.1"


@dataclass(frozen=True)
class Answer:
    """An answer: a status, a body, further headers."""

    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Request:
    """A received request: header names in lower case."""

    path: str
    headers: dict[str, str]
    body: bytes

    def parts(self) -> list[tuple[str | None, str | None, bytes]]:
        """Return the parts of the multipart form: name, file name, content."""
        head = f"Content-Type: {self.headers['content-type']}\r\n\r\n".encode()
        form = BytesParser().parsebytes(head + self.body)
        return [_read_part(part) for part in form.walk() if not part.is_multipart()]


def _read_part(part: Message) -> tuple[str | None, str | None, bytes]:
    name = part.get_param("name", header="content-disposition")
    content = part.get_payload(decode=True)
    return name if isinstance(name, str) else None, part.get_filename(), content if isinstance(content, bytes) else b""


@dataclass
class Gotenberg:
    """A Gotenberg whose LibreOffice is `convert`; `answer` may be replaced, and None from it cuts the connection."""

    convert: Callable[[bytes], Awaitable[bytes]]
    user: str = ""
    path: str = ""
    address: str = ""
    requests: list[Request] = field(default_factory=list)
    answer: Callable[[Request], Awaitable[Answer | None]] = field(init=False)

    def __post_init__(self) -> None:
        self.answer = self.answer_as_gotenberg

    @asynccontextmanager
    async def run(self, port: int = 0) -> AsyncGenerator[Self]:
        """Listen on a port of the loopback, 0 for a free one."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", port)
        self.address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            server.close()
            await server.wait_closed()

    @property
    def url(self) -> str:
        """The address as an operator would set it."""
        return f"http://{self.user}{'@' if self.user else ''}{self.address}{self.path}"

    async def answer_as_gotenberg(self, request: Request) -> Answer:
        """Answer the version, or convert."""
        if request.path == self.path.rstrip("/") + VERSION_ROUTE:
            return Answer(200, VERSION, {"Content-Type": "text/plain; charset=UTF-8"})
        return await self.convert_form(request)

    async def convert_form(self, request: Request) -> Answer:
        """Answer as Gotenberg does."""
        if request.path != self.path.rstrip("/") + ROUTE:
            return Answer(404, b"Not Found")
        if self.user and request.headers.get("authorization") != _basic(self.user):
            return Answer(401, b"Unauthorized")
        if not request.headers.get("content-type", "").startswith("multipart/form-data; boundary="):
            return Answer(415, b"Invalid 'Content-Type' header value: want 'multipart/form-data'")
        files: list[bytes] = []
        for name, file_name, content in request.parts():
            if name != "files":
                return Answer(400, f"Invalid form data: form field '{name}' is unknown to this route".encode())
            if file_name is not None and file_name.lower().endswith(".pptx"):
                files.append(content)
        if len(files) != 1:
            return Answer(400, b"Invalid form data: no form file found for extensions: [.pptx]")
        return Answer(200, await self.convert(files[0]), {"Content-Type": "application/pdf"})

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = await _read_request(reader)
            self.requests.append(request)
            if (answer := await self.answer(request)) is not None:
                writer.write(_written(answer))
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the caller has left
        finally:
            writer.close()


def _basic(user: str) -> str:
    return f"Basic {base64.b64encode(user.encode()).decode()}"


async def _read_request(reader: asyncio.StreamReader) -> Request:
    line, *fields = (await reader.readuntil(b"\r\n\r\n")).decode().rstrip().split("\r\n")
    headers = {name.lower(): value for name, value in (entry.split(": ", 1) for entry in fields)}
    return Request(line.split()[1], headers, await reader.readexactly(int(headers.get("content-length", "0"))))


def _written(answer: Answer) -> bytes:
    length = {"Content-Length": str(len(answer.body)), "Connection": "close"}
    fields = "".join(f"{name}: {value}\r\n" for name, value in (length | answer.headers).items())
    return f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}\r\n{fields}\r\n".encode() + answer.body
