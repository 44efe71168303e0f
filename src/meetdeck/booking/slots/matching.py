"""Decide at many starts together if different people can be found for all groups, by Hall's theorem.

At a start, each person has a mask: bit g is set if the person is free for group g. Every group gets its people if and
only if each set of groups, together, has at least as many people as it needs (Hall, 1935). How many more it has is the
set's slack; a set is tight at 0. Each person who is taken away lowers the slack of every set that contains one of the
person's groups.
"""

from collections.abc import Sequence
from itertools import product
from math import factorial

import numpy as np
import numpy.typing as npt

from meetdeck.booking.slots.timestamps import Codes, Flags

MOST_WAYS = 1_000_000
"""The largest number of ways that is counted."""

Counts = npt.NDArray[np.int64]
_Ways = npt.NDArray[np.float64]  # whole numbers, far below those that floats count exactly


def count_people(masks: Codes, groups: int) -> Counts:
    """Return how many people have each mask at each start; `masks` has shape (people, starts)."""
    starts, sets = masks.shape[1], 1 << groups
    cells: Counts = masks + sets * np.arange(starts, dtype=np.int64)
    return np.bincount(cells.ravel(), minlength=starts * sets).reshape(starts, sets)


def find_slack(counts: Counts, needed: Sequence[int]) -> Counts:
    """Return the slack of each set of groups, by its bits, at each start; the empty set's is 0."""
    inside = counts.copy()  # people who are free for no groups outside the set
    for group in range(len(needed)):
        halves = inside.reshape(len(counts), -1, 2, 1 << group)
        halves[:, :, 1] += halves[:, :, 0]
    sets: Counts = np.arange(1 << len(needed), dtype=np.int64)
    needs = sum(number * (sets >> group & 1) for group, number in enumerate(needed))
    return inside[:, -1:] - inside[:, ::-1] - needs  # reversed: the complement of each set


def is_enough(slack: Counts) -> Flags:
    """Return the starts at which every group gets its people."""
    return np.min(slack, axis=1) >= 0


def find_tight(slack: Counts, *, without: int | None = None) -> Codes:
    """Return the groups of all tight sets at each start; with `without`, ignoring a group.

    Everyone who is free for one of these groups is needed there.
    """
    sets: Counts = np.arange(slack.shape[1], dtype=np.int64)
    wanted: Counts = sets if without is None else np.where(sets >> without & 1, 0, sets)
    return np.bitwise_or.reduce(np.where(slack == 0, wanted, 0), axis=1).astype(np.uint8)


def count_ways(counts: Counts, needed: Sequence[int]) -> Counts:
    """Return in how many ways different people can be chosen for the groups at each start, `MOST_WAYS` at most.

    The order in which a group's people are chosen does not matter.
    """
    shape = tuple(number + 1 for number in needed)
    ways: _Ways = np.zeros((len(counts), *shape))  # by the number of people that each group has
    ways[:, *(0 for _ in needed)] = 1
    for mask in np.flatnonzero(counts.any(axis=0)).tolist():
        free = [range(each if mask >> group & 1 else 1) for group, each in enumerate(shape)]
        before = ways.copy()
        for taken in product(*free):
            if any(taken):
                room = (slice(None), *(slice(0, each - one) for each, one in zip(shape, taken, strict=True)))
                into = (slice(None), *(slice(one, None) for one in taken))
                chosen = _count_choices(counts[:, mask], taken).reshape(-1, *(1 for _ in needed))
                ways[into] = np.minimum(ways[into] + before[room] * chosen, MOST_WAYS)
    return ways[:, *(-1 for _ in needed)].astype(np.int64)


def _count_choices(people: Counts, taken: Sequence[int]) -> _Ways:
    """Return in how many ways so many of some people can be taken for each group, `MOST_WAYS` at most."""
    total = sum(taken)
    ordered = np.prod([np.maximum(people - place, 0).astype(np.float64) for place in range(total)], axis=0)
    orders = np.prod([factorial(one) for one in taken])
    return np.minimum(np.rint(ordered / orders), MOST_WAYS)
