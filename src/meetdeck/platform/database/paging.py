"""Long lists, written as JSON by the database in one pass, whole or page by page (docs/decisions/0051, 0052)."""

import base64
import binascii
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from typing import Annotated, NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record
from msgspec import Meta

from meetdeck.platform.database.queries import Connection, Cursor
from meetdeck.platform.errors import Fault
from meetdeck.platform.values import InvalidInput

MOST_ON_A_PAGE = 1000
_AT_ONCE = 500  # items fetched at a time: a few hundred kilobytes
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TOKEN_BYTES = 8 + 16


class PageQuery(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The members of a query that choose a page."""

    page_size: Annotated[
        int | None,
        Meta(
            description=f"The maximum number of items, 1 to {MOST_ON_A_PAGE}; `Link` then names the next page. "
            "Default: all."
        ),
    ] = None
    after: Annotated[str | None, Meta(description="The start of a page, from the `Link` of the previous one.")] = None

    @property
    def page(self) -> "Page | None":
        """Return the requested page, None for the whole list. Raises InvalidInput."""
        if self.page_size is None:
            if self.after is not None:
                raise _refuse("after", "It requires pageSize. Follow the Link of a page unchanged.")
            return None
        if not 1 <= self.page_size <= MOST_ON_A_PAGE:
            raise _refuse("pageSize", f"Ask for 1 to {MOST_ON_A_PAGE}, or leave it out for the whole list.")
        return Page(self.page_size, Position.read(self.after) if self.after is not None else None)


class PartQuery(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The members of a query that choose a part of a list by number."""

    limit: Annotated[
        Annotated[int, Meta(ge=1, le=MOST_ON_A_PAGE)] | None,
        Meta(description="The maximum number of items; `Total-Count` then has the number of all. By default all."),
    ] = None
    offset: Annotated[Annotated[int, Meta(ge=0, le=1_000_000)], Meta(description="The number of items to skip.")] = 0


class Position(NamedTuple):
    """A position in a list sorted by start, then id. Changes to other rows do not move it."""

    starts_at: datetime
    id: UUID

    def __str__(self) -> str:
        """Return an opaque token for an address."""
        since = (self.starts_at - _EPOCH) // timedelta(microseconds=1)
        return base64.urlsafe_b64encode(since.to_bytes(8, signed=True) + self.id.bytes).decode()

    @classmethod
    def read(cls, token: str) -> "Position":
        """Return the position of a token that `str` wrote. Raises InvalidInput."""
        try:
            plain = base64.b64decode(token, altchars=b"-_", validate=True)
            if len(plain) == _TOKEN_BYTES:
                starts_at = _EPOCH + timedelta(microseconds=int.from_bytes(plain[:8], signed=True))
                return cls(starts_at, UUID(bytes=plain[8:]))
        except (binascii.Error, ValueError, OverflowError):
            pass
        raise _refuse("after", "This is not a position in a list: follow the Link of a page unchanged.")


class Page(NamedTuple):
    """A page of a list: `size` items at most, after a position, None for the beginning."""

    size: int
    after: Position | None


async def read_written(
    connection: Connection,
    open_cursor: Callable[..., AbstractAsyncContextManager[Cursor]],
    page: Page | None,
    *,
    in_order_of_index: bool,
    **parameters: object,
) -> AsyncGenerator[list[Record]]:
    """Yield rows of an `item` as JSON and its position (`starts_at`, `id`), in chunks.

    A page has one row more, if there is a next page. The query takes `after_start`, `after_id` and `most` beside the
    parameters. `in_order_of_index`: it walks the index by start. Otherwise it would sort the rest of a list for each
    page, since PostgreSQL assumes that any tenant has a small part of a table (docs/decisions/0036).
    """
    if in_order_of_index:
        await connection.execute("set local enable_sort = off")
    after = page.after if page is not None else None
    place = {
        "after_start": after.starts_at if after is not None else None,
        "after_id": after.id if after is not None else None,
        "most": page.size + 1 if page is not None else None,
    }
    async with open_cursor(connection, **parameters, **place) as cursor:
        while rows := await cursor.fetch(_AT_ONCE):
            yield rows


def _refuse(name: str, detail: str) -> InvalidInput:
    return InvalidInput(f"{name}: {detail}", faults=(Fault(f"/query/{name}", detail),))
