"""A session at the console."""

from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec

RECENT: Final = timedelta(minutes=10)
"""How long ago somebody may have signed in at the provider who sees keys, changes webhooks or exports data."""
_ID_BYTES: Final = 16


class Firm(msgspec.Struct, frozen=True, rename="camel"):
    """The firm as every page shows it: its name, its first portal's colors, and the number of open tasks."""

    name: str
    brand_color: str | None
    logo_url: str
    waiting: int
    """Customers on the waiting list to whom nothing is offered, 100 at most."""
    undelivered: int
    """Messages that were tried in vain."""


class Session(msgspec.Struct, frozen=True):
    """The session of a signed-in person; `roles` are the claim's values, `language` is None until they choose one."""

    tenant_id: UUID
    digest: bytes
    user_id: UUID
    name: str
    email: str
    roles: frozenset[str]
    language: str | None
    created_at: datetime
    seen_at: datetime
    checked_at: datetime
    """When the provider last said which roles they have."""
    authenticated_at: datetime | None = None
    """When they signed in at the provider; None: it did not say."""
    subject: str | None = None
    """Their `sub` at the provider; None for sessions that began before it was stored."""
    provider_session: str | None = None
    """The `sid` of their session at the provider, where it has one."""
    firm: Firm | None = None
    """The firm as it is now; None for sessions in a list."""

    def is_recent(self, now: datetime) -> bool:
        """Return whether its person signed in at the provider recently enough for what is worth most."""
        return self.authenticated_at is not None and now - self.authenticated_at < RECENT

    @property
    def session_id(self) -> UUID:
        """Return the id by which operators name the session: a part of the secret's hash."""
        return UUID(bytes=self.digest[:_ID_BYTES])


class KeptForm(msgspec.Struct, frozen=True):
    """A form that waits until its sender has signed in anew."""

    path: str
    """Its address below the console."""
    sent: list[tuple[str, str]]


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
