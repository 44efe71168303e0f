"""Answering long lists: streamed whole, or a page with the address of the next (RFC 8288)."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from tempfile import SpooledTemporaryFile
from typing import Final, TypeVar
from urllib.parse import parse_qsl, urlencode

import msgspec
from asyncpg import Record
from litestar import Response
from litestar.background_tasks import BackgroundTask
from litestar.response import Stream

from meetdeck.platform.database import Connection, Page, Position
from meetdeck.platform.http.answers import JSON, AnyRequest, WholeAnswer
from meetdeck.platform.http.calls import Call, answers

P = TypeVar("P", str, bytes)
S = TypeVar("S", bound=msgspec.Struct)

_TOTAL: Final = "Total-Count"
ANSWERS_TOTAL: Final = answers(headers={_TOTAL: "With `limit`: the total number of items."})
"""The documentation of what `answer_part` answers."""

Write = Callable[[Connection], AsyncGenerator[list[Record]]]
"""Reads a list on a connection, as `paging.read_written` yields it."""

_IN_MEMORY = 1 << 20
_CHUNK_BYTES = 1 << 18


async def answer_list(call: Call, write: Write) -> Stream:
    """Answer a whole list as a JSON array."""
    return await answer_stream(read_ahead(_write_array(call, write)), {"Content-Type": JSON})


async def answer_stream(written: AsyncGenerator[P], headers: Mapping[str, str]) -> Stream:
    """Answer pieces as they are read; the first one is read before, so that an early failure becomes an error."""
    first = await anext(written)

    async def stream() -> AsyncGenerator[P]:
        try:
            yield first
            async for piece in written:
                yield piece
        finally:
            await written.aclose()

    async def close() -> None:  # a generator's method is not a function that Litestar would await
        await written.aclose()

    # A stream that never begins, as for HEAD or a caller that has left, does not end by itself.
    return Stream(stream(), headers=headers, background=BackgroundTask(close))


async def answer_page(
    call: Call, request: AnyRequest, page: Page, write: Write, *, pinned: Mapping[str, str] | None = None
) -> Response[bytes]:
    """Answer a page as a JSON array, with a `Link` to the next one if there is more.

    The link repeats the query, with the `pinned` values: defaults that would mean something else by then.
    """
    async with call.transaction() as connection:
        found = [each async for some in write(connection) for each in some]
    items = found[: page.size]
    headers: dict[str, str] = {}
    if len(found) > page.size:
        query = {"after": str(Position(items[-1]["starts_at"], items[-1]["id"])), **(pinned or {})}
        parameters = parse_qsl(request.scope["query_string"].decode("latin-1"), keep_blank_values=True)
        kept = [(name, value) for name, value in parameters if name not in query]
        address = f"{call.base_url}{request.scope['path']}?{urlencode([*kept, *query.items()])}"
        headers["Link"] = f'<{address}>; rel="next"'
    return Response(b"[" + b",".join(each["item"] for each in items) + b"]", media_type=JSON, headers=headers)


def answer_part(call: Call, items: Sequence[S], total: int | None) -> Response[list[S]]:
    """Answer a part of a list as a JSON array; a header has the total, if any."""
    headers = {_TOTAL: str(total)} if total is not None else {}
    return WholeAnswer(call.show(items), headers=headers)


async def _write_array(call: Call, write: Write) -> AsyncGenerator[bytes]:
    """Yield a JSON array piece by piece, read in one transaction: the list at one moment."""
    before = b"["
    async with call.transaction() as connection:
        async for some in write(connection):
            yield before + b",".join([each["item"] for each in some])
            before = b","
    yield b"[]" if before == b"[" else b"]"


async def read_ahead(pieces: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """Yield the pieces, which are read without waiting for the caller.

    A caller who reads slowly keeps no transaction open, and takes no memory: unread pieces wait in a file.
    """
    backlog = _Backlog()
    news = asyncio.Event()

    async def fill() -> None:
        try:
            async for piece in pieces:
                backlog.put(piece)
                news.set()
        finally:
            news.set()

    filling = asyncio.create_task(fill())
    try:
        while True:
            news.clear()
            while chunk := backlog.take():
                yield chunk
            if filling.done():
                break
            await news.wait()
        await filling  # raises the reader's error
    finally:
        filling.cancel()
        try:
            await asyncio.gather(filling, return_exceptions=True)
        finally:  # the wait is also cancelled when the caller has left
            backlog.close()


class _Backlog:
    """Bytes that were written and not read yet: in memory while they are few, otherwise in a temporary file."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - closed by `close`
        self._taken = self._put = 0

    def put(self, piece: bytes) -> None:
        self._file.seek(self._put)
        self._put += self._file.write(piece)

    def take(self) -> bytes:
        """Return the next bytes, none if all were taken; their room is then free again."""
        if self._taken == self._put:
            self._file.truncate(0)
            self._taken = self._put = 0
            return b""
        self._file.seek(self._taken)
        chunk = self._file.read(_CHUNK_BYTES)
        self._taken += len(chunk)
        return chunk

    def close(self) -> None:
        self._file.close()
