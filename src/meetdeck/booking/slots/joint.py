"""Joint meetings: finds slots at which groups have free people for an advisor's meeting (docs/booking.md).

A person of a group must be free as any advisor, on the terms of the group; the room is found for the advisor. All who
meet physically do so at one place. So a search has a layer for each meeting type, and for physical meetings one for
each place of the advisors.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from meetdeck.booking.slots.allowed_starts import KnownTypes, Terms, check_terms, list_terms
from meetdeck.booking.slots.calendar import ZoneClock
from meetdeck.booking.slots.columns import keep_common
from meetdeck.booking.slots.matching import Counts, count_people, find_slack, find_tight, is_enough
from meetdeck.booking.slots.model import (
    NO_SPANS,
    Calendars,
    Candidate,
    MeetingType,
    Organization,
    Query,
    to_bits,
    to_place,
)
from meetdeck.booking.slots.occupancy import find_positions
from meetdeck.booking.slots.offers import find_offers, find_wanted_types
from meetdeck.booking.slots.rooms import FreeRooms
from meetdeck.booking.slots.rules import find_open
from meetdeck.booking.slots.start_grid import Axis
from meetdeck.booking.slots.timestamps import Codes, Flags, Indexes, Instants, to_length
from meetdeck.booking.slots.timetable import Timetable, lay_out


class Team:
    """The people of the groups in a query, and the starts at which they are free."""

    def __init__(
        self, query: Query, organization: Organization, calendars: Calendars, starts: Axis, known: KnownTypes
    ) -> None:
        self.starts, self.calendars, self.organization, self._known = starts, calendars, organization, known
        self.needed = [also.count for also in query.also]
        groups = [also.people for also in query.also]
        if query.require_all and query.named:
            groups = [tuple(each for each in some if each.employee_id not in query.named) for some in groups]
        bounds = np.cumsum([0, *map(len, groups)]).tolist()
        self.groups = [slice(*bound) for bound in pairwise(bounds)]
        """The rows of each group; nobody is in one twice."""
        self.candidates = [each for some in groups for each in some]
        keys = [each.resource_key for each in self.candidates]
        self.resource_keys = list(dict.fromkeys(keys))
        """The resource key of each person."""
        ids = {each.resource_key: each.employee_id for each in self.candidates}
        self.people = tuple(ids[key] for key in self.resource_keys)
        self.owners: Indexes = self.find_people(np.array(keys, dtype=np.int64))
        """The number of the person of each row."""
        self._query = replace(
            query, also=(), require_room=False, room_ids=None, room_required_locations=frozenset[str]()
        )
        self.duration = to_length(query.duration)

    @property
    def places(self) -> frozenset[str]:
        """Return the places of the people's hours."""
        return frozenset(self._timetable.places if self.candidates else ())

    def find_people(self, resource_keys: Instants) -> Indexes:
        """Return the index of the person with each key, -1 for other keys."""
        if not self.resource_keys:
            return np.full(len(resource_keys), -1, dtype=np.intp)
        return find_positions(np.array(self.resource_keys, dtype=np.int64), resource_keys)

    def find_masks(self, meeting_types: Sequence[MeetingType], place: str | None) -> Iterator[tuple[int, Codes]]:
        """Yield the groups that each person is free for, as bits, at each start; shape (people, starts).

        Before it, the bits of the meeting types for which that holds. Physical meetings are at the place.
        """
        if not self.candidates:
            yield to_bits(meeting_types), np.empty((0, len(self.starts)), dtype=np.uint8)
            return
        codes = self._find_codes(meeting_types, place)
        for alike in _find_alike(codes, meeting_types):
            free = codes & np.uint8(alike[0].bit) != 0
            masks = np.zeros((len(self.people), len(self.starts)), dtype=np.uint8)
            for group, rows in enumerate(self.groups):
                masks[self.owners[rows]] |= free[rows] * np.uint8(1 << group)
            yield to_bits(alike), masks

    def _find_codes(self, meeting_types: Sequence[MeetingType], place: str | None) -> Codes:
        """Return the types that each row of a group offers at each start, physically at the place."""
        query = replace(self._query, meeting_types=frozenset(meeting_types), meeting_location=place)
        rooms = FreeRooms(query, (), NO_SPANS, self.starts, self.duration)
        timetable = self._timetable
        offers = find_offers(timetable, query, self.organization, self.starts, self.duration, rooms)
        codes: Codes = offers[timetable.plan_of] & timetable.types_of[:, np.newaxis] & self._allowed
        return codes

    @cached_property
    def _timetable(self) -> Timetable:
        instants = self.starts.instants
        begin, end = int(instants[0]), int(instants[-1]) + self.duration
        return lay_out(self.candidates, begin, end, self.calendars.extra_open)

    @cached_property
    def _allowed(self) -> Codes:
        """The types in which each row's own calendar, limit and response time leave each start."""
        terms = list_terms(self._query, self.organization, self.candidates)
        rows = terms.find_in(self._known.terms)
        allowed = self._known.codes[rows]
        left = np.flatnonzero(rows < 0)
        if len(left):
            allowed[left] = self._check(terms.take(left))
        timetable = self._timetable
        if self._query.customer_initiated and timetable.extra_from == len(timetable.begins):
            allowed *= self._find_open()  # an advisor's extra hours may have let starts in that opening hours exclude
        return allowed

    def _check(self, terms: Terms) -> Codes:
        """Return what `_allowed` returns for rows on some terms; a person on the same ones is checked once."""
        same = terms.find_in(terms)
        distinct, row_of = np.unique(np.where(same < 0, np.arange(len(same)), same), return_inverse=True)
        found = np.empty((len(distinct), len(self.starts)), dtype=np.uint8)
        checked = check_terms(
            terms.take(distinct), self.organization, self.calendars, self.starts, self._query.duration
        )
        for each in checked:
            found[each.batch] = each.find_types()
        return found[row_of]

    def _find_open(self) -> Flags:
        instants = self.starts.instants
        begin, end = int(instants[0]), int(instants[-1]) + self.duration
        clock = ZoneClock(self.organization.zone, begin, end)
        opening = find_open(self.organization, clock, clock.days(begin, end))
        return opening.find_covered(instants, instants + self.duration)


