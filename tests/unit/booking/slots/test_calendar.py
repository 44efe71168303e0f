"""Local hours on the days when clocks change: no slot is lost, doubled or shifted."""

from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from meetdeck.booking.slots.model import Calendars, WorkInterval
from meetdeck.booking.slots.search import search
from support.slots.small_firm import ADVISOR, DAY, OFFICE, ONLINE, QUERY


def utc_starts(zone: str, day: date, begin: str, end: str, minutes: int = 30) -> str:
    """Return the UTC times at which one who works from begin to end on that day can start."""
    interval = WorkInterval(day.weekday(), time.fromisoformat(begin), time.fromisoformat(end), frozenset({ONLINE}))
    noon = datetime.combine(day, time(12), UTC)
    query = replace(
        QUERY, now=noon - 2 * DAY, starts_at=noon - 2 * DAY, ends_at=noon + 2 * DAY, duration=timedelta(minutes=minutes)
    )
    advisor = replace(ADVISOR, zone=ZoneInfo(zone), intervals=(interval,))
    found = search(query, OFFICE, [advisor], (), Calendars.from_rows(()))
    return " ".join(f"{slot.starts_at:%H:%M}" for slot in found)


@pytest.mark.parametrize(
    ("zone", "day", "begin", "end", "expected"),
    [
        pytest.param(
            "Europe/Copenhagen", date(2026, 3, 29), "01:00", "04:00", "00:00 00:30 01:00 01:30", id="an hour left out"
        ),
        pytest.param(
            "Europe/Copenhagen",
            date(2026, 3, 29),
            "02:30",
            "04:00",
            "01:00 01:30",
            id="from in the gap is the gap's end",
        ),
        pytest.param(
            "Europe/Copenhagen", date(2026, 3, 29), "01:30", "02:30", "00:30", id="to in the gap is the gap's end too"
        ),
        pytest.param("Europe/Copenhagen", date(2026, 3, 29), "02:00", "03:00", "", id="the gap holds no time"),
        pytest.param(
            "Europe/Copenhagen",
            date(2026, 10, 25),
            "01:30",
            "03:30",
            "23:30 00:00 00:30 01:00 01:30 02:00",
            id="a repeated hour is two hours of slots",
        ),
        pytest.param(
            "Europe/Copenhagen",
            date(2026, 10, 25),
            "02:30",
            "03:00",
            "00:30 01:00 01:30",
            id="from is the first time that the clock shows it",
        ),
        pytest.param(
            "Europe/Copenhagen",
            date(2026, 10, 25),
            "01:00",
            "02:30",
            "23:00 23:30 00:00 00:30 01:00",
            id="to is the last time that the clock shows it",
        ),
        pytest.param(
            "Europe/Copenhagen",
            date(2026, 10, 25),
            "01:00",
            "02:00",
            "23:00 23:30 00:00 00:30",
            id="even when it begins the repeated hour",
        ),
        pytest.param(
            "Australia/Lord_Howe",
            date(2026, 4, 5),
            "01:00",
            "02:30",
            "14:00 14:30 15:00 15:30",
            id="half an hour repeated",
        ),
        pytest.param(
            "Australia/Lord_Howe", date(2026, 10, 4), "01:30", "03:00", "15:00 15:30", id="half an hour left out"
        ),
        pytest.param("America/Sao_Paulo", date(2018, 11, 4), "00:00", "02:00", "03:00 03:30", id="midnight left out"),
        pytest.param(
            "America/Sao_Paulo", date(2018, 11, 3), "23:00", "00:00", "02:00 02:30", id="the day before ends as ever"
        ),
        pytest.param(
            "America/Sao_Paulo",
            date(2018, 2, 17),
            "22:30",
            "00:00",
            "00:30 01:00 01:30 02:00 02:30",
            id="the last hour before midnight repeated",
        ),
        pytest.param(
            "Atlantic/Azores",
            date(2026, 10, 24),
            "23:00",
            "00:00",
            "23:00 23:30",
            id="a day ends at its first midnight",
        ),
        pytest.param(
            "Atlantic/Azores",
            date(2026, 10, 25),
            "00:00",
            "01:00",
            "00:00 00:30 01:00 01:30",
            id="midnight shown twice belongs to the new day",
        ),
        pytest.param("Asia/Kathmandu", date(2026, 3, 2), "09:00", "10:00", "03:15 03:45", id="an offset of :45"),
        pytest.param(
            "Pacific/Chatham",
            date(2026, 4, 5),
            "02:00",
            "04:00",
            "12:15 12:45 13:15 13:45 14:15 14:45",
            id=":45 and change",
        ),
        pytest.param(
            "America/Santiago", date(2026, 9, 6), "00:00", "02:00", "04:00 04:30", id="another midnight left out"
        ),
        pytest.param(
            "Asia/Beirut", date(2026, 10, 24), "23:30", "00:00", "20:30 21:00 21:30", id="another last hour repeated"
        ),
        pytest.param(
            "Antarctica/Troll",
            date(2026, 10, 25),
            "02:30",
            "03:30",
            "00:30 01:00 01:30 02:00 02:30 03:00",
            id="two hours",
        ),
        pytest.param("Pacific/Apia", date(2011, 12, 30), "09:00", "10:00", "", id="a date that was left out"),
    ],
)
def test_on_days_when_clocks_change_each_real_half_hour_is_one_slot(
    zone: str, day: date, begin: str, end: str, expected: str
) -> None:
    assert utc_starts(zone, day, begin, end) == expected


