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
    """A subscription key; `ending` are its last characters, `last_used_at` is accurate to the hour."""

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
    """A subscription key as its own firm sees it; the key itself cannot be read again."""

    id: UUID
    """The key's id, which is not secret."""
    name: str
    """Its purpose; at most two keys with one name are live."""
    ending: str
    """Its last four characters, to recognize it."""
    status: str
    """`live` or `revoked`."""
    created_at: datetime
    """When it was created."""
    last_used_at: datetime | None
    """When it was last used, accurate to the hour; null: never."""
    revoked_at: datetime | None
    """When it was revoked; null while it is live."""


class NewSubscriptionKey(SubscriptionKey, frozen=True, rename="camel", kw_only=True):
    """A new subscription key with the key itself, which cannot be read again."""

    subscription_key: str
    """The key, to be sent as `Ocp-Apim-Subscription-Key`; shown only once."""


class CreateSubscriptionKey(msgspec.Struct, frozen=True):
    """POST /administration/keys."""

    name: Annotated[str, SingleLine(1, LONGEST_NAME), Meta(examples=["CRM"])]
    """Its purpose; at most two keys with one name are live."""


class NewKey(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A new key: it cannot be read again."""

    key_id: UUID
    name: str
    subscription_key: str
