"""Where the time of an answer goes: the application's own functions, each by itself."""

from time import perf_counter
from typing import NamedTuple
from uuid import UUID

from meetdeck.booking.scheduling import candidates
from meetdeck.booking.scheduling.requests.time_slots import AvailableQuery
from meetdeck.booking.scheduling.service.availability import SearchInput, find_slots, read_search_input
from meetdeck.booking.scheduling.store.rules import get_rules
from meetdeck.booking.slots.search import find_busy_span
from meetdeck.platform.db import Database
from meetdeck.platform.durations import Duration
from slot_peers.firm import NOW
from slot_peers.floor import count_bytes


class Parts(NamedTuple):
    """Seconds of each part; `reading` is everything that is read, `candidates` and `busy` included."""

    transaction: float
    reading: float
    candidates: float
    busy: float
    search: float
    encode: float


def make_asked(days: int) -> AvailableQuery:
    """Return what `answer.make_query` asks, as a handler gets it."""
    return AvailableQuery(require_employee_participation=False, look_forward_time=Duration(days=days))


async def read_input(database: Database, tenant_id: UUID, days: int) -> SearchInput:
    """Read all that a search needs."""
    async with database.transaction(tenant_id) as connection:
        return await read_search_input(connection, make_asked(days), NOW)


async def measure_parts(database: Database, tenant_id: UUID, days: int) -> Parts:
    """Do once what an answer does, part by part."""
    asked = make_asked(days)
    begun = perf_counter()
    async with database.transaction(tenant_id):
        pass
    transaction = perf_counter() - begun
    async with database.transaction(tenant_id) as connection:
        begun = perf_counter()
        found = await read_search_input(connection, asked, NOW)
        read = perf_counter()
        rules = await get_rules(connection)
        ready = perf_counter()
        advisors = await candidates.list_candidates(connection, asked, rules, found.query.meeting_types)
        listed = perf_counter()
        span = find_busy_span(found.query, found.organization, advisors)
        await candidates.load_busy(connection, asked, *span, NOW)
        loaded = perf_counter()
    slots = find_slots(found)
    searched = perf_counter()
    count_bytes(slots)
    return Parts(
        transaction, read - begun, listed - ready, loaded - listed, searched - loaded, perf_counter() - searched
    )