@pytest.mark.parametrize("zone", ["Europe/Copenhagen", "Pacific/Chatham", "America/Santiago", "Africa/Casablanca"])
def test_a_search_over_many_changes_finds_on_each_day_what_a_search_of_that_day_finds(zone: str) -> None:
    clock = ZoneInfo(zone)
    hours = ((time(0), time(1, 45)), (time(2, 15), time(3)), (time(23, 10), time(0)))
    intervals = tuple(WorkInterval(day, *each, frozenset({ONLINE})) for day in range(7) for each in hours)
    advisor = replace(ADVISOR, zone=clock, intervals=intervals)

    def find(begin: datetime, end: datetime) -> list[datetime]:
        query = replace(QUERY, now=begin, starts_at=begin, ends_at=end, duration=timedelta(minutes=30))
        return [slot.starts_at for slot in search(query, OFFICE, [advisor], (), Calendars.from_rows(()))]

    new_year = datetime(2026, 1, 1, tzinfo=UTC)
    all_year = find(new_year, new_year + 400 * DAY)
    for day in (new_year + number * DAY for number in range(3, 365)):
        if (day - DAY).astimezone(clock).utcoffset() != (day + 2 * DAY).astimezone(clock).utcoffset():
            today = [start for start in find(day - DAY, day + 2 * DAY) if day <= start < day + DAY]
            assert today == [start for start in all_year if day <= start < day + DAY]


def test_a_search_that_begins_when_the_clock_shows_tomorrow_for_a_moment_finds_the_rest_of_today() -> None:
    night = WorkInterval(5, time(22), time(23, 45), frozenset({ONLINE}))  # clocks went back at 00:01, to 23:01
    midnight = datetime(2010, 11, 7, 2, 30, tzinfo=UTC)
    query = replace(QUERY, now=midnight, starts_at=midnight, ends_at=midnight + DAY, duration=timedelta(minutes=15))
    advisor = replace(ADVISOR, zone=ZoneInfo("America/St_Johns"), intervals=(night,))
    found = search(query, OFFICE, [advisor], (), Calendars.from_rows(()))
    assert [f"{slot.starts_at:%H:%M}" for slot in found] == ["02:30", "03:00"]


def test_a_meeting_lasts_as_long_as_it_takes_however_the_clock_moves() -> None:
    assert utc_starts("Europe/Copenhagen", date(2026, 3, 29), "01:00", "04:00", minutes=120) == "00:00"
    assert utc_starts("Europe/Copenhagen", date(2026, 10, 25), "01:00", "03:00", minutes=180) == "23:00"


def test_advisors_of_many_zones_each_start_by_their_own_clock() -> None:
    day = date(2026, 3, 2)
    interval = WorkInterval(0, time(9), time(10), frozenset({ONLINE}))
    zones = ("Asia/Kathmandu", "Asia/Kolkata", "Europe/Copenhagen", "Asia/Katmandu")
    crowd = [
        replace(ADVISOR, employee_id=UUID(int=number), zone=ZoneInfo(zone), intervals=(interval,))
        for number, zone in enumerate(zones)
    ]
    query = replace(QUERY, starts_at=datetime.combine(day, time(0), UTC), now=datetime.combine(day, time(0), UTC))
    found = search(replace(query, duration=timedelta(minutes=30)), OFFICE, crowd, (), Calendars.from_rows(()))
    assert " ".join(f"{slot.starts_at:%H:%M}" for slot in found) == "03:15 03:15 03:30 03:45 03:45 04:00 08:00 08:30"
