"""Advisors' extra hours, beside those of their schedules (docs/api/calendar-entries.md#extra-hours).

They are rows of the timetable, with two meeting types, so that joining, rooms, `Local` and levels need no rule for
them. A customer's slot must be in hours or extra hours and in opening or extra hours, which equals (hours and opening)
or extra, and each half can be explained separately. A search without extra hours costs what it did before.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from meetdeck.booking.slots.intervals import Intervals, join_in_groups
from meetdeck.booking.slots.model import Candidate, Spans
from meetdeck.booking.slots.timestamps import Indexes, Instants


class ExtraHours(NamedTuple):
    """Extra hours between two instants, joined where they overlap or touch, by advisor and then in order.

    Advisors with extra hours are numbered from 0, `number_of` by resource key; span s is of advisor `owners[s]`.
    """

    number_of: dict[int, int]
    owners: Indexes
    begins: Instants
    ends: Instants

    def as_intervals(self) -> Intervals:
        """Return the hours in which any of the advisors has extra hours."""
        return Intervals.join(self.begins, self.ends)

    def fold(self, width: int) -> tuple[Indexes, Instants, Instants]:
        """Return the spans as rows of `width` spans of one advisor: the owner of each row, its beginnings and its ends.

        An advisor with more spans has several rows; the last one is filled up with empty spans.
        """
        counts = np.bincount(self.owners, minlength=len(self.number_of))
        heights = -(-counts // width)
        place = np.arange(len(self.owners)) - (np.cumsum(counts) - counts)[self.owners]
        rows = (np.cumsum(heights) - heights)[self.owners] + place // width
        begins = np.zeros((int(heights.sum()), width), dtype=np.int64)
        ends = np.zeros_like(begins)
        begins[rows, place % width], ends[rows, place % width] = self.begins, self.ends
        return np.repeat(np.arange(len(heights)), heights), begins, ends


def find_extra_hours(candidates: Sequence[Candidate], extra_open: Spans, begin: int, end: int) -> ExtraHours:
    """Return the extra hours of the candidates between two instants; an advisor's only once."""
    if not len(extra_open):
        nothing = np.empty(0, dtype=np.int64)
        return ExtraHours({}, nothing.astype(np.intp), nothing, nothing)
    mine = np.isin(extra_open.resource_keys, [each.resource_key for each in candidates])
    begins, ends = (np.clip(column, begin, end) for column in (extra_open.starts_at, extra_open.ends_at))
    mine &= begins < ends
    keys, owners = np.unique(extra_open.resource_keys[mine], return_inverse=True)
    joined = join_in_groups(owners, begins[mine], ends[mine])
    return ExtraHours({key: number for number, key in enumerate(keys.tolist())}, *joined)
