"""A session at the console."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec


class Session(msgspec.Struct, frozen=True):
    """Somebody who has signed in; `roles` are the claim's values, and `language` is None until they choose one."""

    tenant_id: UUID
    digest: bytes
    user_id: UUID
    name: str
    email: str
    roles: frozenset[str]
    language: str | None
    created_at: datetime
    seen_at: datetime


class Undo(msgspec.Struct, frozen=True):
    """The last change that somebody has made to a resource, as far as taking it back needs it."""

    slug: str
    """The kind of the resource, as the address of its list names it."""
    key: str
    """Which one it is; empty for one that was deleted."""
    name: str
    """Its name after the change."""
    tag: str
    """The entity tag that the change has left; empty for one that was deleted."""
    resource: dict[str, Any]
    """The resource as it was before."""
