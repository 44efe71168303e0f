"""Filtered lists of employees and rooms in v3 (docs/api/lists.md#narrowed-lists): their query, and their parts."""

from collections.abc import Sequence
from typing import Annotated, Any, Final, Generic, NamedTuple, TypeVar
from uuid import UUID

import msgspec
from msgspec import Meta

S = TypeVar("S", bound=msgspec.Struct)

SINCE_V3: Final = Meta(extra_json_schema={"x-since": "v3"})


class NarrowingQuery(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The members of a query that filter a list, all of them at once."""

    search: Annotated[
        Annotated[str, Meta(max_length=200)] | None,
        SINCE_V3,
        Meta(description="Words; each is a part of the name, e-mail address, initials, title or place, in any case."),
    ] = None
    location: Annotated[
        Annotated[str, Meta(max_length=200)] | None,
        SINCE_V3,
        Meta(description="Their location: a whole name, in any case; an extension."),
    ] = None
    ids: Annotated[
        Annotated[list[UUID], Meta(max_length=1000)] | None,
        SINCE_V3,
        Meta(description="Only those of these ids that exist; an extension."),
    ] = None
    limit: Annotated[
        Annotated[int, Meta(ge=1, le=1000)] | None,
        SINCE_V3,
        Meta(
            description="The maximum number of items; `Total-Count` then has the number of all. By default all; an "
            "extension."
        ),
    ] = None
    offset: Annotated[
        Annotated[int, Meta(ge=0, le=1_000_000)],
        SINCE_V3,
        Meta(description="The number of items to skip; an extension."),
    ] = 0

    @property
    def patterns(self) -> list[str] | None:
        """Return a LIKE pattern for each word that is searched for, None for none."""
        words = self.search.lower().split() if self.search is not None else []
        escaped = (word.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_") for word in words)
        return [f"%{word}%" for word in escaped] or None

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters of the statement that lists."""
        return {
            "patterns": self.patterns,
            "location": self.location,
            "ids": self.ids,
            "most": self.limit,
            "skipped": self.offset,
        }


class ListPart(NamedTuple, Generic[S]):
    """A part of a list, and the total number of its items."""

    items: Sequence[S]
    total: int
