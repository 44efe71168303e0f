"""SCIM tokens as operators and their firm see them; the token itself is shown once."""

from datetime import datetime
from typing import Annotated, Final
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.administration.names import LONGEST_NAME
from meetdeck.platform.values import SingleLine

KIND: Final = "scim-tokens"
"""The kind of these resources in the audit log."""


class Token(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A SCIM token; `ending` are its last characters, `last_used_at` is accurate to the hour."""

    token_id: UUID
    tenant_id: UUID
    tenant: str
    name: str
    ending: str
    status: str
    """`live` or `revoked`."""
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


class ScimToken(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A SCIM token as its own firm sees it; the token itself cannot be read again."""

    id: UUID
    """The token's id, which is not secret."""
    name: str
    """Its purpose."""
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


class NewScimToken(ScimToken, frozen=True, rename="camel", kw_only=True):
    """A new SCIM token with the token itself, which cannot be read again."""

    token: str
    """The token, to be sent as `Authorization: Bearer …` to `/scim/v2`; shown only once."""


class CreateScimToken(msgspec.Struct, frozen=True):
    """POST /administration/scim-tokens."""

    name: Annotated[str, SingleLine(1, LONGEST_NAME), Meta(examples=["Entra"])]
    """Its purpose; at most two tokens with one name are live."""


class NewToken(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A new token: it cannot be read again."""

    token_id: UUID
    name: str
    token: str
