"""The owner's times in a calendar file."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from meetdeck.connections.icalendar import CalendarRefused, Kind, Problem, Reading, Window, read_busy_times
from support.calendars.random_files import write_file

COPENHAGEN = ZoneInfo("Europe/Copenhagen")
BEGIN = datetime(2026, 11, 2, tzinfo=UTC)
WINDOW = Window(BEGIN, BEGIN + timedelta(days=21))
AT_TEN = ["DTSTART:20261103T100000Z", "DTEND:20261103T110000Z"]


def read(*events: list[str], window: Window = WINDOW) -> Reading:
    return read_busy_times(write_file(*events).encode(), window, COPENHAGEN)


def show(*events: list[str], window: Window = WINDOW) -> list[str]:
    """Return the times of events by the clock in Copenhagen."""
    return [
        f"{one.starts_at.astimezone(COPENHAGEN):%d.%m %H:%M}-{one.ends_at.astimezone(COPENHAGEN):%d.%m %H:%M}"
        for one in read(*events, window=window).times
    ]


def wrap(component: str, *lines: str) -> bytes:
    """Return a file with a component."""
    inner = "\r\n".join([f"BEGIN:{component}", *lines, f"END:{component}"])
    return f"BEGIN:VCALENDAR\r\n{inner}\r\nEND:VCALENDAR\r\n".encode()


def test_a_time_may_be_in_utc_in_a_zone_or_by_the_owners_clock() -> None:
    assert show(AT_TEN) == ["03.11 11:00-03.11 12:00"]
    assert show(["DTSTART;TZID=America/New_York:20261103T100000", "DURATION:PT1H"]) == ["03.11 16:00-03.11 17:00"]
    assert show(["DTSTART:20261103T100000", "DURATION:PT1H"]) == ["03.11 10:00-03.11 11:00"]


def test_a_day_is_the_owners_day_and_its_end_is_the_next() -> None:
    assert show(["DTSTART;VALUE=DATE:20261103"]) == ["03.11 00:00-04.11 00:00"]
    assert show(["DTSTART;VALUE=DATE:20261103", "DTEND;VALUE=DATE:20261105"]) == ["03.11 00:00-05.11 00:00"]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("STATUS:CONFIRMED", Kind.BUSY),
        ("STATUS:TENTATIVE", Kind.BUSY),
        ("STATUS:CANCELLED", None),
        ("TRANSP:OPAQUE", Kind.BUSY),
        ("TRANSP:TRANSPARENT", None),
        ("X-MICROSOFT-CDO-BUSYSTATUS:FREE", None),
        ("X-MICROSOFT-CDO-BUSYSTATUS:OOF", Kind.BUSY),
        ("X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE", Kind.BUSY),
        ("X-MICROSOFT-CDO-BUSYSTATUS:WORKINGELSEWHERE", Kind.ELSEWHERE),
    ],
)
def test_an_entry_takes_time_as_its_status_says(line: str, kind: Kind | None) -> None:
    assert [one.kind for one in read([*AT_TEN, line]).times] == ([kind] if kind else [])


def test_times_that_overlap_or_touch_are_one() -> None:
    touching = ["DTSTART:20261103T110000Z", "DTEND:20261103T120000Z"]
    within = ["DTSTART:20261103T101500Z", "DTEND:20261103T103000Z"]
    assert show(touching, within, AT_TEN) == ["03.11 11:00-03.11 13:00"]


def test_an_entry_of_a_century_is_the_window() -> None:
    assert show(["DTSTART:19500101T000000Z", "DTEND:20500101T000000Z"]) == ["02.11 01:00-23.11 01:00"]


def test_one_occurrence_may_be_moved_cancelled_or_excluded() -> None:
    weekly = ["UID:a", *AT_TEN, "RRULE:FREQ=WEEKLY"]
    moved = ["UID:a", "RECURRENCE-ID:20261110T100000Z", "DTSTART:20261112T120000Z", "DTEND:20261112T123000Z"]
    assert show(weekly, moved) == ["03.11 11:00-03.11 12:00", "12.11 13:00-12.11 13:30", "17.11 11:00-17.11 12:00"]
    assert show(weekly, [*moved, "STATUS:CANCELLED"]) == ["03.11 11:00-03.11 12:00", "17.11 11:00-17.11 12:00"]
    assert len(show([*weekly, "EXDATE:20261110T100000Z"])) == 2
    assert len(show([*weekly, "EXDATE;VALUE=DATE:20261110"])) == 2


def test_a_change_of_this_and_all_that_follow_moves_them() -> None:
    weekly = ["UID:a", *AT_TEN, "RRULE:FREQ=WEEKLY"]
    later = [
        "UID:a",
        "RECURRENCE-ID;RANGE=THISANDFUTURE:20261110T100000Z",
        "DTSTART:20261111T130000Z",
        "DTEND:20261111T133000Z",
    ]
    assert show(weekly, later) == ["03.11 11:00-03.11 12:00", "11.11 14:00-11.11 14:30", "18.11 14:00-18.11 14:30"]


def test_dates_and_periods_are_added_and_rules_excluded() -> None:
    added = [*AT_TEN, "RDATE:20261105T100000Z", "RDATE;VALUE=PERIOD:20261106T080000Z/PT30M"]
    assert show(added) == ["03.11 11:00-03.11 12:00", "05.11 11:00-05.11 12:00", "06.11 09:00-06.11 09:30"]
    daily = ["DTSTART:20261102T100000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=7"]
    weekdays = show([*daily, "EXRULE:FREQ=WEEKLY;BYDAY=SA,SU,MO"])
    assert [one[:5] for one in weekdays] == ["03.11", "04.11", "05.11", "06.11"]


def test_the_later_version_of_an_entry_counts() -> None:
    assert show(["UID:a", *AT_TEN, "SEQUENCE:3", "STATUS:CANCELLED"], ["UID:a", *AT_TEN, "SEQUENCE:2"]) == []


@pytest.mark.parametrize("name", ["Romance Standard Time", "/example.org/20260101_1/Europe/Copenhagen", "europe/paris"])
def test_zones_are_known_by_windows_names_and_behind_prefixes(name: str) -> None:
    assert show([f'DTSTART;TZID="{name}":20261103T100000', "DURATION:PT1H"]) == ["03.11 10:00-03.11 11:00"]


def test_a_file_may_define_its_own_zone() -> None:
    zone = [
        "BEGIN:VTIMEZONE",
        "TZID:Customized Time Zone",
        "BEGIN:STANDARD",
        "DTSTART:16010101T030000",
        "TZOFFSETFROM:+0600",
        "TZOFFSETTO:+0500",
        "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10",
        "END:STANDARD",
        "BEGIN:DAYLIGHT",
        "DTSTART:16010101T020000",
        "TZOFFSETFROM:+0500",
        "TZOFFSETTO:+0600",
        "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3",
        "END:DAYLIGHT",
        "END:VTIMEZONE",
    ]
    event = [
        "BEGIN:VEVENT",
        "DTSTART;TZID=Customized Time Zone:20260105T100000",
        "DURATION:PT1H",
        "RRULE:FREQ=DAILY;INTERVAL=90",
        "END:VEVENT",
    ]
    data = "\r\n".join(["BEGIN:VCALENDAR", *zone, *event, "END:VCALENDAR", ""]).encode()
    year = Window(datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC))
    starts = [one.starts_at for one in read_busy_times(data, year, COPENHAGEN).times]
    assert [f"{one:%m-%d %H}" for one in starts] == ["01-05 05", "04-05 04", "07-04 04", "10-02 04", "12-31 05"]


def test_free_and_busy_times_are_read_without_their_events() -> None:
    data = wrap(
        "VFREEBUSY",
        "FREEBUSY;FBTYPE=BUSY:20261103T100000Z/20261103T110000Z,20261104T100000Z/PT30M",
        "FREEBUSY;FBTYPE=FREE:20261105T100000Z/PT1H",
        "FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20261106T100000Z/PT1H",
    )
    times = read_busy_times(data, WINDOW, COPENHAGEN).times
    assert [f"{one.starts_at:%d %H%M}-{one.ends_at:%H%M}" for one in times] == [
        "03 1000-1100",
        "04 1000-1030",
        "06 1000-1100",
    ]


def test_lines_may_be_folded_and_have_a_mark_in_front() -> None:
    data = b"\xef\xbb\xbf" + write_file(AT_TEN).replace("DTSTART:2026", "DTSTART:\r\n 2026").encode()
    assert len(read_busy_times(data, WINDOW, COPENHAGEN).times) == 1


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"<!doctype html><title>Sign in</title>", Problem.NO_CALENDAR),
        (b"", Problem.NO_CALENDAR),
        (write_file(AT_TEN).encode()[:-20], Problem.INCOMPLETE),
        (b"BEGIN:VCALENDAR\r\n" + b"X" * 5_000_000, Problem.TOO_LARGE),
        (
            write_file(["DTSTART:19700101T000000Z", "DTEND:20700101T000000Z", "RRULE:FREQ=DAILY"]).encode(),
            Problem.TOO_MANY,
        ),
        (b"BEGIN:VCALENDAR\r\n" + b"BEGIN:VEVENT\r\n" * 50, Problem.NO_CALENDAR),
    ],
)
def test_a_file_of_which_nothing_can_be_trusted_is_refused(data: bytes, problem: Problem) -> None:
    with pytest.raises(CalendarRefused) as refused:
        read_busy_times(data, WINDOW, COPENHAGEN)
    assert refused.value.problem is problem


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["SUMMARY:no start"], Problem.MALFORMED),
        (["DTSTART:soon"], Problem.MALFORMED),
        (["DTSTART:20261341T990000Z"], Problem.MALFORMED),
        ([*AT_TEN, "RRULE:FREQ=SOMETIMES"], Problem.MALFORMED),
        ([*AT_TEN, "RRULE:BYDAY=MO"], Problem.MALFORMED),
        ([*AT_TEN, "RRULE:FREQ=DAILY;INTERVAL=0"], Problem.MALFORMED),
        ([*AT_TEN, "RRULE:FREQ=YEARLY;BYMONTH=13"], Problem.MALFORMED),
        ([*AT_TEN, "RRULE:FREQ=DAILY;BYDAY=99XX"], Problem.MALFORMED),
        (["DTSTART:20261103T100000Z", "DURATION:P1Y"], Problem.MALFORMED),
        (["DTSTART:20261103T100000Z", "DURATION:PT1M", "RRULE:FREQ=MINUTELY"], Problem.TOO_FINE),
        (
            [
                "DTSTART:19500103T100000Z",
                "RRULE:FREQ=MONTHLY;BYHOUR=1;COUNT=9;BYMINUTE="
                + ",".join(map(str, range(60)))
                + ";BYSECOND="
                + ",".join(map(str, range(60))),
            ],
            Problem.TOO_FINE,
        ),
        (["DTSTART:00020103T100000Z", "RRULE:FREQ=WEEKLY;BYSETPOS=1;COUNT=9999999"], Problem.TOO_FAR),
    ],
)
def test_an_entry_that_cannot_be_read_is_left_out_and_the_others_are_read(lines: list[str], problem: Problem) -> None:
    found = read(lines, AT_TEN)
    assert found.left_out == {problem: 1}
    assert len(found.times) == 1
