"""A connection to an IMAP server (IMAP4rev1, RFC 3501): commands, one at a time, and their answers."""

import asyncio
import re
import ssl
from base64 import b64encode
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final, NamedTuple, Self

_MOST_BYTES: Final = 4 << 20
"""Of the lines of an answer; the numbers of half a million unread mails fit."""
_LITERAL: Final = re.compile(rb"\{(\d{1,10})\}\Z")
_QUOTABLE: Final = re.compile(rb"[ -~]*")
_GREETINGS: Final = (b"* OK", b"* PREAUTH")


class ImapError(Exception):
    """A server ended the connection, or does not speak IMAP."""


class Answer(NamedTuple):
    """A server's answer to one command."""

    status: str
    """OK, NO or BAD; `+` where the server waits for more."""
    lines: list[bytes]
    """Its lines before the last one, without their literals."""
    literals: list[bytes]


class ImapConnection:
    """An open connection, which allows `patience_seconds` for an answer and `largest_bytes` for a literal in it."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        patience_seconds: float,
        largest_bytes: int,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._patience_seconds = patience_seconds
        self._largest_bytes = largest_bytes
        self._number = 0

    @classmethod
    @asynccontextmanager
    async def open(
        cls, host: str, port: int, *, trust: ssl.SSLContext | None, patience_seconds: float, largest_bytes: int
    ) -> AsyncGenerator[Self]:
        """Connect to a server, encrypted if there are trusted authorities.

        Raises ImapError, OSError and TimeoutError, here and in the block.
        """
        async with asyncio.timeout(patience_seconds):
            reader, writer = await asyncio.open_connection(host, port, ssl=trust, limit=_MOST_BYTES)
        try:
            async with asyncio.timeout(patience_seconds):
                greeting = await _read_line(reader)
            if not greeting.startswith(_GREETINGS):
                raise ImapError("The server refuses connections, or does not speak IMAP.")
            yield cls(reader, writer, patience_seconds=patience_seconds, largest_bytes=largest_bytes)
        finally:
            writer.transport.abort()  # closing in good order would wait for a silent server

    async def command(self, name: str, *arguments: str | bytes) -> Answer:
        """Send a command and return its answer. Arguments of bytes are sent as strings, the others as they stand."""
        self._number += 1
        tag = f"m{self._number}"
        async with asyncio.timeout(self._patience_seconds):
            self._writer.write(f"{tag} {name}".encode())
            for argument in arguments:
                self._writer.write(b" ")
                if isinstance(argument, str):
                    self._writer.write(argument.encode())
                elif _QUOTABLE.fullmatch(argument):
                    self._writer.write(b'"%s"' % re.sub(rb'(["\\])', rb"\\\1", argument))
                else:
                    self._writer.write(b"{%d}\r\n" % len(argument))
                    answer = await self._read_answer(tag)
                    if answer.status != "+":
                        return answer
                    self._writer.write(argument)
            self._writer.write(b"\r\n")
            return await self._read_answer(tag)

    async def _read_answer(self, tag: str) -> Answer:
        """Return the lines up to the one with the tag, or up to the one that asks for more."""
        lines, literals, room = list[bytes](), list[bytes](), _MOST_BYTES
        while True:
            line = await _read_line(self._reader)
            while literal := _LITERAL.search(line):
                if (size := int(literal[1])) > self._largest_bytes:
                    raise ImapError("The server sends more than was asked for.")
                literals.append(await _read_exactly(self._reader, size))
                line = line[: literal.start()] + await _read_line(self._reader)
            first, _, rest = line.partition(b" ")
            if first == b"+":
                return Answer("+", lines, literals)
            if first == tag.encode():
                return Answer(rest.partition(b" ")[0].decode("ascii", "replace").upper(), lines, literals)
            room -= len(line)
            if room < 0:
                raise ImapError("The server's answer does not end.")
            lines.append(line)


def write_folder(name: str) -> bytes:
    """Return a folder's name as IMAP writes it, in modified UTF-7 (RFC 3501, section 5.1.3)."""
    return re.sub(r"[^ -~]+", _write_run, name.replace("&", "&-")).encode("ascii")


def _write_run(run: re.Match[str]) -> str:
    written = b64encode(run[0].encode("utf-16-be")).decode("ascii")
    return f"&{written.rstrip('=').replace('/', ',')}-"


async def _read_line(reader: asyncio.StreamReader) -> bytes:
    """Return a line without its end. Raises ImapError."""
    try:
        line = await reader.readuntil(b"\n")
    except asyncio.IncompleteReadError as error:
        raise ImapError("The server ended the connection.") from error
    except asyncio.LimitOverrunError as error:
        raise ImapError("The server's line does not end.") from error
    return line.removesuffix(b"\n").removesuffix(b"\r")


async def _read_exactly(reader: asyncio.StreamReader, size: int) -> bytes:
    """Return so many bytes. Raises ImapError."""
    try:
        return await reader.readexactly(size)
    except asyncio.IncompleteReadError as error:
        raise ImapError("The server ended the connection.") from error
