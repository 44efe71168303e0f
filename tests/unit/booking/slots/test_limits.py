"""Daily limits on a small firm."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from meetdeck.booking.slots.search import find_calendar_span
from support.slots.small_firm import (
    ADVISOR,
    ALL_MORNING,
    DAY,
    HOUR,
    MINUTE,
    MONDAY,
    OFFICE,
    QUERY,
    at,
    starts,
    taken,
    with_hours,
    works,
)


@pytest.mark.parametrize(
    ("limit", "busy", "expected"),
    [
        pytest.param(None, taken("13:00", "23:00"), ALL_MORNING, id="without a limit any time may be booked"),
        pytest.param(3 * HOUR, taken("13:00", "15:00"), ALL_MORNING, id="the limit may be reached"),
        pytest.param(3 * HOUR - MINUTE, taken("13:00", "15:00"), "", id="the limit is not exceeded"),
        pytest.param(HOUR - MINUTE, taken("13:00", "15:00", key=2), "", id="a meeting longer than the limit is out"),
        pytest.param(2 * HOUR, taken("13:00", "15:00", key=2), ALL_MORNING, id="another advisor's time does not count"),
        pytest.param(2 * HOUR, taken("13:00", "15:00", day=MONDAY - DAY), ALL_MORNING, id="totals begin anew each day"),
        pytest.param(
            2 * HOUR, (1, at("20:00") - DAY, at("01:00")), ALL_MORNING, id="over midnight each day has its part"
        ),
        pytest.param(2 * HOUR, (1, at("20:00") - DAY, at("01:01")), "", id="and no more than its part"),
        pytest.param(2 * HOUR, (1, at("23:00"), at("05:00") + DAY), ALL_MORNING, id="also into the next day"),
        pytest.param(timedelta.max, taken("13:00", "15:00"), ALL_MORNING, id="a limit beyond the calendar is none"),
    ],
)
def test_the_daily_limit_decides(limit: timedelta | None, busy: tuple[int, datetime, datetime], expected: str) -> None:
    assert starts(advisor=replace(ADVISOR, daily_limit=limit), busy=(busy,)) == expected


def test_the_day_of_the_limit_is_the_organizations() -> None:
    advisor = replace(ADVISOR, daily_limit=2 * HOUR)
    busy = (taken("00:30", "02:30"),)  # still Sunday in São Paulo, except for the last hours
    assert starts(advisor=advisor, busy=busy) == ""
    assert starts(advisor=advisor, busy=busy, office=replace(OFFICE, zone=ZoneInfo("America/Sao_Paulo"))) == ALL_MORNING


def test_a_slot_over_midnight_is_out_when_either_day_is_full() -> None:
    night = with_hours(works("23:00", "00:00"), works("00:00", "01:00", weekday=1))
    query = replace(QUERY, ends_at=at("00:00") + 2 * DAY)
    tuesday = taken("10:00", "12:00", day=MONDAY + DAY)
    assert starts(query, night) == "23:00 23:30 00:00"
    careful = replace(night, daily_limit=2 * HOUR)
    assert starts(query, careful, busy=(tuesday,)) == "23:00"
    assert starts(query, careful, busy=(taken("10:00", "12:00"),)) == "00:00"


def test_what_was_booked_before_the_clocks_changed_counts_for_the_day() -> None:
    auckland = ZoneInfo("Pacific/Auckland")
    sunday = date(2026, 4, 5)  # begins at 11:00 UTC the day before; clocks go back three hours later
    advisor = replace(with_hours(works("14:00", "16:00", weekday=6)), zone=auckland, daily_limit=HOUR)
    afternoon = at("13:00", sunday, auckland)
    query = replace(QUERY, starts_at=afternoon, ends_at=afternoon + 4 * HOUR)
    office = replace(OFFICE, zone=auckland)
    early = (1, at("00:15", sunday, auckland), at("00:45", sunday, auckland))
    assert starts(query, advisor, office) == "14:00 14:30 15:00"
    assert starts(query, advisor, office, busy=(early,)) == ""
    assert find_calendar_span(query, office, [advisor])[0] == at("00:00", sunday, auckland)
