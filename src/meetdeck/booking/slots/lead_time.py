"""The moment when enough of an advisor's working hours have passed (docs/api/advisors.md#lead-time)."""

from collections.abc import Sequence

import numpy as np

from meetdeck.booking.slots.calendar import ZoneClock
from meetdeck.booking.slots.intervals import join_in_groups
from meetdeck.booking.slots.model import Candidate, Organization, Query
from meetdeck.booking.slots.rules import find_closed
from meetdeck.booking.slots.timestamps import DAY, FAR, Indexes, Instants, to_instant, to_length
from meetdeck.booking.slots.timetable import lay_out

_SPAN = 371 * DAY  # hours are laid out for this long at a time: a search may begin in centuries


def find_ready(query: Query, organization: Organization, candidates: Sequence[Candidate]) -> Instants | None:
    """Return for each candidate the first instant after the working-time buffer; None: no such rule.

    The schedule's hours count, of all meeting types, except on closing days; being busy in them changes nothing.
    """
    buffer = to_length(query.working_time_buffer)
    if not query.customer_initiated or not buffer:
        return None
    weeks = {(each.zone, each.intervals): each for each in candidates}
    numbers = {week: number for number, week in enumerate(weeks)}
    ready = np.full(len(weeks), FAR, dtype=np.int64)
    left = np.full(len(weeks), buffer, dtype=np.int64)
    waiting = np.arange(len(weeks))
    examples = list(weeks.values())
    begin, last = to_instant(query.now), to_instant(query.ends_at)
    while len(waiting) and begin < last:
        end = min(begin + _SPAN, last)
        hours = _WorkedTime([examples[number] for number in waiting.tolist()], organization, begin, end)
        ready[waiting] = hours.find_passed(left[waiting])
        left[waiting] -= hours.totals
        waiting = waiting[(ready[waiting] == FAR) & (hours.totals > 0)]
        begin = end
    return ready[[numbers[each.zone, each.intervals] for each in candidates]]


class _WorkedTime:
    """The working hours of candidates between two instants, on a time line from which closing days are cut out."""

    def __init__(self, candidates: Sequence[Candidate], organization: Organization, begin: int, end: int) -> None:
        table = lay_out(candidates, begin, end)
        of_plan = np.repeat(table.plans, table.begins.shape[1])
        begins, ends = (column[table.intervals].ravel() for column in (table.begins, table.ends))
        clock = ZoneClock(organization.zone, begin, end)
        self._closed = find_closed(organization, clock, clock.days(begin, end))
        self._closed_lengths = np.concatenate(([0], np.cumsum(self._closed.ends - self._closed.begins)))
        plans, begins, ends = join_in_groups(of_plan, begins, ends)
        self._plans: Indexes = plans
        self._ends = self._cut(ends)
        self._lengths = self._ends - self._cut(begins)
        self._plan_of = table.plan_of
        by_plan = np.zeros(table.plan_count, dtype=np.int64)
        np.add.at(by_plan, plans, self._lengths)
        self.totals: Instants = by_plan[table.plan_of]

    def find_passed(self, lengths: Instants) -> Instants:
        """Return for each candidate the first instant before which it has worked that long, FAR when there is none."""
        wanted = np.zeros(int(self._plan_of.max()) + 1, dtype=np.int64)
        wanted[self._plan_of] = lengths
        worked = np.cumsum(self._lengths)
        first = np.searchsorted(self._plans, np.arange(len(wanted)))
        before = np.concatenate(([0], worked))[first]
        worked = worked - before[self._plans]
        enough = np.flatnonzero(worked >= wanted[self._plans])
        plans, places = np.unique(self._plans[enough], return_index=True)
        spans = enough[places]
        passed = np.full(len(wanted), FAR, dtype=np.int64)
        passed[plans] = self._restore(self._ends[spans] - (worked[spans] - wanted[plans]))
        return passed[self._plan_of]

    def _cut(self, instants: Instants) -> Instants:
        """Return instants on the time line without closing days."""
        if not len(self._closed.begins):
            return instants
        begun = np.searchsorted(self._closed.begins, instants, side="right")
        latest = np.maximum(begun - 1, 0)
        within = np.minimum(instants, self._closed.ends[latest]) - self._closed.begins[latest]
        return instants - np.where(begun > 0, self._closed_lengths[latest] + within, 0)

    def _restore(self, shortened: Instants) -> Instants:
        """Return the first instants that `_cut` maps to these."""
        begins = self._closed.begins - self._closed_lengths[:-1]
        return shortened + self._closed_lengths[np.searchsorted(begins, shortened, side="left")]
