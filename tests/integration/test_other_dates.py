"""The dates of `make thorough`: which they are, and that processes are really there."""

import platform
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta

import pytest

from meetdeck.booking.localization.dates import show_date
from meetdeck.demo.firm import ZONE
from support.dates import MOMENTS, find_moment, rotate, shift_clock

HOUR = timedelta(hours=1)


def test_the_dates_have_what_is_seldom() -> None:
    begins = [one.begins_at.astimezone(ZONE) for one in MOMENTS]
    days = {one.date() for one in begins}
    assert len(days) == len(MOMENTS) == 12
    assert any((day.month, day.day) == (2, 29) for day in days)
    assert {(one.astimezone(UTC) + HOUR).astimezone(ZONE).utcoffset() - one.utcoffset() for one in begins} == {  # pyright: ignore[reportOperatorIssue] - aware
        timedelta(),
        HOUR,
        -HOUR,
    }
    assert any((one + HOUR).year > one.year for one in begins)
    for language in ("en", "da"):
        lengths = {len(show_date(date(2027, 1, 1) + timedelta(days=number), language)) for number in range(365)}
        assert {min(lengths), max(lengths)} <= {len(show_date(day, language)) for day in days}


def test_all_of_them_come_up_within_a_week() -> None:
    days = [date(2026, 11, 24) + timedelta(days=number) for number in range(6)]
    assert {moment for day in days for moment in rotate(day, 2)} == set(MOMENTS)


def test_a_day_that_is_listed_has_its_moment_and_another_its_morning() -> None:
    assert find_moment("2026-12-31").begins_at == datetime(2026, 12, 31, 22, 50, tzinfo=UTC)
    assert find_moment("2029-07-04").begins_at == datetime(2029, 7, 4, 9, 0, tzinfo=UTC)
    with pytest.raises(ValueError, match="Invalid isoformat"):
        find_moment("tomorrow")


@pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"), reason="that library is for x86-64 Linux"
)
def test_a_process_is_at_another_date_and_so_are_those_that_it_starts() -> None:
    moment = datetime(2028, 2, 29, 9, 0, tzinfo=UTC)
    environment = shift_clock(moment)
    assert environment is not None
    ended = subprocess.run(
        ["/bin/sh", "-c", "date -u +%F"], env=environment, capture_output=True, text=True, check=True
    )
    assert ended.stdout.strip() == "2028-02-29"
