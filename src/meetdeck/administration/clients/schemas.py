"""Clients of the built-in token issuer as operators see them; the secret is shown once."""

from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

KIND: Final = "clients"
"""The kind of these resources in the audit log."""


class Client(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A client, and the roles that its tokens carry."""

    client_id: str
    tenant_id: UUID
    tenant: str
    name: str
    roles: list[str]
    created_at: datetime


class NewClient(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A client that was just made: nobody can read its secret again."""

    client_id: str
    client_secret: str
