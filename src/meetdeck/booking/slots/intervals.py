"""Disjoint intervals of time: spans joined where they overlap or touch."""

from typing import NamedTuple, Self

import numpy as np

from meetdeck.booking.slots.timestamps import Flags, Indexes, Instants


class Intervals(NamedTuple):
    """Intervals that neither overlap nor touch each other, in order of beginning."""

    begins: Instants
    ends: Instants

    @classmethod
    def join(cls, begins: Instants, ends: Instants) -> Self:
        """Return unordered spans joined where they overlap or touch; a span that ends before it begins is empty."""
        _, begins, ends = join_in_groups(np.zeros(len(begins), dtype=np.intp), begins, ends)
        return cls(begins, ends)

    def join_with(self, others: "Intervals") -> "Intervals":
        """Return the time in either of two, joined where they overlap or touch."""
        if not len(others.begins):
            return self
        return Intervals.join(*(np.concatenate(columns) for columns in zip(self, others, strict=True)))

    def find_covered(self, begins: Instants, ends: Instants) -> Flags:
        """Return for each span whether one interval contains all of it."""
        if not len(self.begins):
            return np.zeros(begins.shape, dtype=np.bool_)
        latest = np.searchsorted(self.begins, begins, side="right") - 1
        return (latest >= 0) & (ends <= self.ends[latest])

    def find_overlapped(self, begins: Instants, ends: Instants) -> Flags:
        """Return for each span whether any interval overlaps it."""
        if not len(self.begins):
            return np.zeros(begins.shape, dtype=np.bool_)
        latest = np.searchsorted(self.begins, ends, side="left") - 1
        return (latest >= 0) & (self.ends[latest] > begins)


NO_INTERVALS = Intervals(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))


def join_in_groups(groups: Indexes, begins: Instants, ends: Instants) -> tuple[Indexes, Instants, Instants]:
    """Return (group, begin, end) of each group's spans, joined as by `Intervals.join`.

    Groups are numbered from 0. Each group is moved to a time line of its own after the one before, so that one sort and
    one running maximum serve all; the number of groups times the time they span must stay below 2^63.
    """
    real = ends > begins
    groups, begins, ends = groups[real], begins[real], ends[real]
    if not len(groups):
        return groups, begins, ends
    origin = int(begins.min())
    span = int(ends.max()) - origin + 1  # one more than the longest: groups do not touch
    shift = groups * span - origin
    order = np.argsort(begins + shift, kind="stable")
    begins, ends = (begins + shift)[order], (ends + shift)[order]
    reach = np.maximum.accumulate(ends)
    first = np.concatenate(([True], begins[1:] > reach[:-1]))
    last = np.concatenate((first[1:], [True]))
    begins, ends = begins[first], reach[last]
    groups = begins // span
    return groups, begins - groups * span + origin, ends - groups * span + origin
