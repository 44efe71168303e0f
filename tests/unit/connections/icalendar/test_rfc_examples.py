"""The examples of RFC 5545, section 3.8.5.3, with the days that it lists."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from meetdeck.connections.icalendar import Window, read_busy_times
from support.calendars.random_files import write_file

NEW_YORK = ZoneInfo("America/New_York")
TUESDAY = "19970902T090000"


def list_starts(rule: str, start: str = TUESDAY, *, years: int = 3, others: tuple[str, ...] = ()) -> list[datetime]:
    """Return the local starts of a series in the years from its own on."""
    lines = [f"DTSTART;TZID=America/New_York:{start}", "DURATION:PT1M", f"RRULE:{rule}", *others]
    begin = datetime(int(start[:4]), 1, 1, tzinfo=UTC)
    window = Window(begin, begin + timedelta(days=366 * years))
    read = read_busy_times(write_file(lines).encode(), window, ZoneInfo("UTC"))
    assert not read.left_out
    return [one.starts_at.astimezone(NEW_YORK).replace(tzinfo=None) for one in read.times]


def to_days(text: str) -> list[str]:
    """Return the days of a list like `1997 Sep 2,9 Oct 7`."""
    year, month, days = "", "", list[str]()
    for word in text.split():
        if word.isdecimal() and len(word) == 4:
            year = word
        elif word.isalpha():
            month = word
        else:
            days += [f"{datetime.strptime(f'{year} {month} {day}', '%Y %b %d'):%Y-%m-%d}" for day in word.split(",")]  # noqa: DTZ007
    return days


@pytest.mark.parametrize(
    ("rule", "start", "days"),
    [
        ("FREQ=DAILY;COUNT=10", TUESDAY, "1997 Sep 2,3,4,5,6,7,8,9,10,11"),
        ("FREQ=DAILY;INTERVAL=10;COUNT=5", TUESDAY, "1997 Sep 2,12,22 Oct 2,12"),
        ("FREQ=WEEKLY;COUNT=10", TUESDAY, "1997 Sep 2,9,16,23,30 Oct 7,14,21,28 Nov 4"),
        (
            "FREQ=WEEKLY;UNTIL=19971224T000000Z",
            TUESDAY,
            "1997 Sep 2,9,16,23,30 Oct 7,14,21,28 Nov 4,11,18,25 Dec 2,9,16,23",
        ),
        ("FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH", TUESDAY, "1997 Sep 2,4,9,11,16,18,23,25,30 Oct 2"),
        ("FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH", TUESDAY, "1997 Sep 2,4,9,11,16,18,23,25,30 Oct 2"),
        (
            "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
            "19970901T090000",
            "1997 Sep 1,3,5,15,17,19,29 Oct 1,3,13,15,17,27,29,31 Nov 10,12,14,24,26,28 Dec 8,10,12,22",
        ),
        ("FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", TUESDAY, "1997 Sep 2,4,16,18,30 Oct 2,14,16"),
        (
            "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
            "19970905T090000",
            "1997 Sep 5 Oct 3 Nov 7 Dec 5 1998 Jan 2 Feb 6 Mar 6 Apr 3 May 1 Jun 5",
        ),
        ("FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR", "19970905T090000", "1997 Sep 5 Oct 3 Nov 7 Dec 5"),
        (
            "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
            "19970907T090000",
            "1997 Sep 7,28 Nov 2,30 1998 Jan 4,25 Mar 1,29 May 3,31",
        ),
        (
            "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO",
            "19970922T090000",
            "1997 Sep 22 Oct 20 Nov 17 Dec 22 1998 Jan 19 Feb 16",
        ),
        (
            "FREQ=MONTHLY;BYMONTHDAY=-3;COUNT=6",
            "19970928T090000",
            "1997 Sep 28 Oct 29 Nov 28 Dec 29 1998 Jan 29 Feb 26",
        ),
        (
            "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
            TUESDAY,
            "1997 Sep 2,15 Oct 2,15 Nov 2,15 Dec 2,15 1998 Jan 2,15",
        ),
        (
            "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
            "19970930T090000",
            "1997 Sep 30 Oct 1,31 Nov 1,30 Dec 1,31 1998 Jan 1,31 Feb 1",
        ),
        (
            "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
            "19970910T090000",
            "1997 Sep 10,11,12,13,14,15 1999 Mar 10,11,12,13",
        ),
        ("FREQ=MONTHLY;INTERVAL=2;BYDAY=TU;COUNT=7", TUESDAY, "1997 Sep 2,9,16,23,30 Nov 4,11"),
        ("FREQ=YEARLY;COUNT=4;BYMONTH=6,7", "19970610T090000", "1997 Jun 10 Jul 10 1998 Jun 10 Jul 10"),
        (
            "FREQ=YEARLY;INTERVAL=2;COUNT=6;BYMONTH=1,2,3",
            "19970310T090000",
            "1997 Mar 10 1999 Jan 10 Feb 10 Mar 10",
        ),
        (
            "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
            "19970101T090000",
            "1997 Jan 1 Apr 10 Jul 19 2000 Jan 1",
        ),
        ("FREQ=YEARLY;BYDAY=20MO", "19970519T090000", "1997 May 19 1998 May 18 1999 May 17"),
        ("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "19970512T090000", "1997 May 12 1998 May 11 1999 May 17"),
        ("FREQ=YEARLY;BYMONTH=3;BYDAY=TH;COUNT=7", "19970313T090000", "1997 Mar 13,20,27 1998 Mar 5,12,19,26"),
        (
            "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
            "19980213T090000",
            "1998 Feb 13 Mar 13 Nov 13 1999 Aug 13 2000 Oct 13",
        ),
        (
            "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13;COUNT=10",
            "19970913T090000",
            "1997 Sep 13 Oct 11 Nov 8 Dec 13 1998 Jan 10 Feb 7 Mar 7 Apr 11 May 9 Jun 13",
        ),
        (
            "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
            "19961105T090000",
            "1996 Nov 5",
        ),
        ("FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "19970904T090000", "1997 Sep 4 Oct 7 Nov 6"),
        (
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2;COUNT=7",
            "19970929T090000",
            "1997 Sep 29 Oct 30 Nov 27 Dec 30 1998 Jan 29 Feb 26 Mar 30",
        ),
        ("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "19970805T090000", "1997 Aug 5,10,19,24"),
        ("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "19970805T090000", "1997 Aug 5,17,19,31"),
        ("FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "20070115T090000", "2007 Jan 15,30 Feb 15 Mar 15,30"),
    ],
)
def test_a_rule_repeats_on_the_days_of_the_standard(rule: str, start: str, days: str) -> None:
    assert [f"{one:%Y-%m-%d}" for one in list_starts(rule, start)] == to_days(days)
    assert {f"{one:%H%M}" for one in list_starts(rule, start)} == {"0900"}


def test_all_days_of_january_are_the_same_in_two_ways() -> None:
    yearly = list_starts("FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA", "19980101T090000")
    assert yearly == list_starts("FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1", "19980101T090000")
    assert len(yearly) == 93


def test_the_friday_thirteenth_leaves_out_the_start_that_is_excluded() -> None:
    excluded = ("EXDATE;TZID=America/New_York:19970902T090000",)
    found = list_starts("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", others=excluded)
    assert [f"{one:%Y-%m-%d}" for one in found] == to_days("1998 Feb 13 Mar 13 Nov 13 1999 Aug 13")


@pytest.mark.parametrize(
    ("rule", "times"),
    [
        ("FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z", ["02 0900", "02 1200"]),
        ("FREQ=MINUTELY;INTERVAL=15;COUNT=6", ["02 0900", "02 0915", "02 0930", "02 0945", "02 1000", "02 1015"]),
        ("FREQ=MINUTELY;INTERVAL=90;COUNT=4", ["02 0900", "02 1030", "02 1200", "02 1330"]),
        ("FREQ=DAILY;BYHOUR=9,16;BYMINUTE=0,30;COUNT=5", ["02 0900", "02 0930", "02 1600", "02 1630", "03 0900"]),
    ],
)
def test_a_rule_may_repeat_within_the_day(rule: str, times: list[str]) -> None:
    assert [f"{one:%d %H%M}" for one in list_starts(rule)] == times


def test_the_clock_on_the_wall_stays_when_it_changes() -> None:
    found = list_starts("FREQ=DAILY;UNTIL=19971224T000000Z")
    assert len(found) == 113
    assert {f"{one:%H%M}" for one in found} == {"0900"}
