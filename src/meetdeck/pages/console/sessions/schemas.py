"""A session at the console."""

from datetime import datetime
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
