"""Customer types: the resource and its body."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.booking.ids import NewId
from meetdeck.booking.texts import Name, Text


class CustomerType(msgspec.Struct, frozen=True, rename="camel"):
    """A kind of customer; lists are in `order`."""

    id: UUID
    """The customer type's id; it never changes."""
    name: str
    """The name, as customers see it."""
    description: str
    """A description of these customers, in your own words."""
    order: int
    """Its position in lists: lower ones come first."""


class SaveCustomerType(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """POST and PUT /config/customer-types."""

    id: NewId | None = None
    name: Name
    """The name, as customers see it."""
    description: Text = ""
    """A description of these customers, in your own words."""
    order: Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)] = 0
    """Its position in lists: lower ones come first."""