def _find_alike(codes: Codes, meeting_types: Sequence[MeetingType]) -> list[list[MeetingType]]:
    """Return the types in groups of equal codes."""
    found: list[list[MeetingType]] = []
    for each in meeting_types:
        is_there = codes & np.uint8(each.bit) != 0
        alike = next((some for some in found if np.array_equal(codes & np.uint8(some[0].bit) != 0, is_there)), None)
        if alike is None:
            found.append([each])
        else:
            alike.append(each)
    return found


class Supply:
    """The groups that each person is free for at each start, in one or more layers with the same answer."""

    def __init__(self, masks: Codes, needed: Sequence[int]) -> None:
        self.masks = masks
        self.counts = count_people(masks, len(needed))
        self._slack = find_slack(self.counts, needed)
        self._has_enough, self._tight = is_enough(self._slack), find_tight(self._slack)

    def keep_possible(self, slots: Codes, people: Indexes) -> None:
        """Keep the slots of advisors with enough others in the groups; an advisor is one of the people or none (-1)."""
        slots[~self._has_enough] = 0
        columns, tight = np.flatnonzero(people >= 0), np.flatnonzero(self._tight)
        cells = np.ix_(tight, columns)
        slots[cells] *= (self.masks[np.ix_(people[columns], tight)] & self._tight[tight] == 0).T

    def find_short(self, start: int, person: int) -> int:
        """Return the smallest set of groups, by its bits, that have too few people beside an advisor; 0: they have."""
        sets: Counts = np.arange(self._slack.shape[1], dtype=np.int64)
        mask = int(self.masks[person, start]) if person >= 0 else 0
        short: Indexes = np.flatnonzero(self._slack[start] - (sets & mask != 0) < 0)
        return min(short.tolist(), key=int.bit_count, default=0)


class Layer(NamedTuple):
    """Meeting types, for physical meetings at one place, their people, and the starts that advisors offer."""

    bits: int
    place: str | None
    supply: Supply
    asked: Flags


@dataclass(frozen=True, slots=True)
class Advisors:
    """The advisors of a search, with their slots (starts, columns) before groups are considered."""

    searched: Sequence[Candidate]
    timetable: Timetable
    rooms: FreeRooms
    slots: Codes


