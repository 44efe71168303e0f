"""The advisors whom the search offers for one slot, the least booked first; read before it is taken."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from msgspec.structs import replace

from meetdeck.booking.scheduling.errors import TimeSlotTaken
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service import candidates
from meetdeck.booking.scheduling.search.service.reading import read_search_input
from meetdeck.booking.scheduling.search.service.recalling import have_times_changed, read_moment
from meetdeck.booking.scheduling.search.service.searching import SearchInput
from meetdeck.booking.slots.model import AlsoGroup
from meetdeck.booking.slots.search import find_calendar_span, rank_by_load, search
from meetdeck.booking.slots.teams import find_companies
from meetdeck.platform.database import Connection
from meetdeck.platform.values import Duration, Moment

_MINUTE = timedelta(minutes=1)


class TakenMeanwhile(TimeSlotTaken):
    """Somebody else took the time of one of the people between the search and the lock."""


class CountedTime(NamedTuple):
    """A time of an employee that counts as booked, although it is not."""

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
    since: str
    """When the times were read, as `have_times_changed` needs it."""

    async def require_offered(self, connection: Connection, employee_id: UUID) -> None:
        """Raise TakenMeanwhile if the search no longer offers the advisor, who is locked with the companions.

        Others may have taken time near the slot or filled the day before the lock.
        """
        found = self.search_input
        mine = [each for each in found.candidates if each.employee_id == employee_id]
        query = found.query.with_people(self.companies.get(employee_id, ()))
        keys = [each.resource_key for each in (*mine, *query.people, *found.rooms)]
        if not await have_times_changed(connection, keys, self.since):
            return
        span = find_calendar_span(query, found.organization, mine)
        calendars = await candidates.load_calendars(connection, self.params, *span, self.now)
        if not len(search(query, found.organization, mine, found.rooms, calendars)):
            raise TakenMeanwhile("The advisor is no longer available at that time.")

    def bring(self, named: Sequence[UUID], present: Collection[UUID] = ()) -> "Offers":
        """Return the offers with named people in their groups, and in the other groups the present people if possible.

        Raises TimeSlotTaken if named people are not offered for their groups.
        """
        found = split_groups(self.search_input)
        places = range(len(found.query.also))
        kept = keep_people(bring_named(found, named, places), [present] * len(places))
        companies = find_all_companies(kept)
        employee_ids = [one for one in self.employee_ids if one in companies]
        return replace(self, search_input=kept, employee_ids=employee_ids, companies=companies)


def split_groups(found: SearchInput) -> SearchInput:
    """Return a joint search with one group for each person who is needed."""
    single = [AlsoGroup(each.name, 1, each.people) for each in found.query.also for _ in range(each.count)]
    return replace(found, query=replace(found.query, also=tuple(single)))


def keep_people(found: SearchInput, preferred: Sequence[Collection[UUID]]) -> SearchInput:
    """Return the search with only the preferred people in each group with whom somebody is still offered."""
    for place, people in enumerate(preferred):
        found = _keep(found, place, people) or found
    return found


def bring_named(found: SearchInput, named: Collection[UUID], places: Iterable[int]) -> SearchInput:
    """Return the search with only named people in as many of some groups as possible.

    Raises TimeSlotTaken if a group has a named person who cannot come along for any, but somebody else would.
    """
    open_places: list[int] = []
    for place in places:
        kept = _keep(found, place, named)
        if kept is None:
            open_places.append(place)
        else:
            found = kept
    if not any(_list_ids(found, place) & {*named} for place in open_places):
        return found
    unused = {*named} - {one for people in find_all_companies(found).values() for one in people}
    if any(_list_ids(found, place) & unused for place in open_places):
        raise TimeSlotTaken(
            "An additional employee is booked at that time, or not offered for a service group of the meeting. "
            "Choose another time, or leave the employee out to let the search choose."
        )
    return found


def _keep(found: SearchInput, place: int, people: Collection[UUID]) -> SearchInput | None:
    """Return the search with only some people in one group, if somebody is offered with them."""
    also = list(found.query.also)
    also[place] = replace(also[place], people=tuple(one for one in also[place].people if one.employee_id in people))
    kept = replace(found, query=replace(found.query, also=tuple(also)))
    return kept if also[place].people and is_offered(kept) else None


def _list_ids(found: SearchInput, place: int) -> set[UUID]:
    return {one.employee_id for one in found.query.also[place].people}


def is_offered(found: SearchInput) -> bool:
    """Return whether a search offers anybody."""
    return bool(len(search(found.query, found.organization, found.candidates, found.rooms, found.calendars)))


def find_all_companies(found: SearchInput) -> dict[UUID, Sequence[UUID]]:
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
    if not promised:
        return found
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
    since = await read_moment(connection)
    found = await read_search_input(connection, params, now, among=among, whole_days=True)
    searched = [each for each in found.candidates if each.employee_id not in without]
    found = count_as_booked(replace(found, candidates=searched), promised)
    if company is not None:
        found = replace(found, query=found.query.with_people(company))
    ranked = rank_by_load(found.query, found.organization, found.candidates, found.rooms, found.calendars)
    return Offers(params, found, now, ranked, find_all_companies(found), since)
