"""Choosing one advisor for each time and meeting type (docs/api/search.md#best-time-slots)."""

from collections.abc import Sequence
from uuid import UUID

import numpy as np

from meetdeck.booking.slots.limits import DailyLimits
from meetdeck.booking.slots.model import MEETING_TYPES, Candidate, Spans
from meetdeck.booking.slots.occupancy import batches, split_by_owner
from meetdeck.booking.slots.start_grid import Axis
from meetdeck.booking.slots.timestamps import Codes, Flags, Indexes, Instants

_Hashes = np.ndarray[tuple[int, ...], np.dtype[np.uint64]]
_LAST = np.iinfo(np.int64).max


def choose_best(slots: Codes, candidates: Sequence[Candidate], busy: Spans, starts: Axis, days: DailyLimits) -> None:
    """Keep only the best column for each start and meeting type; `slots` has shape (starts, candidates).

    The best has the highest priority, then the least booked day; among equals the one with the least hash of id and
    start, so that the same search has the same answer, and each of the equals is chosen about as often.
    """
    ranks = np.array([-each.priority for each in candidates], dtype=np.int64)
    seeds = hash_ids([each.employee_id for each in candidates])
    every_column: Indexes = np.arange(len(candidates), dtype=np.intp)
    offered = int(np.bitwise_or.reduce(slots, axis=None))
    types = [each for each in MEETING_TYPES if offered & each.bit]
    best = [_BestStarts(len(starts)) for _ in types]
    occupied = split_by_owner([each.resource_key for each in candidates], busy)
    for batch, rows in zip(batches(len(candidates)), occupied, strict=True):
        columns = every_column[batch]
        loads = days.count_booked(len(columns), rows).T
        draws = mix(seeds[np.newaxis, batch] ^ starts.instants.astype(np.uint64)[:, np.newaxis])
        for each, found in zip(types, best, strict=True):
            found.take(slots[:, batch] & each.bit != 0, columns, ranks[batch], loads, draws >> np.uint64(1))
    slots[:] = 0
    for each, found in zip(types, best, strict=True):
        chosen = np.flatnonzero(found.columns >= 0)
        slots[chosen, found.columns[chosen]] |= each.bit


class _BestStarts:
    """The best column so far of each start, in one meeting type."""

    def __init__(self, starts: int) -> None:
        self.columns: Indexes = np.full(starts, -1, dtype=np.intp)
        self._keys = np.full((3, starts), _LAST, dtype=np.int64)

    def take(self, left: Flags, columns: Indexes, ranks: Instants, loads: Instants, draws: _Hashes) -> None:
        """Compare with further columns: their offers, and their keys, at each start; shape (starts, columns)."""
        keys: list[Instants] = []
        for key in (np.broadcast_to(ranks, left.shape), loads, draws.astype(np.int64)):
            least = np.min(key, axis=1, where=left, initial=_LAST)
            left &= key == least[:, np.newaxis]
            keys.append(least)
        found = np.array(keys)
        first, second, third = found < self._keys
        same_first, same_second, _ = found == self._keys
        better = left.any(axis=1) & (first | same_first & (second | same_second & third))
        self.columns[better] = columns[left.argmax(axis=1)][better]
        self._keys[:, better] = found[:, better]


def hash_ids(employee_ids: Sequence[UUID]) -> _Hashes:
    """Return a number of 64 bits for each employee: both halves of the id, mixed."""
    halves = np.array([divmod(each.int, 1 << 64) for each in employee_ids], dtype=np.uint64).reshape(-1, 2)
    return mix(halves[:, 0] ^ mix(halves[:, 1]))


def mix(numbers: _Hashes) -> _Hashes:
    """Return each number scrambled by splitmix64's finalizer (Steele, Lea and Flood, 2014)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))
