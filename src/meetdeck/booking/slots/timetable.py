"""The candidates' working hours on the UTC time line, each distinct schedule once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

import numpy as np
from msgspec.structs import replace

from meetdeck.booking.slots.calendar import ZoneClock, since_midnight
from meetdeck.booking.slots.extra_hours import ExtraHours, find_extra_hours
from meetdeck.booking.slots.intervals import Intervals
from meetdeck.booking.slots.model import (
    EXTRA_TYPES,
    NO_SPANS,
    Candidate,
    MeetingType,
    Spans,
    WorkInterval,
    to_bits,
    to_place,
)
from meetdeck.booking.slots.timestamps import DAY, Codes, Indexes, Instants, to_numbers

_WEEKDAY_OF_DAY_0 = 3  # 1970-01-01 was a Thursday


_PlanKey = tuple[ZoneInfo, tuple[WorkInterval, ...], str | None, int | None, str]


class _Plan(NamedTuple):
    """The terms that make a timetable; `advisor` numbers one who has extra hours, which are at `home`."""

    zone: ZoneInfo
    intervals: tuple[WorkInterval, ...]
    start_place: str | None
    advisor: int | None
    home: str


@dataclass(frozen=True, slots=True, eq=False)
class Timetable:
    """All plans (a schedule in its zone, with extra hours and a start place) of the candidates, in columns.

    Candidate c follows plan `plan_of[c]`, only in the meeting types `types_of[c]`, by the clock
    `clocks[clock_of[plan]]`. Slots of a plan start in hours at `places[start_place_of[plan]]`; an index of -1 means
    anywhere, one beyond the end a place without intervals. Entry e says that plan `plans[e]` (ascending) has interval
    `intervals[e]`. Interval i offers the meeting types `types[i]` at the place `places[place_of[i]]`, in each week w
    from `begins[i, w]` up to `ends[i, w]`. From `extra_from` on, intervals are extra hours of one advisor, as many as
    there are weeks, or fewer and empty ones.
    """

    plan_of: Indexes
    types_of: Codes
    clocks: tuple[ZoneClock, ...]
    clock_of: Indexes
    start_place_of: Indexes
    plans: Indexes
    intervals: Indexes
    types: Codes
    places: tuple[str, ...]
    place_of: Indexes
    begins: Instants
    ends: Instants
    extra_from: int

    @property
    def plan_count(self) -> int:
        """Return the number of plans."""
        return len(self.clock_of)

    def find_extra_hours(self) -> Intervals:
        """Return the time in which any plan has extra hours."""
        return Intervals.join(self.begins[self.extra_from :].ravel(), self.ends[self.extra_from :].ravel())


def lay_out(candidates: Sequence[Candidate], begin: int, end: int, extra_open: Spans = NO_SPANS) -> Timetable:
    """Return the timetable of the candidates' schedules, and of their extra hours, between two UTC instants."""
    extra = find_extra_hours(candidates, extra_open, begin, end)
    numbers: dict[_PlanKey, int] = {}
    plan_of = [numbers.setdefault(key, len(numbers)) for key in _list_plan_keys(candidates, extra)]
    plans = [_Plan(*key) for key in numbers]
    zones: dict[ZoneInfo, int] = {}
    clock_of = [zones.setdefault(plan.zone, len(zones)) for plan in plans]
    rows: dict[tuple[int, WorkInterval], int] = {}
    entries = [
        (number, rows.setdefault((clock, interval), len(rows)))
        for number, (clock, plan) in enumerate(zip(clock_of, plans, strict=True))
        for interval in plan.intervals
    ]
    clocks = tuple(ZoneClock(zone, begin, end) for zone in zones)
    begins, ends = _place_weekly(tuple(rows), clocks, begin, end)
    advisors, extra_begins, extra_ends = extra.fold(begins.shape[1])
    entries = sorted([*entries, *_list_extra_entries(plans, advisors, len(rows))]) if len(advisors) else entries
    entry_plans, entry_intervals = np.array(entries, dtype=np.intp).reshape(-1, 2).T
    homes = {plan.advisor: plan.home for plan in plans}
    places: dict[str, int] = {}
    place_of = to_numbers(
        lambda location: places.setdefault(to_place(location), len(places)),
        [*(each.location for _, each in rows), *(homes[advisor] for advisor in advisors.tolist())],
    )
    types = [*(each.meeting_types for _, each in rows), *(EXTRA_TYPES for _ in advisors)]
    return Timetable(
        plan_of=np.array(plan_of, dtype=np.intp),
        types_of=_list_types(candidates),
        clocks=clocks,
        clock_of=np.array(clock_of, dtype=np.intp),
        start_place_of=_number_places([plan.start_place for plan in plans], places),
        plans=entry_plans,
        intervals=entry_intervals,
        types=to_numbers(to_bits, types).astype(np.uint8),
        places=tuple(places),
        place_of=place_of,
        begins=np.vstack((begins, extra_begins)),
        ends=np.vstack((ends, extra_ends)),
        extra_from=len(rows),
    )


