"""Extra hours, and hours elsewhere, of one advisor (docs/api/calendar-entries.md#extra-hours)."""

from datetime import date, timedelta

from msgspec.structs import replace

from meetdeck.booking.slots.model import EVERY_TYPE, Calendars, SpanRow
from meetdeck.booking.slots.search import search
from support.slots.small_firm import (
    ADVISOR,
    ALL_MORNING,
    DAY,
    HOUR,
    MINUTE,
    MONDAY,
    OFFICE,
    ONLINE,
    PHYSICAL,
    QUERY,
    TELEPHONE,
    at,
    starts,
    taken,
    with_hours,
    works,
)

ONLINE_ONLY = replace(QUERY, meeting_types=frozenset({ONLINE}))
AS_CUSTOMER = replace(ONLINE_ONLY, customer_initiated=True)


def span(begin: str, end: str, key: int = 1, day: date = MONDAY) -> SpanRow:
    return taken(begin, end, key, day)


def test_extra_hours_are_hours_beside_those_of_the_schedule_and_join_those_that_they_touch() -> None:
    assert starts(ONLINE_ONLY) == ALL_MORNING
    assert starts(ONLINE_ONLY, extra=(span("14:00", "15:30"),)) == f"{ALL_MORNING} 14:00 14:30"
    assert starts(ONLINE_ONLY, extra=(span("12:00", "13:00"),)) == f"{ALL_MORNING} 11:30 12:00"
    assert starts(ONLINE_ONLY, extra=(span("12:01", "13:01"),)) == ALL_MORNING
    assert starts(ONLINE_ONLY, extra=(span("08:10", "09:00"),)) == f"08:30 {ALL_MORNING}"
    assert starts(ONLINE_ONLY, extra=(span("14:00", "15:00", key=2),)) == ALL_MORNING


def test_extra_hours_that_overlap_are_one_however_many() -> None:
    minutes = [at("14:00") + 5 * number * MINUTE for number in range(18)]
    overlapping = tuple((1, begin, begin + 6 * MINUTE) for begin in minutes)
    assert starts(ONLINE_ONLY, extra=overlapping) == f"{ALL_MORNING} 14:00 14:30"
    apart = tuple((1, begin, begin + 4 * MINUTE) for begin in minutes)
    assert starts(ONLINE_ONLY, extra=apart) == ALL_MORNING
    each_day = tuple((1, at("14:00") + number * DAY, at("15:00") + number * DAY) for number in range(100))
    query = replace(ONLINE_ONLY, ends_at=QUERY.starts_at + 100 * DAY)
    found = search(query, OFFICE, [with_hours()], (), Calendars.from_rows((), extra_open=each_day))
    assert [slot.starts_at for slot in found] == [begin for _, begin, _ in each_day]


def test_extra_hours_are_for_online_and_telephone_meetings_alone() -> None:
    anyhow = with_hours(works("09:00", "12:00", *EVERY_TYPE))
    for meeting_type, expected in (
        (ONLINE, "11:00 11:30 12:00"),
        (TELEPHONE, "11:00 11:30 12:00"),
        (PHYSICAL, "11:00"),
    ):
        query = replace(QUERY, meeting_types=frozenset({meeting_type}), starts_at=at("11:00"))
        assert starts(query, anyhow, extra=(span("12:00", "13:00"),)) == expected


def test_opening_hours_do_not_bind_extra_hours_and_closing_days_do() -> None:
    late = span("16:00", "19:00")
    assert starts(AS_CUSTOMER, extra=(late,)) == f"{ALL_MORNING} 16:00 16:30 17:00 17:30 18:00"
    in_hours = with_hours(works("15:00", "20:00"))
    assert starts(AS_CUSTOMER, in_hours) == "15:00 15:30 16:00"
    # From opening hours to the end of extra hours that lie over them, and of those that begin where they end.
    assert starts(AS_CUSTOMER, in_hours, extra=(late,)) == "15:00 15:30 16:00 16:30 17:00 17:30 18:00"
    assert starts(AS_CUSTOMER, in_hours, extra=(span("17:00", "18:00"),)) == "15:00 15:30 16:00 16:30 17:00"
    assert starts(AS_CUSTOMER, in_hours, extra=(span("17:30", "18:30"),)) == "15:00 15:30 16:00 17:30"
    closed = replace(OFFICE, closing_days=frozenset({MONDAY}))
    assert starts(ONLINE_ONLY, office=closed, extra=(late,)) == ""


def test_the_extra_hours_of_one_open_for_nobody_else() -> None:
    other = replace(ADVISOR, resource_key=2, intervals=(works("09:00", "20:00"),))
    calendars = Calendars.from_rows((), extra_open=[span("17:00", "19:00")])
    found = search(AS_CUSTOMER, OFFICE, [other], (), calendars)
    assert max(slot.starts_at for slot in found) == at("16:00")
    both = search(AS_CUSTOMER, OFFICE, [replace(ADVISOR, priority=1), other], (), calendars)
    assert len(both) == 5 + 3 + 15 - 5  # the same employee on two terms: the morning is offered once


def test_extra_hours_lie_where_they_were_said_to_when_clocks_change() -> None:
    sunday = date(2026, 3, 29)  # 02:00 becomes 03:00
    query = replace(ONLINE_ONLY, starts_at=at("00:00", sunday), ends_at=at("00:00", sunday) + DAY)
    assert starts(query, extra=(span("01:00", "04:00", day=sunday),)) == "01:00 01:30 03:00"


def test_extra_hours_are_no_hours_to_wait_for() -> None:
    query = replace(AS_CUSTOMER, working_time_buffer=2 * HOUR)
    assert starts(query) == "11:00"
    assert starts(query, extra=(span("06:00", "08:00"),)) == "11:00"


def test_nobody_is_met_physically_in_a_slot_that_overlaps_hours_elsewhere() -> None:
    advisor = with_hours(works("09:00", "12:00", PHYSICAL, ONLINE))
    elsewhere = [span("10:10", "10:30"), span("10:30", "11:00"), (1, at("11:59"), at("11:59") + timedelta(0))]
    found = list(search(QUERY, OFFICE, [advisor], (), Calendars.from_rows((), elsewhere=elsewhere)))
    physical = [f"{slot.starts_at:%H:%M}" for slot in found if slot.meeting_type is PHYSICAL]
    assert physical == ["08:00", "10:00"]  # UTC
    assert len(found) == len(physical) + 5
