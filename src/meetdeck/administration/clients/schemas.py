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
    """A client, and the roles in its tokens."""

    client_id: str
    tenant_id: UUID
    tenant: str
    name: str
    roles: list[str]
    created_at: datetime


class ApiClient(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A client of the built-in token issuer as its own firm sees it."""

    client_id: str
    """The id that it sends to get a token."""
    name: str
    """The program that uses it."""
    roles: list[str]
    """The roles in its tokens."""
    created_at: datetime
    """When it was created."""


class NewApiClient(ApiClient, frozen=True, rename="camel", kw_only=True):
    """A new client with its secret, which cannot be read again."""

    client_secret: str
    """The secret that it sends to get a token; shown only once."""


class CreateApiClient(msgspec.Struct, frozen=True):
    """POST /administration/clients."""

    name: Annotated[str, SingleLine(1, LONGEST_NAME), Meta(examples=["Booking site"])]
    """The program that uses it."""
    roles: list[str] = []
    """The roles of its tokens, among those that the caller has; empty: a caller without a role."""


class NewClient(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A new client; its secret cannot be read again."""

    client_id: str
    client_secret: str
