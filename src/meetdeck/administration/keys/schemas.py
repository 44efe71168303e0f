"""Subscription keys as operators see them; the key itself is shown once."""

from datetime import datetime
from typing import Annotated, Final
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.administration.names import LONGEST_NAME
from meetdeck.platform.values import SingleLine

KIND: Final = "keys"
"""The kind of these resources in the audit log."""


class Key(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A subscription key; `ending` are its last characters, `last_used_at` is right to the hour."""

    key_id: UUID
    tenant_id: UUID
    tenant: str
    name: str
    ending: str
    status: str
    """`live` or `revoked`."""
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


class SubscriptionKey(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A subscription key as its own firm sees it; nobody can read the key itself again."""

    id: UUID
    """The key's id, which is no secret."""
    name: str
    """The use it is for; two keys of a name can be live at a time."""
    ending: str
    """Its last four characters, by which it is recognized."""
    status: str
    """`live` or `revoked`."""
    created_at: datetime
    """When it was made."""
    last_used_at: datetime | None
    """When it was last used, right to the hour; null when never."""
    revoked_at: datetime | None
    """When it was revoked; null while it is live."""


class NewSubscriptionKey(SubscriptionKey, frozen=True, rename="camel", kw_only=True):
    """A subscription key that was just made, with the key itself, which nobody can read again."""

    subscription_key: str
    """The key, to be sent as `Ocp-Apim-Subscription-Key`; it is answered this once."""


class CreateSubscriptionKey(msgspec.Struct, frozen=True):
    """POST /administration/keys."""

    name: Annotated[str, SingleLine(1, LONGEST_NAME), Meta(examples=["CRM"])]
    """The use it is for; two keys of a name can be live at a time."""


class NewKey(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A key that was just made: nobody can read it again."""

    key_id: UUID
    name: str
    subscription_key: str
