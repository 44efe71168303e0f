"""The processor time of an answer's parts: the application's own functions, each measured alone."""

from datetime import timedelta
from typing import Final, NamedTuple
from uuid import UUID

from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service import candidates
from meetdeck.booking.scheduling.search.service.reading import read_search_input
from meetdeck.booking.scheduling.search.service.searching import SearchInput, find_slots
from meetdeck.booking.scheduling.search.service.terms import read_memberships
from meetdeck.booking.slots.search import find_calendar_span
from meetdeck.platform.database import Database
from meetdeck.platform.values import Duration
from slot_peers.firm import NOW
from slot_peers.floor import count_bytes
from slot_peers.processor import Processor

MOMENT: Final = NOW + timedelta(seconds=1)
"""A moment at which as much is free as when the application is asked, whose clock begins at `NOW`."""


class Parts(NamedTuple):
    """Processor seconds of each part, the floor's first; `reads` is what else is read."""

    load: float
    search: float
    encode: float
    candidates: float
    reads: float
    transaction: float


def make_params(days: int) -> AvailableQuery:
    """Return what `answer.make_query` asks, as a handler gets it."""
    return AvailableQuery(require_employee_participation=False, look_forward_time=Duration(days=days))


async def read_input(database: Database, tenant_id: UUID, days: int) -> SearchInput:
    """Read all that a search needs."""
    async with database.transaction(tenant_id) as connection:
        return await read_search_input(connection, make_params(days), MOMENT)


async def measure_parts(database: Database, processor: Processor, tenant_id: UUID, days: int) -> Parts:
    """Do once what an answer does, part by part."""
    params, clock = make_params(days), processor.get_seconds
    begun = clock()
    async with database.transaction(tenant_id):
        pass
    transaction = clock() - begun
    async with database.transaction(tenant_id) as connection:
        begun = clock()
        found = await read_search_input(connection, params, MOMENT)
        read = clock()
        rules = await get_rules(connection)
        ready = clock()
        memberships = await read_memberships(connection, params, found.query.meeting_types, None)
        advisors = candidates.make_candidates(
            await candidates.list_advisors(connection, params), params, rules, memberships
        )
        listed = clock()
        await candidates.load_calendars(
            connection, params, *find_calendar_span(found.query, found.organization, advisors), MOMENT
        )
        loaded = clock()
    slots = find_slots(found)
    searched = clock()
    count_bytes(slots)
    encoded = clock()
    return Parts(
        load=loaded - listed,
        search=searched - loaded,
        encode=encoded - searched,
        candidates=listed - ready,
        reads=(read - begun) - (loaded - ready),
        transaction=transaction,
    )
