"""The people who come along to each slot of a joint search: one choice for each, and how many choices there are.

The groups choose in their order: each takes the person with the highest priority, then the least booked day, then by
lot, without whom the groups that still choose have enough. So the people are the same for all advisors of a start,
except for those who are among them.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

import numpy as np

from meetdeck.booking.slots.allowed_starts import list_days
from meetdeck.booking.slots.best import hash_ids, mix
from meetdeck.booking.slots.joint import Joint, Layer, Supply
from meetdeck.booking.slots.matching import Counts, count_people, count_ways, find_slack, find_tight
from meetdeck.booking.slots.model import (
    MEETING_TYPES,
    Calendars,
    Candidate,
    Organization,
    Query,
    Room,
    Slots,
)
from meetdeck.booking.slots.occupancy import batches, split_by_owner
from meetdeck.booking.slots.search import search_jointly
from meetdeck.booking.slots.timestamps import Codes, Flags, Indexes, Instants

_NOBODY = -1
_LAST = np.iinfo(np.int64).max


class Company(NamedTuple):
    """The people who come along to a slot, in the order of the groups, and in how many ways they can be chosen."""

    people: tuple[UUID, ...]
    options: int


def find_companies(
    query: Query,
    organization: Organization,
    candidates: Sequence[Candidate],
    rooms: Sequence[Room],
    calendars: Calendars,
) -> dict[UUID, Company]:
    """Return the company of each employee offered at the first start, in the first type in which they are offered."""
    slots, joint = search_jointly(query, organization, candidates, rooms, calendars)
    if joint is None or not len(slots):
        return {}
    teams = Teams(joint, slots)
    types, columns = slots.list_items()
    start = int(np.flatnonzero(slots.offers.any(axis=1))[0])
    bits = np.array([each.bit for each in MEETING_TYPES], dtype=np.uint8)
    items = np.flatnonzero(slots.offers[start, columns] & bits[types])
    found: dict[UUID, Company] = {}
    numbers: list[int] = teams.find(start)[types[items], columns[items]].tolist()
    offered: list[int] = columns[items].tolist()
    for column, number in zip(offered, numbers, strict=True):
        found.setdefault(slots.employee_ids[column], teams.companies[number])
    return found


class _Special(NamedTuple):
    """Companies of one start and layer that differ from the usual one, by the advisor's column, with their numbers."""

    columns: Indexes
    numbers: Indexes


