"""Local hours on the days when clocks change: no slot is lost, doubled or shifted."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace
from tests.unit.booking.slots.small_firm import ADVISOR, DAY, OFFICE, ONLINE, QUERY

from meetdeck.booking.slots.model import Busy, WorkInterval
from meetdeck.booking.slots.search import search


def utc_starts(zone: str, day: date, begin: str, end: str, minutes: int = 30) -> str:
    """Return the UTC times at which one who works from begin to end on that day can start."""
    interval = WorkInterval(day.weekday(), time.fromisoformat(begin), time.fromisoformat(end), frozenset({ONLINE}))
    noon = datetime.combine(day, time(12), UTC)
    query = replace(
        QUERY, now=noon - 2 * DAY, starts_at=noon - 2 * DAY, ends_at=noon + 2 * DAY, duration=timedelta(minutes=minutes)
    )
    advisor = replace(ADVISOR, zone=ZoneInfo(zone), intervals=(interval,))
    found = search(query, OFFICE, [advisor], (), Busy.from_rows(()))
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
        pytest.param("Pacific/Apia", date(2011, 12, 30), "09:00", "10:00", "", id="a date that was left out"),
    ],
)
def test_on_days_when_clocks_change_each_real_half_hour_is_one_slot(
    zone: str, day: date, begin: str, end: str, expected: str
) -> None:
    assert utc_starts(zone, day, begin, end) == expected


def test_a_meeting_lasts_as_long_as_it_takes_however_the_clock_moves() -> None:
    assert utc_starts("Europe/Copenhagen", date(2026, 3, 29), "01:00", "04:00", minutes=120) == "00:00"
    assert utc_starts("Europe/Copenhagen", date(2026, 10, 25), "01:00", "03:00", minutes=180) == "23:00"


def test_advisors_of_many_zones_each_start_by_their_own_clock() -> None:
    day = date(2026, 3, 2)
    interval = WorkInterval(0, time(9), time(10), frozenset({ONLINE}))
    zones = ("Asia/Kathmandu", "Asia/Kolkata", "Europe/Copenhagen", "Asia/Katmandu")
    crowd = [replace(ADVISOR, zone=ZoneInfo(zone), intervals=(interval,)) for zone in zones]
    query = replace(QUERY, starts_at=datetime.combine(day, time(0), UTC), now=datetime.combine(day, time(0), UTC))
    found = search(replace(query, duration=timedelta(minutes=30)), OFFICE, crowd, (), Busy.from_rows(()))
    assert " ".join(f"{slot.starts_at:%H:%M}" for slot in found) == "03:15 03:15 03:30 03:45 03:45 04:00 08:00 08:30"
