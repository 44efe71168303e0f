"""Users of the built-in token issuer as operators see them."""

from typing import Final
from uuid import UUID

import msgspec

KIND: Final = "users"
"""The kind of these resources in the audit log."""


class UserContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A user to add, and the roles in their tokens."""

    name: str
    email: str
    roles: list[str]


class NewUser(UserContent, frozen=True, rename="camel", kw_only=True):
    """A new user, who signs in by choosing their name."""

    user_id: UUID
    tenant_id: UUID
