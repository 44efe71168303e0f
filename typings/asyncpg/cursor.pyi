from collections.abc import AsyncIterator, Awaitable, Generator

from . import Record

class Cursor:
    async def fetch(self, n: int) -> list[Record]: ...

class CursorFactory(AsyncIterator[Record], Awaitable[Cursor]):
    def __await__(self) -> Generator[None, None, Cursor]: ...
