"""The hours in which advisors can be booked and are booked, without closing days and absences."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from meetdeck.booking.slots.calendar import ZoneClock
from meetdeck.booking.slots.checks import Check, go_on
from meetdeck.booking.slots.intervals import join_in_groups
from meetdeck.booking.slots.model import Calendars, Candidate, Organization
from meetdeck.booking.slots.occupancy import batches, split_by_owner
from meetdeck.booking.slots.rules import find_closed
from meetdeck.booking.slots.timestamps import Indexes, Instants
from meetdeck.booking.slots.timetable import Timetable, lay_out


class WorkedTime(NamedTuple):
    """Lengths of time by lines (rows) and periods (columns), in microseconds.

    A line is of the candidate `owners[line]`; with `places`, of the hours at the place `places[line]`, else of all.
    `bookable` are working and extra hours without closing days and absences, but including what is booked in them;
    `booked` is the booked part of them, `outside` the time booked outside of them.
    """

    owners: Indexes
    places: tuple[str, ...]
    bookable: Instants
    booked: Instants
    outside: Instants


class _Times(NamedTuple):
    """Spans of lines, which may overlap."""

    lines: Indexes
    begins: Instants
    ends: Instants


def measure_worked_time(
    organization: Organization,
    candidates: Sequence[Candidate],
    calendars: Calendars,
    bounds: Instants,
    check: Check = go_on,
    *,
    by_place: bool = False,
) -> Iterator[WorkedTime]:
    """Yield the worked time of one candidate after the other, each of another advisor.

    Period p lasts from `bounds[p]` to `bounds[p + 1]`. Booked time is that of `calendars.busy`, its entries are
    absences; the calendars must contain everything between the first and the last bound.
    """
    begin, end = int(bounds[0]), int(bounds[-1])
    clock = ZoneClock(organization.zone, begin, end)
    closed = find_closed(organization, clock, clock.days(begin, end))
    taken = split_by_owner([each.resource_key for each in candidates], calendars.busy) if candidates else iter(())
    for batch, occupied in zip(batches(len(candidates)), taken, strict=True):
        check()
        timetable = lay_out(candidates[batch], begin, end, calendars.extra_open)
        owners, places, worked = _list_worked(timetable, by_place=by_place)
        of_lines, rows = _spread(owners, batch.stop - batch.start, occupied.owners)
        booked, absent = (
            _Times(of_lines[chosen], occupied.begins[rows[chosen]], occupied.ends[rows[chosen]])
            for chosen in (rows < occupied.booked, rows >= occupied.booked)
        )
        lines = np.arange(len(owners))
        away = _Times(
            np.append(absent.lines, np.repeat(lines, len(closed.begins))),
            np.append(absent.begins, np.tile(closed.begins, len(lines))),
            np.append(absent.ends, np.tile(closed.ends, len(lines))),
        )
        yield WorkedTime(owners + batch.start, places, *_compare(worked, booked, away, bounds, len(lines)))


def _compare(
    worked: _Times, booked: _Times, away: _Times, bounds: Instants, height: int
) -> tuple[Instants, Instants, Instants]:
    """Return the bookable, booked, and outside booked time; shape (lines, periods) each.

    All three follow from the lengths of unions: |A and B| = |A| + |B| - |A or B|, and away time counts where nothing is
    booked.
    """

    def measure(*times: _Times) -> Instants:
        return _measure_union(times, bounds, height)

    at_work, taken, either = measure(worked), measure(booked), measure(worked, booked)
    inside = at_work + taken - either
    # Worked and away and not booked: both without what is booked, less either without it.
    lost = either + measure(away, booked) - taken - measure(worked, away, booked)
    return at_work - lost, inside, taken - inside


def _list_worked(timetable: Timetable, *, by_place: bool) -> tuple[Indexes, tuple[str, ...], _Times]:
    """Return the candidate and the place of each line, and the lines' hours in which anybody can be met."""
    cuts: list[int] = np.searchsorted(timetable.plans, np.arange(timetable.plan_count + 1)).tolist()
    of_plans = [timetable.intervals[first:stop] for first, stop in pairwise(cuts)]
    plan_of: list[int] = timetable.plan_of.tolist()
    of_candidates = [of_plans[plan] for plan in plan_of]
    intervals: Indexes = np.concatenate(of_candidates)
    owners: Indexes = np.repeat(np.arange(len(of_candidates)), [len(each) for each in of_candidates])
    usable = timetable.types[intervals] != 0
    intervals, owners = intervals[usable], owners[usable]
    of_lines: Indexes = np.arange(len(of_candidates), dtype=np.intp)
    places, lines = ("",) * len(of_candidates), owners
    if by_place:
        width = max(len(timetable.places), 1)
        keys, lines = np.unique(owners * width + timetable.place_of[intervals], return_inverse=True)
        of_lines = keys // width
        numbers: list[int] = (keys % width).tolist()
        places = tuple(timetable.places[number] for number in numbers)
    weeks = timetable.begins.shape[1]
    hours = _Times(np.repeat(lines, weeks), timetable.begins[intervals].ravel(), timetable.ends[intervals].ravel())
    return of_lines, places, hours


def _spread(owners: Indexes, count: int, row_owners: Indexes) -> tuple[Indexes, Indexes]:
    """Return the line and the row of each row with each line of its owner; lines are ordered by their owners."""
    lines_of = np.bincount(owners, minlength=count)
    first_line = np.cumsum(lines_of) - lines_of
    times = lines_of[row_owners]
    rows = np.repeat(np.arange(len(row_owners)), times)
    place = np.arange(len(rows)) - np.repeat(np.cumsum(times) - times, times)
    return first_line[row_owners[rows]] + place, rows


def _measure_union(times: Sequence[_Times], bounds: Instants, height: int) -> Instants:
    """Return the total length of each line's times in each period; overlaps count once."""
    lines, begins, ends = (np.concatenate(columns) for columns in zip(*times, strict=True))
    first, last = int(bounds[0]), int(bounds[-1])
    lines, begins, ends = join_in_groups(lines, np.clip(begins, first, last), np.clip(ends, first, last))
    width = len(bounds) - 1
    total = np.zeros(height * width, dtype=np.int64)
    period = np.searchsorted(bounds, begins, side="right") - 1
    while len(lines):
        stops = np.minimum(ends, bounds[period + 1])
        np.add.at(total, lines * width + period, stops - begins)
        over = ends > stops
        lines, begins, ends, period = lines[over], stops[over], ends[over], period[over] + 1
    return total.reshape(height, width)
