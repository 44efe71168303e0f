"""Pages of long lists."""

from collections.abc import Sequence
from typing import Final, Generic, NamedTuple, TypeVar

T = TypeVar("T")

_LONGEST: Final = 200


class ListPage(NamedTuple, Generic[T]):
    """A page of a list, its number from 1, and the numbers of pages and items."""

    items: Sequence[T]
    number: int
    pages: int
    total: int


def count_pages(total: int, size: int) -> int:
    """Return the number of pages, at least one."""
    return max(1, -(-total // size))


def page_of(items: Sequence[T], number: int, size: int) -> ListPage[T]:
    """Return the page with that number, or the last one."""
    pages = count_pages(len(items), size)
    number = min(max(1, number), pages)
    return ListPage(items[(number - 1) * size : number * size], number, pages, len(items))


def read_number(text: str | None, default: int = 1) -> int:
    """Return the whole number from 1 in an address's query, or the default."""
    return int(text) if text and text.isdecimal() and len(text) < 10 and int(text) > 0 else default  # noqa: PLR2004 - an int4


def read_search(text: str | None) -> str:
    """Return the search text as the API accepts it: trimmed, without NUL, and not too long."""
    return (text or "").replace("\0", "").strip()[:_LONGEST]
