"""Running a slot search: from its input to the slots, and to the bytes of the answer. No database."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial
from math import inf
from time import perf_counter
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record
from msgspec.structs import replace
from prometheus_client import Histogram

from meetdeck.booking.scheduling.errors import SearchTooLarge
from meetdeck.booking.scheduling.search.schemas import AvailableQuery, Exclusion
from meetdeck.booking.scheduling.search.service.terms import Memberships
from meetdeck.booking.scheduling.search.store import TopicRules
from meetdeck.booking.slots.again import Frame, search_again
from meetdeck.booking.slots.checks import Check, go_on
from meetdeck.booking.slots.encode import Members, encode
from meetdeck.booking.slots.group_meetings import BegunSlot, add_begun, find_joinable, number_begun
from meetdeck.booking.slots.model import NO_TIME, Calendars, Candidate, Organization, Query, Room, Slots
from meetdeck.booking.slots.search import Found, search_all
from meetdeck.booking.slots.teams import Teams
from meetdeck.platform.process.tracing import WorkKind, measure
from meetdeck.platform.values import Version

SEARCH: Final = WorkKind("search")
SECONDS: Final = Histogram(
    "meetdeck_slot_search_seconds",
    "Time of a slot search: to load its input, to compute the slots, to encode them until they are sent.",
    ["phase"],
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
_SLOTS: Final = Histogram(
    "meetdeck_slot_search_slots", "Free slots that a search finds.", buckets=(0, 1, 10, 100, 1e3, 1e4, 1e5, 1e6)
)
_ADVISORS: Final = Histogram(
    "meetdeck_slot_search_advisors", "Advisors that a search considers.", buckets=(0, 1, 3, 10, 30, 100, 300, 1e3, 1e4)
)


class SearchInput(msgspec.Struct, frozen=True):
    """The input of the pure search; the transaction that read it can end."""

    topic: TopicRules | None
    exclusions: list[Exclusion]
    """The reasons why the topic allows no slot for any employee; then there are no candidates."""
    memberships: Memberships
    """The memberships of the employees that the search considers."""
    query: Query
    organization: Organization
    candidates: list[Candidate]
    rooms: list[Room]
    calendars: Calendars
    labelled: frozenset[UUID] | None = None
    """The employees with the requested labels; None without labels."""
    advisors: Sequence[Record] = ()
    """The employees whom service groups may offer, including the candidates."""
    begun: Sequence[BegunSlot] = ()
    """The times about the topic that others share already."""

    @property
    def employee_ids(self) -> Iterator[UUID]:
        """Return the searched employees; an employee who is offered on several terms occurs several times."""
        return (each.employee_id for each in self.candidates)


def find_slots(search_input: SearchInput, check: Check = go_on) -> Slots:
    """Return the free slots; computes without the database. Raises what `check` does."""
    found, _ = _find_all(search_input, check)
    return found.slots


class Known(NamedTuple):
    """The answer to a search before the calendars of some resources `changed`, and nothing else."""

    answer: "Answer"
    changed: frozenset[int]

    @property
    def size(self) -> float:
        """Return the number of its slots and of the starts of all candidates; inf if all may be searched anew."""
        slots, frame = self.answer.slots, self.answer.frame
        return inf if frame is None or frame.common else slots.offers.size + len(slots)

    def search(self, calendars: Calendars) -> Found | None:
        """Return what the search finds now; None: all of it is to be searched."""
        slots, frame = self.answer.slots, self.answer.frame
        again = search_again(slots, frame, self.changed, calendars) if frame is not None else None
        return Found(again, frame=frame) if again is not None else None


def _find_all(search_input: SearchInput, check: Check, known: Known | None = None) -> tuple[Found, Sequence[BegunSlot]]:
    """Return what is found, its slots including shared ones, and the shared slots."""
    found = _search(search_input, check, known)
    query, searched = search_input.query, search_input.candidates
    begun = find_joinable(search_input.begun, query, searched, search_input.calendars)
    slots = add_begun(found.slots, begun, searched, best=query.best)
    return found._replace(slots=slots, frame=None if begun else found.frame), begun


def _search(search_input: SearchInput, check: Check, known: Known | None) -> Found:
    with measure("slot search: compute", SEARCH), SECONDS.labels("compute").time():
        found = known.search(search_input.calendars) if known is not None else None
        found = found or search_all(
            search_input.query,
            search_input.organization,
            search_input.candidates,
            search_input.rooms,
            search_input.calendars,
            check,
        )
    _SLOTS.observe(len(found.slots))
    _ADVISORS.observe(len(search_input.candidates))
    return found


def allow_delay(search_input: SearchInput, delay: timedelta) -> SearchInput:
    """Return the input of a search with shorter notice, lead and response times: as it was that long ago."""

    def shorten(length: timedelta) -> timedelta:
        return max(length - delay, NO_TIME)

    query = replace(
        search_input.query,
        minimum_notice=shorten(search_input.query.minimum_notice),
        working_time_buffer=shorten(search_input.query.working_time_buffer),
        also=tuple(
            replace(group, people=tuple(replace(one, response_time=shorten(one.response_time)) for one in group.people))
            for group in search_input.query.also
        ),
    )
    candidates = [replace(each, response_time=shorten(each.response_time)) for each in search_input.candidates]
    return replace(search_input, query=query, candidates=candidates)


def without_limit_ahead(search_input: SearchInput) -> SearchInput:
    """Return the input of a search without the limit of how far ahead customers book."""
    return replace(search_input, query=replace(search_input.query, max_ahead=None))


class Answer(msgspec.Struct, frozen=True, eq=False):
    """The free slots of a search, with the people who can come along, and the shared times among them."""

    slots: Slots
    teams: Teams | None = None
    begun: Sequence[BegunSlot] = ()
    frame: Frame | None = None
    """The values with which a repeated search begins; None if it needs everything."""

    def write(self) -> Iterator[bytes]:
        """Return the slots as JSON, in pieces that are rendered on demand."""
        seconds = 0.0
        with measure("slot search: encode", SEARCH):
            since = perf_counter()
            pieces = encode(self.slots, self._find_members())
            seconds += perf_counter() - since

        def render() -> Iterator[bytes]:
            nonlocal seconds
            since = perf_counter()
            for piece in pieces:
                seconds += perf_counter() - since
                yield piece
                since = perf_counter()
            SECONDS.labels("encode").observe(seconds)

        return render()

    def _find_members(self) -> Members | None:
        if self.teams is not None:
            return Members(self.teams.render(), self.teams.find)
        return _show_seats(self.slots, self.begun)


def find_answer(
    search_input: SearchInput,
    params: AvailableQuery,
    most: int,
    check: Check = go_on,
    *,
    version: Version,
    known: Known | None = None,
) -> Answer:
    """Return the free slots; with `advisorsPerTime`, at most that many of those that start at once.

    Of what is `known`, only what may have changed is found anew. Raises SearchTooLarge for more than `most` slots, and
    what `check` does.
    """
    if version is Version.V2:  # their reservations have no topic
        search_input = replace(search_input, begun=())
    found, begun = _find_all(search_input, check, known)
    slots, joint, frame = found
    if params.advisors_per_time is not None and not search_input.query.require_all:
        slots, frame = slots.keep_first(params.advisors_per_time), None
    require_answerable(slots, search_input, most)
    teams = Teams(joint, slots) if joint is not None and version is Version.V3 else None
    return Answer(slots, teams, begun, frame)


def _show_seats(slots: Slots, begun: Sequence[BegunSlot]) -> Members | None:
    """Return the `seatsLeft` of slots that others have begun; None without any."""
    if not begun:
        return None
    texts = [b"", *(f'"seatsLeft":{one.seats_left},'.encode() for one in begun)]
    return Members(texts, partial(number_begun, slots, begun))


def require_answerable(slots: Slots, search_input: SearchInput, most: int) -> Slots:
    """Return the slots. Raises SearchTooLarge for more than `most`, with the number of days that would be allowed."""
    count = len(slots)
    if count <= most:
        return slots
    span = search_input.query.ends_at - max(search_input.query.starts_at, search_input.query.now)
    raise SearchTooLarge(count, most, days=int(span * most / count / timedelta(days=1)))