@dataclass(frozen=True, slots=True)
class Joint:
    """The layers of a joint search; column j is `people[j]` of the team or nobody (-1).

    `physical[i, j]` is the layer in which column j meets physically at the i-th start; None: there is only one.
    """

    query: Query
    team: Team
    layers: Sequence[Layer]
    people: Indexes
    physical: Indexes | None

    def list_short(self, starts_at: int, meeting_type: MeetingType) -> list[str]:
        """Return the names of groups that have too few people at a start, in a search for a single meeting."""
        start = int(np.searchsorted(self.team.starts.instants, starts_at))
        person = int(self.people[0])
        offering = [each for each in self.layers if each.bits & meeting_type.bit and each.asked[start]]
        short = [each.supply.find_short(start, person) for each in offering]
        groups = max(short, default=0)
        return [group.name for place, group in enumerate(self.query.also) if groups >> place & 1]


def keep_joint(query: Query, organization: Organization, advisors: Advisors, team: Team) -> Joint:
    """Keep the slots for which the groups have different people besides the advisor, and return the layers."""
    people = team.find_people(np.array([each.resource_key for each in advisors.searched], dtype=np.int64))
    found = _list_supplies(query, advisors, team)
    places = sum(place is not None for _, place, _ in found)
    kept = np.zeros_like(advisors.slots)
    physical: Indexes | None = np.full(kept.shape, -1, dtype=np.intp) if places > 1 else None
    layers: list[Layer] = []
    for bits, place, supply in found:
        slots = _find_slots(query, organization, advisors, team, bits, place if places > 1 else None)
        if query.require_all and query.named:
            keep_common(slots, advisors.searched)
        asked: Flags = np.bitwise_or.reduce(slots, axis=1) != 0
        supply.keep_possible(slots, people)
        if physical is not None and place is not None:
            physical[(slots & ~kept) != 0] = len(layers)
        kept |= slots
        layers.append(Layer(bits, place, supply, asked))
    advisors.slots[:] = kept
    return Joint(query, team, layers, people, physical)


def _list_supplies(query: Query, advisors: Advisors, team: Team) -> list[tuple[int, str | None, Supply]]:
    """Return the layers' meeting types, places and people; other types than physical ones are at no place.

    A type in which no advisor has slots has no layer. With a single place, types that do not differ in their people are
    one layer.
    """
    offered = int(np.bitwise_or.reduce(advisors.slots, axis=None))
    wanted = [each for each in find_wanted_types(query) if each.bit & offered]
    places = advisors.timetable.places if query.meeting_location is None else (to_place(query.meeting_location),)
    asked: list[tuple[Sequence[MeetingType], str | None]] = [(wanted, None)]
    if MeetingType.PHYSICAL in wanted and (len(places) > 1 or not team.places <= set(places)):
        others = [each for each in wanted if each is not MeetingType.PHYSICAL]
        asked = [(others, None), *(((MeetingType.PHYSICAL,), place) for place in sorted(places))]
    found = [
        (bits, place if len(places) > 1 else None, masks)
        for types, place in asked
        for bits, masks in team.find_masks(types, place)
    ]
    supplies: list[tuple[int, str | None, Supply]] = []
    for bits, place, masks in found:
        same = next((at for at, (_, _, each) in enumerate(supplies) if np.array_equal(each.masks, masks)), None)
        if same is not None and place is None and supplies[same][1] is None:
            supplies[same] = supplies[same][0] | bits, None, supplies[same][2]
        else:
            supplies.append((bits, place, Supply(masks, team.needed) if same is None else supplies[same][2]))
    return supplies


def _find_slots(
    query: Query, organization: Organization, advisors: Advisors, team: Team, bits: int, place: str | None
) -> Codes:
    """Return the advisors' slots in a layer; shape (starts, columns)."""
    timetable = advisors.timetable
    slots: Codes = advisors.slots & np.uint8(bits)
    if place is not None:
        there = replace(query, meeting_types=frozenset({MeetingType.PHYSICAL}), meeting_location=place)
        offers = find_offers(timetable, there, organization, team.starts, team.duration, advisors.rooms)
        slots &= offers[timetable.plan_of].T
    return slots
