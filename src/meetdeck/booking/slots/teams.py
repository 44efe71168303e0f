"""The people who come along to each slot of a joint search: one choice for each, and how many choices there are.

The groups choose in their order: each takes the person with the highest priority, then the least booked day, then by
lot, without whom the groups that still choose have enough. So the people are the same for all advisors of a start,
except for those who are among them.
"""

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple
from uuid import UUID

import numpy as np

from meetdeck.booking.slots.allowed_starts import list_days
from meetdeck.booking.slots.best import hash_ids, mix
from meetdeck.booking.slots.encode import Pieces
from meetdeck.booking.slots.joint import Joint, Layer
from meetdeck.booking.slots.matching import Counts, count_people, count_ways, find_slack, find_tight
from meetdeck.booking.slots.model import (
    MEETING_TYPES,
    Calendars,
    Candidate,
    MeetingType,
    Organization,
    Query,
    Room,
    Slots,
)
from meetdeck.booking.slots.occupancy import batches, split_by_owner
from meetdeck.booking.slots.search import search_jointly
from meetdeck.booking.slots.timestamps import Flags, Indexes, Instants

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
    numbers: list[int] = teams.find(start, types[items], columns[items]).tolist()
    offered: list[int] = columns[items].tolist()
    for column, number in zip(offered, numbers, strict=True):
        found.setdefault(slots.employee_ids[column], teams.companies[number])
    return found


class _Numbered(NamedTuple):
    """Companies of a start and layer that differ from the usual one, by the advisor's column, with their numbers."""

    columns: Indexes
    numbers: Indexes


class Teams:
    """The company of each slot that a joint search found."""

    def __init__(self, joint: Joint, slots: Slots) -> None:
        self._joint, self._offers = joint, slots.offers
        self._order = _Order(joint)
        self.companies: list[Company] = []
        self._usual: Indexes = np.full((len(joint.layers), len(slots.offers)), _NOBODY, dtype=np.intp)
        self._special: dict[tuple[int, int], _Numbered] = {}
        self._layer_of = np.full(len(MEETING_TYPES), _NOBODY, dtype=np.intp)
        for number, layer in enumerate(joint.layers):
            self._layer_of[MEETING_TYPES.index(layer.meeting_type)] = number
            self._form(number, layer)

    def find(self, start: int, types: Indexes, columns: Indexes) -> Indexes:
        """Return the number of the company of each slot of a start, by its type in `MEETING_TYPES` and its column."""
        layers = self._layer_of[types]
        if self._joint.physical is not None:
            layers = np.where(
                types == MEETING_TYPES.index(MeetingType.PHYSICAL), self._joint.physical[start, columns], layers
            )
        numbers = self._usual[layers, start]
        for layer in np.unique(layers).tolist():
            special = self._special.get((layer, start))
            if special is not None:
                own = np.full(self._offers.shape[1], _NOBODY, dtype=np.intp)
                own[special.columns] = special.numbers
                found = own[columns]
                numbers = np.where((layers == layer) & (found != _NOBODY), found, numbers)
        return numbers

    @cached_property
    def _texts(self) -> Pieces:
        return np.array([_render(each) for each in self.companies], dtype=np.object_)

    def find_members(self, start: int, types: Indexes, columns: Indexes) -> Pieces:
        """Return the JSON members of the company of each slot of a start, as `find` does."""
        return self._texts[self.find(start, types, columns)]

    def _form(self, number: int, layer: Layer) -> None:
        """Form the companies of a layer."""
        offered = self._offers & np.uint8(layer.meeting_type.bit) != 0
        if layer.meeting_type is MeetingType.PHYSICAL and self._joint.physical is not None:
            offered &= self._joint.physical == number
        starts = np.flatnonzero(offered.any(axis=1))
        if not len(starts):
            return
        chosen = self._order.choose(layer, starts)
        self._usual[number, starts] = self._add(chosen, layer.counts[starts])
        self._form_special(number, layer, offered[starts], starts, chosen)

    def _form_special(self, number: int, layer: Layer, offered: Flags, starts: Indexes, chosen: Indexes) -> None:
        """Form the companies of advisors who might come along themselves: other choices, or fewer."""
        columns = np.flatnonzero(self._joint.people >= 0)
        people = self._joint.people[columns]
        masks = layer.masks[people][:, starts].T
        rows, places = np.nonzero(offered[:, columns] & (masks != 0))
        if not len(rows):
            return
        own, own_masks = people[places], masks[rows, places].astype(np.intp)
        is_chosen = (chosen[rows] == own[:, np.newaxis]).any(axis=1)
        # Whoever is not chosen has the usual company; those with equal masks as many choices.
        sets = layer.counts.shape[1]
        keys = np.where(is_chosen, (1 + own) * len(starts) * sets, 0) + rows * sets + own_masks
        _, firsts, numbers = np.unique(keys, return_index=True, return_inverse=True)
        counts = layer.counts[starts[rows[firsts]]]
        counts[np.arange(len(firsts)), own_masks[firsts]] -= 1
        companies = chosen[rows[firsts]]
        again = is_chosen[firsts]
        if again.any():
            companies[again] = self._order.choose(layer, starts[rows[firsts][again]], without=own[firsts][again])
        numbers = self._add(companies, counts)[numbers]
        cuts = np.searchsorted(rows, np.arange(len(starts) + 1)).tolist()
        for place, (begin, end) in enumerate(pairwise(cuts)):
            if begin < end:
                self._special[number, int(starts[place])] = _Numbered(columns[places[begin:end]], numbers[begin:end])

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


def _render(company: Company) -> bytes:
    """Return the JSON members about a company, each with a comma behind it."""
    people = '","'.join(map(str, company.people))
    return f'"additionalEmployees":["{people}"],"additionalEmployeeOptions":{company.options},'.encode()


class _Order:
    """The order in which the groups of a joint search take their people."""

    def __init__(self, joint: Joint) -> None:
        self._team = joint.team
        people = self._team.people
        self._ranks = np.zeros((len(self._team.needed), len(people)), dtype=np.int64)
        for group, owner, each in zip(self._team.groups, self._team.owners, self._team.candidates, strict=True):
            self._ranks[group, owner] = -each.priority

    def choose(self, layer: Layer, starts: Indexes, *, without: Indexes | None = None) -> Indexes:
        """Return the people of each start, some without a person; shape (starts, people who are needed)."""
        masks = layer.masks[:, starts]
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
        keys = {each.employee_id: each.resource_key for each in team.candidates}
        occupied = split_by_owner([keys[each] for each in team.people], team.calendars.busy)
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
