"""A session at the console."""

from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec

RECENT: Final = timedelta(minutes=10)
"""The maximum age of a sign-in that may see keys, change webhooks or export data."""
_ID_BYTES: Final = 16


class Firm(msgspec.Struct, frozen=True, rename="camel"):
    """The firm as every page shows it: its name, its first portal's colors, and the number of open tasks."""

    name: str
    brand_color: str | None
    logo_url: str
    waiting: int
    """The number of waiting-list customers without an offer, at most 100."""
    undelivered: int
    """The number of messages that could not be delivered."""


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
    """When the provider last confirmed the roles."""
    authenticated_at: datetime | None = None
    """When the person signed in at the provider; None: it did not say."""
    subject: str | None = None
    """Their `sub` at the provider; None for sessions that began before it was stored."""
    provider_session: str | None = None
    """The `sid` of their session at the provider, where it has one."""
    firm: Firm | None = None
    """The firm's present state; None for sessions in a list."""

    def is_recent(self, now: datetime) -> bool:
        """Return whether the person signed in recently enough for the most sensitive actions."""
        return self.authenticated_at is not None and now - self.authenticated_at < RECENT

    @property
    def session_id(self) -> UUID:
        """Return the id by which operators identify the session: a part of the secret's hash."""
        return UUID(bytes=self.digest[:_ID_BYTES])


class KeptForm(msgspec.Struct, frozen=True):
    """A form that waits while its sender signs in again."""

    path: str
    """Its address below the console."""
    sent: list[tuple[str, str]]


class Undo(msgspec.Struct, frozen=True):
    """The data needed to undo a person's last change of a resource."""

    slug: str
    """The kind of the resource, as the address of its list names it."""
    key: str
    """The resource's key; empty if it was deleted."""
    name: str
    """Its name after the change."""
    tag: str
    """The entity tag after the change; empty if it was deleted."""
    resource: dict[str, Any]
    """The resource before the change."""
