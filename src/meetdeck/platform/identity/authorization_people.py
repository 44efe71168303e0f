"""The people of the built-in token issuer, as stored (`identities.py`)."""

from datetime import datetime
from typing import Protocol
from uuid import UUID

import msgspec

from meetdeck.platform.identity.authorization_requests import UserKind


class User(msgspec.Struct, frozen=True):
    """A person who can sign in; names are unique in the installation."""

    tenant_id: UUID
    tenant: str
    user_name: str
    user_id: UUID
    kind: UserKind
    name: str
    email: str
    roles: tuple[str, ...] = ()


class Users(Protocol):
    """The people of all tenants, their sessions, and the codes that were redeemed."""

    async def list_users(self, kind: UserKind) -> list[User]:
        """Return all people of a kind, tenant by tenant."""
        ...

    async def find_user(self, tenant_id: UUID, user_name: str) -> User | None:
        """Return a person by name."""
        ...

    async def use_code(self, tenant_id: UUID, digest: bytes, now: datetime) -> bool:
        """Record that a code was redeemed, by its hash; return False if it was redeemed before."""
        ...

    async def begin_session(self, tenant_id: UUID, session_id: UUID, digest: bytes, now: datetime) -> None:
        """Store a session with the hash of its refresh token."""
        ...

    async def rotate(self, tenant_id: UUID, session_id: UUID, used: bytes, digest: bytes) -> bool:
        """Replace the hash of a session's refresh token. A hash that is not the valid one ends the session: False."""
        ...

    async def has_session(self, tenant_id: UUID, session_id: UUID) -> bool:
        """Return whether a session has begun and not ended."""
        ...

    async def end_session(self, tenant_id: UUID, session_id: UUID) -> bool:
        """Delete a session; return whether there was one."""
        ...
