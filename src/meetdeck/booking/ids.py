"""Ids that callers give in bodies and queries."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

from msgspec import Meta

Ids = Annotated[list[UUID], Meta(max_length=10_000)]

NewId = Annotated[UUID, Meta(description="Your own id for a new resource; it cannot be changed.")]

NarrowingIds = Annotated[list[UUID], Meta(max_length=1000)]
"""The ids in a query: the list is limited to what belongs to any of them."""


def gather_ids(one: UUID | None, several: Sequence[UUID] | None) -> list[UUID] | None:
    """Return the ids of a query that takes one id or several; None for neither."""
    return None if one is None and several is None else [*([one] if one is not None else []), *(several or [])]
