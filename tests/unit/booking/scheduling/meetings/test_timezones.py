"""VTIMEZONEs, read as RFC 5545 says and compared with the tz database: zones, years and clock changes."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import MAXYEAR, UTC, datetime, timedelta
from io import StringIO
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import pytest
from dateutil.rrule import rrulestr
from dateutil.tz import tzical

from meetdeck.booking.scheduling.meetings.service.timezones import make_timezone

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
SAMPLE = (
    "Europe/Copenhagen",
    "Europe/Dublin",
    "Africa/Casablanca",
    "Africa/El_Aaiun",
    "Africa/Cairo",
    "Africa/Abidjan",
    "Atlantic/Reykjavik",
    "America/New_York",
    "America/Nuuk",
    "America/Santiago",
    "America/St_Johns",
    "Antarctica/Troll",
    "Asia/Gaza",
    "Asia/Jerusalem",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Pacific/Chatham",
    "Pacific/Kiritimati",
    "Etc/GMT+12",
)
FAR = (1, 1916, 1945, 1972, 2011, 2200, 9980, 9999)

Clock = tuple[list[datetime], list[timedelta]]


def write(zone: str, year: int) -> str:
    return make_timezone(ZoneInfo(zone), year).to_ical().decode()


def read(written: str, until: datetime) -> Clock:
    """Return the moments from which offsets hold up to another, and these offsets."""
    lines = written.replace("\r\n ", "").split("\r\n")
    onsets: list[tuple[datetime, timedelta]] = []
    members: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        if name == "BEGIN":
            members = {}
        elif line in {"END:STANDARD", "END:DAYLIGHT"}:
            before, after = (read_offset(members[each]) for each in ("TZOFFSETFROM", "TZOFFSETTO"))
            onsets += [(time.replace(tzinfo=UTC) - before, after) for time in list_times(members, until)]
        else:
            members[name.partition(";")[0]] = value
    onsets.sort()
    return [moment for moment, _ in onsets], [offset for _, offset in onsets]


def list_times(members: dict[str, str], until: datetime) -> Iterator[datetime]:
    begin = datetime.strptime(members["DTSTART"], "%Y%m%dT%H%M%S")  # noqa: DTZ007 - as clocks show it
    yield begin
    if "RRULE" in members:
        rule: Any = rrulestr(members["RRULE"], dtstart=begin)
        yield from rule.between(begin, until.replace(tzinfo=None) + DAY)
    for time in filter(None, members.get("RDATE", "").split(",")):
        yield datetime.strptime(time, "%Y%m%dT%H%M%S")  # noqa: DTZ007 - as clocks show it


def read_offset(text: str) -> timedelta:
    hours, minutes, seconds = int(text[1:3]), int(text[3:5]), int(text[5:7] or 0)
    return (-1 if text[0] == "-" else 1) * timedelta(hours=hours, minutes=minutes, seconds=seconds)


def list_moments(zone: ZoneInfo, year: int, years: int) -> Iterator[datetime]:
    """Yield each month of some years, and the hour before and after each clock change."""
    first = max(datetime(year, 1, 1, tzinfo=UTC), datetime.min.replace(tzinfo=UTC) + 3 * DAY)
    last = datetime(min(year + years, MAXYEAR), 12, 24, tzinfo=UTC)
    yield from (first, last)
    yield from (datetime(each, month, 1, tzinfo=UTC) for each in range(year + 1, last.year) for month in range(1, 13))
    for after in list_changes(zone, first, last, [4 * DAY, 6 * HOUR, HOUR / 4]):
        yield from (after - HOUR, after - HOUR / 4, after, after + HOUR)


def list_changes(zone: ZoneInfo, first: datetime, last: datetime, steps: Sequence[timedelta]) -> Iterator[datetime]:
    """Yield the moments after clock changes between two moments, looked for in steps, each finer."""
    moment, offset = first, first.astimezone(zone).utcoffset()
    while moment < last:
        after = moment + steps[0]
        offset_after = after.astimezone(zone).utcoffset()
        if offset_after != offset:
            yield from list_changes(zone, moment, after, steps[1:]) if steps[1:] else [after]
        moment, offset = after, offset_after


def list_wrong(zone: str, moments: Sequence[datetime], clock: Clock) -> list[datetime]:
    """Return the moments at which a clock does not show what the zone does."""
    begins, offsets = clock
    place = ZoneInfo(zone)
    return [one for one in moments if offsets[bisect_right(begins, one) - 1] != one.astimezone(place).utcoffset()]


def find_faults(zones: Sequence[str], year: int, years: int) -> dict[str, list[datetime]]:
    """Return the zones whose VTIMEZONE is wrong at some moment of these years, and the moments."""
    found: dict[str, list[datetime]] = {}
    for zone in zones:
        moments = list(list_moments(ZoneInfo(zone), year, years))
        clock = read(write(zone, year), max(moments))
        assert clock[0][0] <= min(moments), f"{zone} begins too late"
        if wrong := list_wrong(zone, moments, clock):
            found[zone] = wrong
    return found


@pytest.mark.parametrize("year", [2026, 2027])
def test_a_timezone_shows_every_clock_change_of_ten_years(year: int) -> None:
    assert find_faults(SAMPLE, year, 10) == {}


@pytest.mark.thorough
def test_all_zones_show_every_clock_change_of_ten_years() -> None:
    assert find_faults(sorted(available_timezones()), 2026, 10) == {}


@pytest.mark.parametrize("year", FAR)
def test_an_event_may_be_at_any_time(year: int) -> None:
    assert find_faults(SAMPLE, year, 1) == {}


def test_other_programs_read_the_clock_changes_of_ramadan() -> None:
    for zone in ("Africa/Casablanca", "Europe/Copenhagen", "America/New_York", "Africa/Abidjan"):
        other: Any = tzical(StringIO(write(zone, 2027).replace("\r\n ", "")))
        clock = other.get(zone)
        for day in range(365):
            moment = datetime(2027, 1, 1, 9, tzinfo=ZoneInfo(zone)) + day * DAY
            assert moment.replace(tzinfo=clock).utcoffset() == moment.utcoffset(), moment


def test_a_timezone_is_small() -> None:
    assert len(write("Europe/Copenhagen", 2026)) < 400
    assert max(len(write(zone, 2026)) for zone in SAMPLE) < 800