def _list_extra_entries(plans: Iterable[_Plan], advisors: Indexes, first: int) -> Iterator[tuple[int, int]]:
    """Yield the entries of extra hours: rows from `first` on, each of an advisor (ascending)."""
    bounds: list[int] = (first + np.searchsorted(advisors, np.arange(int(advisors[-1]) + 2))).tolist()
    for number, plan in enumerate(plans):
        if plan.advisor is not None:
            yield from ((number, row) for row in range(bounds[plan.advisor], bounds[plan.advisor + 1]))


def _list_types(candidates: Sequence[Candidate]) -> Codes:
    """Return the meeting types that each candidate is offered in."""
    by_terms, by_level = (
        to_numbers(to_bits, types).astype(np.uint8)
        for types in zip(*((each.meeting_types, each.level_types) for each in candidates), strict=True)
    )
    return by_terms & by_level


def _number_places(locations: Sequence[str | None], places: Mapping[str, int]) -> Indexes:
    """Return the number of each place: -1 for anywhere, one more than all for an unknown place."""
    numbers = [-1 if each is None else places.get(to_place(each), len(places)) for each in locations]
    return np.array(numbers, dtype=np.intp)


def _list_plan_keys(candidates: Sequence[Candidate], extra: ExtraHours) -> Iterator[_PlanKey]:
    """Yield the members of each candidate's plan, quicker than the plans themselves."""
    if not extra.number_of:
        return ((each.zone, _list_hours(each), each.start_place, None, "") for each in candidates)
    advisors = [extra.number_of.get(each.resource_key) for each in candidates]
    return (
        (each.zone, _list_hours(each), each.start_place, advisor, "" if advisor is None else each.home)
        for each, advisor in zip(candidates, advisors, strict=True)
    )


def _list_hours(candidate: Candidate) -> tuple[WorkInterval, ...]:
    """Return the candidate's hours, those at other places than its `physical_places` without physical meetings."""
    if candidate.physical_places is None:
        return candidate.intervals
    return _keep_physical(candidate.intervals, candidate.physical_places)


@lru_cache(maxsize=1024)
def _keep_physical(intervals: tuple[WorkInterval, ...], locations: frozenset[str]) -> tuple[WorkInterval, ...]:
    places = frozenset(map(to_place, locations))
    return tuple(
        each
        if to_place(each.location) in places
        else replace(each, meeting_types=each.meeting_types - {MeetingType.PHYSICAL})
        for each in intervals
    )


def _place_weekly(
    rows: Sequence[tuple[int, WorkInterval]], clocks: Sequence[ZoneClock], begin: int, end: int
) -> tuple[Instants, Instants]:
    """Return the begins and ends of each row (clock, interval) in each week near [begin, end]; shape (rows, weeks)."""
    weeks = (end - begin) // (7 * DAY) + 2
    clock_of = np.array([clock for clock, _ in rows], dtype=np.intp)
    weekdays = np.array([each.weekday for _, each in rows], dtype=np.int64)[:, np.newaxis]
    from_wall = to_numbers(since_midnight, [each.from_time for _, each in rows])[:, np.newaxis]
    to_wall = to_numbers(since_midnight, [each.to_time for _, each in rows])[:, np.newaxis]
    begins = np.empty((len(rows), weeks), dtype=np.int64)
    ends = np.empty_like(begins)
    for number, clock in enumerate(clocks):
        own = clock_of == number
        first = int(clock.days(begin, end)[0])
        days = first + (weekdays[own] - (first + _WEEKDAY_OF_DAY_0)) % 7 + 7 * np.arange(weeks)
        begins[own], ends[own] = clock.hours(days, from_wall[own], to_wall[own])
    return np.clip(begins, begin, end), np.clip(ends, begin, end)
