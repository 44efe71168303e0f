"""What no answer could do without: loading the busy rows in binary, the pure search, and its JSON."""

from time import perf_counter
from typing import NamedTuple
from uuid import UUID

from meetdeck.booking.scheduling import candidates
from meetdeck.booking.scheduling.requests.time_slots import AvailableQuery
from meetdeck.booking.scheduling.service.availability import SearchInput
from meetdeck.booking.slots.encode import encode
from meetdeck.booking.slots.model import Slots
from meetdeck.booking.slots.search import find_busy_span, search
from meetdeck.platform.db import Database
from slot_peers.firm import NOW


class Floor(NamedTuple):
    """Seconds of each part."""

    load: float
    search: float
    encode: float

    @property
    def seconds(self) -> float:
        """How long all take."""
        return sum(self)


async def measure_floor(database: Database, tenant_id: UUID, asked: AvailableQuery, found: SearchInput) -> Floor:
    """Load, search and encode once, in a transaction that has begun, with candidates that are there already."""
    query, organization, advisors = found.query, found.organization, found.candidates
    span = find_busy_span(query, organization, advisors)
    async with database.transaction(tenant_id) as connection:
        begun = perf_counter()
        busy = await candidates.load_busy(connection, asked, *span, NOW)
        loaded = perf_counter()
        slots = search(query, organization, advisors, found.rooms, busy)
        searched = perf_counter()
        count_bytes(slots)
        return Floor(loaded - begun, searched - loaded, perf_counter() - searched)


def count_bytes(slots: Slots) -> int:
    """Encode and drop each piece, as a server does."""
    return sum(len(piece) for piece in encode(slots))
