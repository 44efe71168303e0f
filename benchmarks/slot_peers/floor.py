"""The least work of any answer: loading the busy rows in binary, the pure search, and its JSON."""

from time import perf_counter
from uuid import UUID

from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service import candidates
from meetdeck.booking.scheduling.search.service.searching import SearchInput
from meetdeck.booking.slots.encode import encode
from meetdeck.booking.slots.model import Slots
from meetdeck.booking.slots.search import find_calendar_span, search
from meetdeck.platform.database import Database
from slot_peers.processor import Processor, Taken


async def measure_floor(
    database: Database, processor: Processor, tenant_id: UUID, params: AvailableQuery, found: SearchInput
) -> tuple[Taken, int]:
    """Return the time to load, search and encode once, and the bytes that are found.

    The transaction has begun before, and the candidates are given.
    """
    query, organization, advisors = found.query, found.organization, found.candidates
    span = find_calendar_span(query, organization, advisors)
    async with database.transaction(tenant_id) as connection:
        begun, used = perf_counter(), processor.get_seconds()
        calendars = await candidates.load_calendars(connection, params, *span, query.now)
        size = count_bytes(search(query, organization, advisors, found.rooms, calendars))
        return Taken(perf_counter() - begun, processor.get_seconds() - used), size


def count_bytes(slots: Slots) -> int:
    """Encode and drop each piece, as a server does."""
    return sum(len(piece) for piece in encode(slots))
