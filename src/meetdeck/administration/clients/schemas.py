"""Clients of the built-in token issuer as operators see them; the secret is shown once."""

from datetime import datetime
from typing import Annotated, Final
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.administration.names import LONGEST_NAME
from meetdeck.platform.values import SingleLine

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


class ApiClient(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A client of the built-in token issuer as its own firm sees it."""

    client_id: str
    """The id that it sends for a token."""
    name: str
    """The program that it is for."""
    roles: list[str]
    """The roles that its tokens carry."""
    created_at: datetime
    """When it was made."""


class NewApiClient(ApiClient, frozen=True, rename="camel", kw_only=True):
    """A client that was just made, with its secret, which nobody can read again."""

    client_secret: str
    """The secret that it sends for a token; it is answered this once."""


class CreateApiClient(msgspec.Struct, frozen=True):
    """POST /administration/clients."""

    name: Annotated[str, SingleLine(1, LONGEST_NAME), Meta(examples=["Booking site"])]
    """The program that it is for."""
    roles: list[str] = []
    """The roles that its tokens are to carry, of those that the caller has; none: a caller without a role."""


class NewClient(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A client that was just made: nobody can read its secret again."""

    client_id: str
    client_secret: str
