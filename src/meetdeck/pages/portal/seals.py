"""Seals and opens the tickets, holds, persons and slips that forms carry from one page of a portal to the next."""

from datetime import datetime, timedelta
from typing import Final, TypeVar
from uuid import UUID

import msgspec

from meetdeck.pages.portal.schemas import Hold, Person, Ticket, WishTicket
from meetdeck.platform.secrets import SealBroken, Sealer, SealExpired

T = TypeVar("T", Ticket, Hold, Person, WishTicket)

_LIFETIME: Final = timedelta(hours=24)
"""The time for which a page may be open; anything reserved has ended long before."""


class Seals:
    """Seals the values in a page's form, and opens those that the form sends back, for one portal."""

    def __init__(self, sealer: Sealer) -> None:
        self._sealer = sealer

    def seal(self, value: Ticket | Hold | Person | WishTicket, now: datetime) -> str:
        """Return a value as the text of a hidden input."""
        return self._sealer.seal(_name(type(value)), msgspec.msgpack.encode(value), now, _LIFETIME)

    def find(self, kind: type[T], sealed: str, portal_id: UUID, now: datetime) -> T | None:
        """Return the value of a hidden input; None for a missing, too old, changed or another portal's value."""
        try:
            raw = self._sealer.open(_name(kind), sealed, now)
        except (SealBroken, SealExpired):
            return None
        value = msgspec.msgpack.decode(raw, type=kind)
        return value if value.portal_id == portal_id else None


def _name(kind: type) -> str:
    return f"portal {kind.__name__.lower()}"
