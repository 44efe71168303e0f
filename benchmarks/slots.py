"""The slot search and its JSON beside the naive loop, on firms of three sizes: `python benchmarks/slots.py`.

The naive loop is the one that everybody writes first: for each advisor, day and half-hour, look at the hours and at the
day's meetings, and give the list to `json`. It runs on a part of the advisors, its time is scaled up, and it must find
what the search finds for them.
"""

import gc
import json
import os
import platform
import resource
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from time import perf_counter
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np

from meetdeck.booking.slots.encode import encode
from meetdeck.booking.slots.instants import to_datetime, to_instant
from meetdeck.booking.slots.model import Busy, Candidate, MeetingType, Organization, Query, Room, Slots, WorkInterval
from meetdeck.booking.slots.search import search

ZONE = ZoneInfo("Europe/Copenhagen")
NOW = datetime(2026, 3, 2, 6, tzinfo=UTC)
HALF_HOUR, HOUR, DAY = timedelta(minutes=30), timedelta(hours=1), timedelta(days=1)
TYPES = frozenset({MeetingType.PHYSICAL, MeetingType.ONLINE, MeetingType.TELEPHONE})
MEETINGS_A_DAY = 5
NAIVE_ADVISORS = 50


class Firm(NamedTuple):
    """What a search is given."""

    query: Query
    organization: Organization
    advisors: list[Candidate]
    rooms: tuple[Room, ...]
    busy: Busy


class Naive(NamedTuple):
    """What the naive loop found in its part, and the seconds it would take for the whole firm."""

    items: list[dict[str, str]]
    search: float
    encode: float


def make_firm(advisors: int, days: int, *, distinct: bool) -> Firm:
    """Make a firm: Monday to Friday, about nine hours; `distinct`: no two advisors keep the same ones."""
    rng = np.random.default_rng(1)
    keys = np.repeat(np.arange(1, advisors + 1), days * MEETINGS_A_DAY)
    rng.shuffle(keys)
    hours = rng.integers(0, days * 48, len(keys)) * 1_800_000_000 + to_instant(NOW)
    shared = _workweek(time(8), time(17))
    candidates = [
        Candidate(
            UUID(int=number),
            number,
            ZONE,
            _workweek(time(7, number % 60), time(15 + number // 60 % 3, number // 180 % 60)) if distinct else shared,
            timedelta(hours=6),
        )
        for number in range(1, advisors + 1)
    ]
    query = Query(now=NOW, starts_at=NOW, ends_at=NOW + timedelta(days=days), duration=HOUR)
    return Firm(query, Organization(ZONE, time(8), time(17)), candidates, (), Busy(keys, hours, hours + 3_600_000_000))


def _workweek(begin: time, end: time) -> tuple[WorkInterval, ...]:
    return tuple(WorkInterval(weekday, begin, end, TYPES, "Aarhus") for weekday in range(5))


def best(run: Callable[[], object], times: int) -> float:
    """Return the shortest of the runs, in seconds."""
    return min(_time(run) for _ in range(times))


def _time(run: Callable[[], object]) -> float:
    gc.collect()
    begin = perf_counter()
    run()
    return perf_counter() - begin


def loop_naively(firm: Firm) -> list[dict[str, str]]:
    """Find the slots of the first advisors, day by day and half-hour by half-hour."""
    part = firm.advisors[:NAIVE_ADVISORS]
    meetings: dict[tuple[int, date], list[tuple[datetime, datetime]]] = defaultdict(list)
    columns = (firm.busy.resource_keys, firm.busy.starts_at, firm.busy.ends_at)
    mine = firm.busy.resource_keys <= len(part)
    for key, begin, end in zip(*(column[mine].tolist() for column in columns), strict=True):
        meeting = to_datetime(begin).astimezone(ZONE), to_datetime(end).astimezone(ZONE)
        for day in {each.date() for each in meeting}:
            meetings[key, day].append(meeting)
    last = firm.query.ends_at.astimezone(ZONE).date()
    items: list[dict[str, str]] = []
    for advisor in part:
        day = firm.query.starts_at.astimezone(ZONE).date()
        while day <= last:
            items += _offer_naively(advisor, meetings[advisor.resource_key, day], day, firm.query)
            day += DAY
    return items


def _offer_naively(
    advisor: Candidate, meetings: list[tuple[datetime, datetime]], day: date, query: Query
) -> list[dict[str, str]]:
    midnight = datetime.combine(day, time(0), ZONE)
    booked = sum((min(until, midnight + DAY) - max(begin, midnight) for begin, until in meetings), timedelta(0))
    if advisor.daily_limit is not None and booked + query.duration > advisor.daily_limit:
        return []
    items: list[dict[str, str]] = []
    for interval in advisor.intervals:
        if interval.weekday != day.weekday():
            continue
        start, closing = midnight, datetime.combine(day, interval.to_time, ZONE)
        while start + query.duration <= closing:
            end = start + query.duration
            if (
                start >= datetime.combine(day, interval.from_time, ZONE)
                and query.starts_at <= start
                and end <= query.ends_at
                and not any(begin < end and start < until for begin, until in meetings)
            ):
                items += [
                    {
                        "startDate": f"{start.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
                        "endDate": f"{end.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
                        "meetingType": meeting_type.value,
                        "employeeId": str(advisor.employee_id),
                    }
                    for meeting_type in interval.meeting_types
                ]
            start += HALF_HOUR
    return items


def measure_naive(firm: Firm) -> Naive:
    """Time the naive loop and `json` on a part of the firm."""
    scale = len(firm.advisors) / min(NAIVE_ADVISORS, len(firm.advisors))
    begin = perf_counter()
    items = loop_naively(firm)
    seconds = perf_counter() - begin
    return Naive(items, seconds * scale, _time(lambda: json.dumps(items)) * scale)


def count_bytes(slots: Slots) -> int:
    """Encode and drop each chunk, as a server does."""
    return sum(len(chunk) for chunk in encode(slots))


def check(firm: Firm, naive_items: list[dict[str, str]]) -> None:
    """Stop the benchmark when the two do not find the same."""
    part = search(*firm._replace(advisors=firm.advisors[:NAIVE_ADVISORS]))
    items = json.loads(b"".join(encode(part)))
    if sorted(map(str, items)) != sorted(map(str, naive_items)):
        raise SystemExit("the naive loop and the search disagree: there is nothing to compare")


def report(advisors: int, days: int, *, distinct: bool) -> None:
    """Print one line: our times, the naive ones and the ratios."""
    firm = make_firm(advisors, days, distinct=distinct)
    rounds = 20_000 // advisors + 1
    slots = search(*firm)
    ours, ours_json = best(lambda: search(*firm), rounds), best(lambda: count_bytes(slots), rounds)
    naive = measure_naive(firm)
    check(firm, naive.items)
    name = f"{advisors:,} x {days}{', all hours differ' if distinct else ''}"
    print(
        f"{name:<30} {len(slots):>9,} items {len(firm.busy.starts_at):>9,} busy | "
        f"search {ours * 1e3:7.1f} ms, naive {naive.search * 1e3:9.0f} ms ({naive.search / ours:5.0f}x) | "
        f"JSON {ours_json * 1e3:6.1f} ms, json {naive.encode * 1e3:7.0f} ms ({naive.encode / ours_json:4.0f}x) | "
        f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB"
    )


def main() -> None:
    """Measure the firms, small to large."""
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, numpy {np.__version__}")
    for advisors, days, distinct in ((50, 7, False), (1000, 30, False), (1000, 30, True), (10_000, 30, False)):
        report(advisors, days, distinct=distinct)


if __name__ == "__main__":
    main()
