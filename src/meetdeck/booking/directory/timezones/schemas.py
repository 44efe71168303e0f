"""Time zones, as callers see them."""

from uuid import UUID

import msgspec


class Timezone(msgspec.Struct, frozen=True, rename="camel"):
    """A time zone; `identifier` is its IANA name."""

    id: UUID
    """The time zone's id, which is the same in every installation."""
    identifier: str
    """The IANA name, such as `Europe/Copenhagen`."""
    display_name: str
    """The name for people, with the standard offset."""
