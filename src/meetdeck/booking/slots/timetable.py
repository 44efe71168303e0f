"""The candidates' working hours on the UTC time line, each distinct schedule once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from zoneinfo import ZoneInfo

import numpy as np
from msgspec.structs import replace

from meetdeck.booking.slots.calendar import ZoneClock, since_midnight
from meetdeck.booking.slots.model import Candidate, MeetingType, WorkInterval, to_bits, to_place
from meetdeck.booking.slots.timestamps import DAY, Codes, Indexes, Instants, to_numbers

_WEEKDAY_OF_DAY_0 = 3  # 1970-01-01 was a Thursday


@dataclass(frozen=True, slots=True, eq=False)
class Timetable:
    """All plans (a schedule in its zone, with a start place) of the candidates between two instants, in columns.

    Candidate c follows plan `plan_of[c]`, in the meeting types `types_of[c]` alone, by the clock
    `clocks[clock_of[plan]]`. Slots of a plan start in hours at `places[start_place_of[plan]]`; an index of -1 means
    anywhere, one beyond the end a place that no interval is at. Entry e says that plan `plans[e]` (ascending) holds
    interval `intervals[e]`. Interval i offers the meeting types `types[i]` at the place
    `places[place_of[i]]`, in each week w from `begins[i, w]` up to `ends[i, w]`.
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

    @property
    def plan_count(self) -> int:
        """Return the number of plans."""
        return len(self.clock_of)


def lay_out(candidates: Sequence[Candidate], begin: int, end: int) -> Timetable:
    """Return the timetable of the candidates' schedules between two UTC instants."""
    plans: dict[tuple[ZoneInfo, tuple[WorkInterval, ...], str | None], int] = {}
    plan_of = [plans.setdefault((each.zone, _list_hours(each), each.start_place), len(plans)) for each in candidates]
    zones: dict[ZoneInfo, int] = {}
    clock_of = [zones.setdefault(zone, len(zones)) for zone, *_ in plans]
    rows: dict[tuple[int, WorkInterval], int] = {}
    entries = [
        (number, rows.setdefault((clock, interval), len(rows)))
        for number, (clock, (_, intervals, _)) in enumerate(zip(clock_of, plans, strict=True))
        for interval in intervals
    ]
    entry_plans, entry_intervals = np.array(entries, dtype=np.intp).reshape(-1, 2).T
    places: dict[str, int] = {}
    place_of = to_numbers(
        lambda location: places.setdefault(to_place(location), len(places)), [each.location for _, each in rows]
    )
    clocks = tuple(ZoneClock(zone, begin, end) for zone in zones)
    begins, ends = _place_weekly(tuple(rows), clocks, begin, end)
    return Timetable(
        plan_of=np.array(plan_of, dtype=np.intp),
        types_of=np.bitwise_and(
            *(
                to_numbers(to_bits, types).astype(np.uint8)
                for types in zip(*((each.meeting_types, each.level_types) for each in candidates), strict=True)
            )
        ),
        clocks=clocks,
        clock_of=np.array(clock_of, dtype=np.intp),
        start_place_of=np.array(
            [-1 if place is None else places.get(to_place(place), len(places)) for *_, place in plans], dtype=np.intp
        ),
        plans=entry_plans,
        intervals=entry_intervals,
        types=to_numbers(to_bits, [each.meeting_types for _, each in rows]).astype(np.uint8),
        places=tuple(places),
        place_of=place_of,
        begins=begins,
        ends=ends,
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
