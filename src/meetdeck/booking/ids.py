"""Ids that callers give in bodies."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta

Ids = Annotated[list[UUID], Meta(max_length=10_000)]

NewId = Annotated[UUID, Meta(description="An id of your own for what is new; it cannot be changed.")]
