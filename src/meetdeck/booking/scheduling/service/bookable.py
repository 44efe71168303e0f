"""Whether employees and rooms can be booked at all (docs/api.md 49)."""

from collections.abc import Sequence
from uuid import UUID

from meetdeck.booking.scheduling.errors import NotBookable
from meetdeck.booking.scheduling.store import time_slots as store
from meetdeck.platform.db import Connection


async def require_bookable(connection: Connection, ids: Sequence[UUID]) -> None:
    """Raise NotBookable, naming the employees and rooms that cannot be booked."""
    names = await store.list_unbookable(connection, ids)
    if names:
        raise NotBookable(f"Not open for booking: {', '.join(names)}.")
