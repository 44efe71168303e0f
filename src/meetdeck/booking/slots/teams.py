"""Chooses the people who come along to each slot of a joint search, and counts the possible choices.

The groups choose in order: each takes the person with the highest priority, then the least booked day, then by lot,
without whom the remaining groups still have enough. So the people are the same for all advisors of a start, except for
advisors who are among them.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

import numpy as np
import numpy.typing as npt

from meetdeck.booking.slots.allowed_starts import list_days
from meetdeck.booking.slots.best import hash_ids, mix
from meetdeck.booking.slots.joint import Joint, Layer, Supply
from meetdeck.booking.slots.matching import Counts, count_ways, find_slack, find_tight
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
from meetdeck.booking.slots.timestamps import Codes, Indexes, Instants

_Codes = npt.NDArray[np.uint16]
_Hashes = npt.NDArray[np.uint64]

_NOBODY = -1
_LAST = np.iinfo(np.int64).max


class Company(NamedTuple):
    """The people who come along to a slot, in the order of the groups, and the number of possible choices."""

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
    numbers, places = teams.find(start, types[items], columns[items])
    offered: list[int] = columns[items].tolist()
    of_items: list[int] = numbers[places].tolist()
    for column, number in zip(offered, of_items, strict=True):
        found.setdefault(slots.employee_ids[column], teams.companies[number])
    return found


class Teams:
    """The company of each slot that a joint search found.

    At a start, in a layer, most advisors have the same company. Advisors who could come along themselves have a code:
    the groups that they are free for, without whom there are fewer choices, or one that identifies their own choice.
    """

    def __init__(self, joint: Joint, slots: Slots) -> None:
        self._joint, self._offers = joint, slots.offers
        self._order = _Order(joint)
        self._choices: list[list[int]] = []
        self._companies: list[tuple[int, int]] = []
        """The number of the choice of people, and how many choices there are."""
        self._codes: list[_Codes] = []
        """For each layer, of each start and column; 0: somebody who cannot come along."""
        self._sets = 1 << len(joint.team.needed)
        shape = len(joint.layers), len(slots.offers), self._sets + sum(joint.team.needed)
        self._numbers: Indexes = np.full(shape, _NOBODY, dtype=np.intp)
        """The company of each layer, start and code."""
        for number, layer in enumerate(joint.layers):
            self._form(number, layer)

    @cached_property
    def companies(self) -> list[Company]:
        """The companies, by their numbers."""
        names = self._joint.team.people
        choices = [tuple(names[one] for one in people) for people in self._choices]
        return [Company(choices[choice], options) for choice, options in self._companies]

    def render(self) -> list[bytes]:
        """Return the JSON members about each company, each with a comma behind it."""
        names = [str(each) for each in self._joint.team.people]
        choices = ['","'.join([names[one] for one in people]) for people in self._choices]
        return [
            f'"additionalEmployees":["{choices[choice]}"],"additionalEmployeeOptions":{options},'.encode()
            for choice, options in self._companies
        ]

    def find(self, start: int, types: Indexes, columns: Indexes) -> tuple[Indexes, Indexes]:
        """Return the numbers of the companies of a start, some `_NOBODY`, and at which place of these each slot's is.

        The slots have the given types, by their places in `MEETING_TYPES`, and columns.
        """
        numbers = self._numbers[:, start]
        if len(numbers) == 1:
            return numbers[0], self._codes[0][start].take(columns)
        of_types = np.zeros((len(MEETING_TYPES), self._offers.shape[1]), dtype=np.intp)
        for number, layer in enumerate(self._joint.layers):
            places = number * numbers.shape[1] + self._codes[number][start]
            own = [place for place, each in enumerate(MEETING_TYPES) if layer.bits & each.bit]
            if layer.place is not None and self._joint.physical is not None:
                here = self._joint.physical[start] == number
                of_types[own, here] = places[here]
            else:
                of_types[own] = places
        return numbers.ravel(), of_types[types, columns]

    def _form(self, number: int, layer: Layer) -> None:
        """Form the companies of a layer."""
        offered = self._offers & np.uint8(layer.bits) != 0
        if layer.place is not None and self._joint.physical is not None:
            offered &= self._joint.physical == number
        starts = np.flatnonzero(offered.any(axis=1))
        nobody = np.zeros((1, len(offered)), dtype=np.uint8)
        masks = np.concatenate((layer.supply.masks, nobody))  # the last one belongs to -1
        codes = (masks[self._joint.people].T * offered).astype(np.uint16)
        self._codes.append(codes)
        if not len(starts):
            return
        chosen, counts = self._order.choose(layer.supply, starts), layer.supply.counts[starts]
        choices = self._add_choices(chosen)
        self._numbers[number, starts, 0] = self._add(choices, counts)
        columns_of = np.flatnonzero(self._joint.people >= 0)
        people = self._joint.people[columns_of]
        if not len(people):
            return
        rows, sets = np.nonzero(counts[:, 1:])
        self._numbers[number, starts[rows], sets + 1] = self._add(choices[rows], _take_one(counts[rows], sets + 1))
        for place, code in enumerate(range(self._sets, self._numbers.shape[2])):
            is_own = (people == chosen[:, place, np.newaxis]) & (codes[np.ix_(starts, columns_of)] != 0)
            rows, places = np.nonzero(is_own)
            if not len(rows):
                continue
            columns, own, of_rows = columns_of[places], people[places], starts[rows]
            others = self._add_choices(self._order.choose(layer.supply, of_rows, without=own))
            fewer = _take_one(counts[rows], masks[own, of_rows])
            self._numbers[number, of_rows, code] = self._add(others, fewer)
            codes[of_rows, columns] = code

    def _add_choices(self, chosen: Indexes) -> Indexes:
        """Return the numbers of further choices of people."""
        first = len(self._choices)
        self._choices += chosen.tolist()
        return np.arange(first, len(self._choices))

    def _add(self, choices: Indexes, counts: Counts) -> Indexes:
        """Return the numbers of further companies: the choices, and how many people there are to choose from."""
        first = len(self._companies)
        options: list[int] = count_ways(counts, self._joint.team.needed).tolist()
        self._companies += zip(choices.tolist(), options, strict=True)
        return np.arange(first, len(self._companies))


def _take_one(counts: Counts, masks: Indexes | Codes) -> Counts:
    """Return how many people have each mask, without one of the given mask at each start."""
    fewer = counts.copy()
    fewer[np.arange(len(fewer)), masks] -= 1
    return fewer


class _Order:
    """The order in which the groups of a joint search take their people."""

    def __init__(self, joint: Joint) -> None:
        self._team = joint.team
        self._members = [self._team.owners[rows] for rows in self._team.groups]

    def choose(self, supply: Supply, starts: Indexes, *, without: Indexes | None = None) -> Indexes:
        """Return the people of each start, some without a person; shape (starts, people who are needed)."""
        masks = supply.masks[:, starts]
        every = np.arange(len(starts))
        counts = supply.counts[starts]
        if without is not None:
            counts[every, masks[without, every]] -= 1
            masks[without, every] = 0
        left = list(self._team.needed)
        chosen: list[Indexes] = []
        for group in [group for group, count in enumerate(left) for _ in range(count)]:
            tight = find_tight(find_slack(counts, left), without=group)
            members = self._members[group]
            own = masks[members]
            free = (own & np.uint8(1 << group) != 0) & (own & tight == 0)
            first = np.where(free, self._keys[group][:, starts], _LAST).min(axis=0)
            found = members[first & ((1 << _count_bits(members)) - 1)]
            counts[every, masks[found, every]] -= 1
            masks[found, every] = 0
            left[group] -= 1
            chosen.append(found)
        return np.stack(chosen, axis=1)

    @cached_property
    def _keys(self) -> list[Instants]:
        """The sort keys of the members of each group, at each start; the last bits are the member's index."""
        priorities = np.array([each.priority for each in self._team.candidates], dtype=np.int64)
        return [
            self._rank(-priorities[rows], members)
            for rows, members in zip(self._team.groups, self._members, strict=True)
        ]

    def _rank(self, ranks: Instants, members: Indexes) -> Instants:
        """Return the keys of the members of a group: by rank, then the time booked on the day, then lot, in 63 bits."""
        loads, day_of = self._loads
        by_load = np.unique(loads[members], return_inverse=True)[1].reshape(len(members), -1)
        levels, by_rank = np.unique(ranks, return_inverse=True)
        orders = by_rank[:, np.newaxis] * (int(by_load.max(initial=0)) + 1) + by_load
        place_bits = _count_bits(members)
        lot_bits = 63 - place_bits - (len(levels) * (int(by_load.max(initial=0)) + 1)).bit_length()
        keys = (self._draws[members] >> np.uint64(64 - lot_bits)).astype(np.int64) << place_bits
        keys |= np.arange(len(members))[:, np.newaxis]
        keys |= (orders << (place_bits + lot_bits))[:, day_of]
        return keys

    @cached_property
    def _loads(self) -> tuple[Instants, Indexes]:
        """The time booked on each day, for each person, and the day of each start."""
        team = self._team
        days = list_days(team.organization, team.starts, team.duration)
        keys = team.resource_keys
        occupied = split_by_owner(keys, team.calendars.busy)
        parts = [
            days.count_by_day(batch.stop - batch.start, rows)
            for batch, rows in zip(batches(len(keys)), occupied, strict=True)
        ]
        return np.concatenate(parts), days.first_day

    @cached_property
    def _draws(self) -> _Hashes:
        seeds = hash_ids(self._team.people)
        return mix(seeds[:, np.newaxis] ^ self._team.starts.instants.astype(np.uint64))


def _count_bits(members: Indexes) -> int:
    """Return the number of bits that distinguish the members."""
    return len(members).bit_length()
