"""A file of 200 bytes costs next to nothing, whatever its rule says."""

import tracemalloc
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from time import process_time
from zoneinfo import ZoneInfo

import pytest

from meetdeck.connections.icalendar import CalendarRefused, Window, read_busy_times
from support.calendars.random_files import write_file

BEGIN = datetime(2026, 11, 27, tzinfo=UTC)
WINDOW = Window(BEGIN, BEGIN + timedelta(days=367))
UTC_ZONE = ZoneInfo("UTC")

RULES = [
    "DTSTART:19000101T090000Z|DURATION:PT1H|RRULE:FREQ=DAILY",
    "DTSTART:19000101T090000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=99999",
    "DTSTART:00020101T090000Z|DURATION:PT1H|RRULE:FREQ=DAILY;BYDAY=MO;COUNT=999999",
    "DTSTART:19300101T090000Z|DURATION:PT1H|RRULE:FREQ=WEEKLY;BYSETPOS=1;COUNT=99999",
    "DTSTART:19700101T000000Z|DURATION:PT1M|RRULE:FREQ=HOURLY",
    "DTSTART:20200101T000000Z|DURATION:PT1S|RRULE:FREQ=MINUTELY",
    "DTSTART:20200101T000000Z|DURATION:PT1S|RRULE:FREQ=MINUTELY|EXRULE:FREQ=MINUTELY",
    "DTSTART:20260101T000000Z|DURATION:PT1S|RRULE:FREQ=SECONDLY",
    "DTSTART:20260101T000000Z|DURATION:PT1S|RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30;COUNT=3",
    "DTSTART:20000101T000000Z|RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
    "DTSTART:20000101T000000Z|DURATION:P36500D|RRULE:FREQ=DAILY",
    "DTSTART:20000101T000000Z|RRULE:FREQ=DAILY;INTERVAL=2147483647",
    "DTSTART:20000101T000000Z|RRULE:FREQ=WEEKLY;INTERVAL=2147483647;COUNT=2147483647",
    "DTSTART:20000101T000000Z|DURATION:PT1S|RRULE:FREQ=DAILY;BYHOUR=1,2,3,4,5,6,7,8,9,10,11,12;BYMINUTE=1,2,3,4,5,6,7",
    "DTSTART:99981231T000000Z|RRULE:FREQ=YEARLY;BYWEEKNO=-1,1,53",
    "DTSTART:20261127T090000|DURATION:PT1H|RRULE:FREQ=DAILY;BYMINUTE=0,1,2,3,4,5,6,7,8",
]


def read(lines: str) -> None:
    with suppress(CalendarRefused):
        read_busy_times(write_file(lines.split("|")).encode(), WINDOW, UTC_ZONE)


@pytest.mark.parametrize("lines", RULES)
def test_it_costs_fifty_milliseconds_at_most(lines: str) -> None:
    read(RULES[0])  # what is loaded once, and kept
    best = 1.0
    for _ in range(3):
        begin = process_time()
        read(lines)
        best = min(best, process_time() - begin)
    assert best < 0.05


@pytest.mark.parametrize("lines", RULES)
def test_it_needs_twenty_megabytes_at_most(lines: str) -> None:
    tracemalloc.start()
    try:
        read(lines)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()
