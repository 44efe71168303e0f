"""The advisors whom the search offers for one slot, the least booked first; read before it is taken."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from msgspec.structs import replace

from meetdeck.booking.scheduling.errors import TimeSlotTaken
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service import candidates
from meetdeck.booking.scheduling.search.service.reading import read_search_input
from meetdeck.booking.scheduling.search.service.searching import SearchInput
from meetdeck.booking.slots.search import find_calendar_span, rank_by_load, search
from meetdeck.booking.slots.teams import find_companies
from meetdeck.platform.database import Connection
from meetdeck.platform.values import Duration, Moment

_MINUTE = timedelta(minutes=1)


class CountedTime(NamedTuple):
    """A time of an employee that counts as booked, though it is not."""

    employee_id: UUID
    starts_at: datetime
    ends_at: datetime


class Offers(msgspec.Struct, frozen=True):
    """A search for one slot; `employee_ids` are those offered, the least booked on its day first."""

    params: AvailableQuery
    search_input: SearchInput
    now: datetime
    employee_ids: Sequence[UUID]
    companies: Mapping[UUID, Sequence[UUID]]
    """The people who come along to each advisor of a joint search."""

    async def require_offered(self, connection: Connection, employee_id: UUID) -> None:
        """Raise TimeSlotTaken when the advisor, who is locked now with the company, is no longer offered.

        Others may have taken time near the slot or filled the day before the lock.
        """
        found = self.search_input
        mine = [each for each in found.candidates if each.employee_id == employee_id]
        query = found.query.with_people(self.companies.get(employee_id, ()))
        span = find_calendar_span(query, found.organization, mine)
        calendars = await candidates.load_calendars(connection, self.params, *span, self.now)
        if not len(search(query, found.organization, mine, found.rooms, calendars)):
            raise TimeSlotTaken("The advisor is not offered then any more.")

    def prefer(self, people: Collection[UUID]) -> "Offers":
        """Return the offers with some people in the place of others of their groups, as far as everybody is offered."""
        found = self.search_input
        for place, group in enumerate(found.query.also):
            known = tuple(one for one in group.people if one.employee_id in people)
            also = (*found.query.also[:place], replace(group, people=known), *found.query.also[place + 1 :])
            narrowed = replace(found, query=replace(found.query, also=also))
            if len(known) >= group.count and {*self.employee_ids} <= {*_find_companies(narrowed)}:
                found = narrowed
        return replace(self, search_input=found, companies=_find_companies(found))


def _find_companies(found: SearchInput) -> dict[UUID, Sequence[UUID]]:
    """Return the people who come along to each advisor of a joint search; none of any other."""
    if not found.query.also:
        return {}
    joint = find_companies(found.query, found.organization, found.candidates, found.rooms, found.calendars)
    return {employee_id: company.people for employee_id, company in joint.items()}


def describe_slot(starts_at: datetime, ends_at: datetime) -> dict[str, Any]:
    """Return the members of a search's query for one slot; a part of a minute counts as a whole one."""
    minutes = -((starts_at - ends_at) // _MINUTE)
    return {
        "start_date": Moment.fromtimestamp(starts_at.timestamp(), starts_at.tzinfo),
        "look_forward_time": Duration(minutes=minutes),
        "meeting_duration": str(minutes),
    }


def count_as_booked(found: SearchInput, promised: Sequence[CountedTime]) -> SearchInput:
    """Return a search in which some times of its people count as booked."""
    keys = {each.employee_id: each.resource_key for each in (*found.candidates, *found.query.people)}
    booked = [(keys[one.employee_id], one.starts_at, one.ends_at) for one in promised if one.employee_id in keys]
    return replace(found, calendars=found.calendars.with_booked(booked))


async def find_offers(  # noqa: PLR0913 - whom it leaves out, and what counts as booked
    connection: Connection,
    params: AvailableQuery,
    now: datetime,
    *,
    among: Sequence[UUID] | None = None,
    without: Collection[UUID] = (),
    promised: Sequence[CountedTime] = (),
    company: Collection[UUID] | None = None,
) -> Offers:
    """Search for one slot among some employees (None: all) except those in `without`; `promised` times count as booked.

    Of a joint search's people, only those of `company` come along; None: anybody. Raises NotFound.
    """
    found = await read_search_input(connection, params, now, among=among, whole_days=True)
    searched = [each for each in found.candidates if each.employee_id not in without]
    found = count_as_booked(replace(found, candidates=searched), promised)
    if company is not None:
        found = replace(found, query=found.query.with_people(company))
    ranked = rank_by_load(found.query, found.organization, found.candidates, found.rooms, found.calendars)
    return Offers(params, found, now, ranked, _find_companies(found))
