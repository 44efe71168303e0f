"""The searches that the forecast counts: each topic's at each location and without one (docs/reports.md#forecast)."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from asyncpg import Record
from msgspec.structs import replace

from meetdeck.booking.scheduling.rules import OrganizationRules
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service.candidates import list_physical_locations, make_candidates
from meetdeck.booking.scheduling.search.service.searching import SearchInput
from meetdeck.booking.scheduling.search.service.terms import Memberships
from meetdeck.booking.slots.model import Candidate, MeetingType, Query, to_place
from meetdeck.booking.slots.offers import find_wanted_types
from meetdeck.platform.values import Duration

_PATH: Final = "/api/v3/booking/time-slots/available"
_PHYSICAL: Final = frozenset({MeetingType.PHYSICAL})
_NOTHING: Final = frozenset[MeetingType]()
_SECOND: Final = timedelta(seconds=1)
_Routed = dict[UUID, list[Candidate]]


class PlaceSearch(NamedTuple):
    """A topic's search at a location, empty for advisors without one; None: for meetings that are not physical."""

    location: str | None
    query: Query
    candidates: Sequence[Candidate]
    """The advisors offered there. Those excluded by triggers and levels have no meeting type."""
    advisors: int
    """The number of advisors offered there."""


def list_place_searches(found: SearchInput, asked: AvailableQuery, rules: OrganizationRules) -> Iterator[PlaceSearch]:
    """Yield the search without a location, then those at the locations where advisors work, by name.

    Service groups offer advisors at each location as they do in a search there.
    """
    wanted = frozenset(find_wanted_types(found.query))
    if found.candidates and wanted - _PHYSICAL:
        query = replace(found.query, meeting_types=wanted - _PHYSICAL)
        yield PlaceSearch(None, query, found.candidates, _count(found.candidates))
    if not wanted >= _PHYSICAL:
        return
    router = _Router(found, asked, rules)
    names: dict[str, str] = {}
    working: defaultdict[str, list[Record]] = defaultdict(list)
    for advisor in found.advisors:
        for place, name in {to_place(each): each.strip() for each in list_physical_locations(advisor)}.items():
            names.setdefault(place, name)
            working[place].append(advisor)
    for place, name in sorted(names.items()):
        offered, kept_back = router.route(name, working[place])
        if offered or kept_back:
            query = replace(found.query, meeting_types=_PHYSICAL, meeting_location=name)
            yield PlaceSearch(name, query, [*offered, *kept_back], _count(offered))


class _Router:
    """Offers advisors at locations; those at which the same triggers fit are evaluated once."""

    def __init__(self, found: SearchInput, asked: AvailableQuery, rules: OrganizationRules) -> None:
        self._memberships = found.memberships
        self._asked = asked
        self._rules = rules
        self._anywhere: _Routed = {}
        for each in found.candidates:
            self._anywhere.setdefault(each.employee_id, []).append(each)
        self._known: dict[tuple[bool, ...], _Routed] = {}

    def route(self, location: str, advisors: Sequence[Record]) -> tuple[list[Candidate], list[Candidate]]:
        """Return the candidates at a location, and those that only a search without a location would offer."""
        there = self._memberships.at([location] if location else [])
        if there.fitting == self._memberships.fitting:
            return [each for one in advisors for each in self._anywhere.get(one["employee_id"], ())], []
        known = self._known.setdefault(there.fitting, {})
        offered: list[Candidate] = []
        kept_back: list[Candidate] = []
        for advisor in advisors:
            employee_id: UUID = advisor["employee_id"]
            if employee_id not in known:
                known[employee_id] = make_candidates([advisor], self._asked, self._rules, there)
            offered += known[employee_id]
            if not known[employee_id] and employee_id in self._anywhere:
                kept_back.append(_keep_back(self._anywhere[employee_id][0], there))
        return offered, kept_back


def _keep_back(candidate: Candidate, there: Memberships) -> Candidate:
    """Return a copy of a candidate who is excluded: by levels if a trigger fits, else by triggers."""
    if any(group.is_fitting for group in there.list_offering(candidate.employee_id)):
        return replace(candidate, level_types=_NOTHING)
    return replace(candidate, meeting_types=_NOTHING)


def _count(candidates: Sequence[Candidate]) -> int:
    return len({each.employee_id for each in candidates})


def write_search(place: PlaceSearch, asked: AvailableQuery, begin: datetime, end: datetime) -> str:
    """Return the address of the search for the times of a place that begin between two moments, each once."""
    query = place.query
    where = {} if place.location is None else {"meetingLocation": place.location}
    members = {
        "topic": asked.topic,
        "requireEmployeeParticipation": "false",
        "isCustomerInitiated": str(asked.is_customer_initiated).lower(),
        "meetingTypes": ",".join(each.value for each in find_wanted_types(query)),
        **(where if place.location != "" else {"withoutLocation": "true"}),
        "startDate": f"{begin.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "lookForwardTime": Duration.of(end - begin + query.duration - _SECOND),
        "advisorsPerTime": 1,
    }
    return f"{_PATH}?{urlencode(members)}"