class Teams:
    """The company of each slot that a joint search found."""

    def __init__(self, joint: Joint, slots: Slots) -> None:
        self._joint, self._offers = joint, slots.offers
        self._order = _Order(joint)
        self.companies: list[Company] = []
        self._usual: Indexes = np.full((len(joint.layers), len(slots.offers)), _NOBODY, dtype=np.intp)
        self._special: dict[tuple[int, int], _Special] = {}
        for number, layer in enumerate(joint.layers):
            self._form(number, layer)

    def render(self) -> list[bytes]:
        """Return the JSON members about each company, each with a comma behind it."""
        names = {each: str(each) for each in self._joint.team.people}
        people = ('","'.join([names[one] for one in each.people]) for each in self.companies)
        return [
            f'"additionalEmployees":["{text}"],"additionalEmployeeOptions":{each.options},'.encode()
            for text, each in zip(people, self.companies, strict=True)
        ]

    def find(self, start: int) -> Indexes:
        """Return the number of the company of each slot of a start, by its type in `MEETING_TYPES` and its column."""
        numbers = np.full((len(MEETING_TYPES), self._offers.shape[1]), _NOBODY, dtype=np.intp)
        for number, layer in enumerate(self._joint.layers):
            of_layer = np.full(numbers.shape[1], self._usual[number, start], dtype=np.intp)
            special = self._special.get((number, start))
            if special is not None:
                of_layer[special.columns] = special.numbers
            own = [place for place, each in enumerate(MEETING_TYPES) if layer.bits & each.bit]
            if layer.place is not None and self._joint.physical is not None:
                here = self._joint.physical[start] == number
                numbers[own, here] = of_layer[here]
            else:
                numbers[own] = of_layer
        return numbers

    def _form(self, number: int, layer: Layer) -> None:
        """Form the companies of a layer."""
        offered = self._offers & np.uint8(layer.bits) != 0
        if layer.place is not None and self._joint.physical is not None:
            offered &= self._joint.physical == number
        starts = np.flatnonzero(offered.any(axis=1))
        if len(starts):
            chosen = self._order.choose(layer.supply, starts)
            self._usual[number, starts] = self._add(chosen, layer.supply.counts[starts])
            self._form_special(number, layer.supply, offered, starts, chosen)

    def _form_special(self, number: int, supply: Supply, offered: Flags, starts: Indexes, chosen: Indexes) -> None:
        """Form the companies of advisors who might come along themselves: fewer choices, and other ones."""
        columns = np.flatnonzero(self._joint.people >= 0)
        people = self._joint.people[columns]
        masks: Codes = supply.masks[people][:, starts].T * offered[np.ix_(starts, columns)]
        numbers = self._form_fewer(supply, masks, starts, chosen)
        for of_place in chosen.T:
            rows, places = np.nonzero((people == of_place[:, np.newaxis]) & (masks != 0))
            if len(rows):
                counts = supply.counts[starts[rows]]
                counts[np.arange(len(rows)), masks[rows, places]] -= 1
                others = self._order.choose(supply, starts[rows], without=people[places])
                numbers[rows, places] = self._add(others, counts)
        for start, is_special, found in zip(starts.tolist(), masks != 0, numbers, strict=True):
            self._special[number, start] = _Special(columns[is_special], found[is_special])

    def _form_fewer(self, supply: Supply, masks: Codes, starts: Indexes, chosen: Indexes) -> Indexes:
        """Return the numbers of companies of the usual people, without the choices that one person of a mask adds.

        Shape (starts, columns).
        """
        sets = supply.counts.shape[1]
        cells: Indexes = masks + sets * np.arange(len(starts))[:, np.newaxis]
        number_of = np.full(len(starts) * sets, _NOBODY, dtype=np.intp)
        number_of[cells] = 0
        number_of[::sets] = _NOBODY  # nobody of a group
        used = np.flatnonzero(number_of != _NOBODY)
        counts = supply.counts[starts[used // sets]]
        counts[np.arange(len(used)), used % sets] -= 1
        if len(used):
            number_of[used] = self._add(chosen[used // sets], counts)
        found: Indexes = number_of[cells]
        return found

    def _add(self, chosen: Indexes, counts: Counts) -> Indexes:
        """Return the numbers of further companies: the people of each, and how many there are to choose from."""
        team = self._joint.team
        first = len(self.companies)
        options: list[int] = count_ways(counts, team.needed).tolist()
        found: list[list[int]] = chosen.tolist()
        names = team.people
        self.companies += [
            Company(tuple(names[one] for one in people), ways) for people, ways in zip(found, options, strict=True)
        ]
        return np.arange(first, len(self.companies))


class _Order:
    """The order in which the groups of a joint search take their people."""

    def __init__(self, joint: Joint) -> None:
        self._team = joint.team
        people = self._team.people
        self._ranks = np.zeros((len(self._team.needed), len(people)), dtype=np.int64)
        priorities = np.array([each.priority for each in self._team.candidates], dtype=np.int64)
        for group, rows in enumerate(self._team.groups):
            self._ranks[group, self._team.owners[rows]] = -priorities[rows]

    def choose(self, supply: Supply, starts: Indexes, *, without: Indexes | None = None) -> Indexes:
        """Return the people of each start, some without a person; shape (starts, people who are needed)."""
        masks = supply.masks[:, starts]
        every = np.arange(len(starts))
        if without is not None:
            masks[without, every] = 0
        counts = count_people(masks, len(self._team.needed))
        left = list(self._team.needed)
        chosen: list[Indexes] = []
        for group in [group for group, count in enumerate(left) for _ in range(count)]:
            tight = find_tight(find_slack(counts, left), without=group)
            free = (masks >> group & 1 != 0) & (masks & tight == 0)
            found = self._find_first(group, free, starts)
            counts[every, masks[found, every]] -= 1
            masks[found, every] = 0
            left[group] -= 1
            chosen.append(found)
        return np.stack(chosen, axis=1)

    def _find_first(self, group: int, free: Flags, starts: Indexes) -> Indexes:
        """Return the first in order of the free people (rows) at each start (columns)."""
        ranks = np.broadcast_to(self._ranks[group][:, np.newaxis], free.shape)
        for key in (ranks, self._loads[:, starts], self._draws[:, starts]):
            least = np.min(key, axis=0, where=free, initial=_LAST)
            free &= key == least
        return free.argmax(axis=0)

    @cached_property
    def _loads(self) -> Instants:
        """The time booked on the day of each start, for each person."""
        team = self._team
        days = list_days(team.organization, team.starts, team.duration)
        keys = team.resource_keys
        occupied = split_by_owner(keys, team.calendars.busy)
        parts = [
            days.count_booked(batch.stop - batch.start, rows)
            for batch, rows in zip(batches(len(keys)), occupied, strict=True)
        ]
        return np.concatenate(parts)

    @cached_property
    def _draws(self) -> Instants:
        seeds = hash_ids(self._team.people)
        draws = mix(seeds[:, np.newaxis] ^ self._team.starts.instants.astype(np.uint64))
        return (draws >> np.uint64(1)).astype(np.int64)
