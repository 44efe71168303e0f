"""The check that the references of a reservation or a meeting exist, and that employees and rooms can be booked.

The rules: docs/api/index.md#references, docs/api/meetings.md#bookable-times.
"""

from collections.abc import Sequence

from meetdeck.booking.references import Reference, require_existing
from meetdeck.booking.scheduling.errors import NotBookable
from meetdeck.platform.database import Connection
from meetdeck.platform.phrases import phrase


async def require_bookable(connection: Connection, references: Sequence[Reference]) -> None:
    """Raise ReferenceNotFound, naming all missing ones, or NotBookable, naming the closed employees and rooms."""
    closed = [one.closed for one in await require_existing(connection, references) if one.closed is not None]
    if closed:
        raise NotBookable(phrase("Not open for booking: {closed}.", closed=", ".join(closed)))
