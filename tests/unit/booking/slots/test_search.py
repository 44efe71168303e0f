"""The search on a small firm: query, schedules, busy time, several advisors."""

from datetime import UTC, date, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from meetdeck.booking.slots.model import Calendars, Candidate, MeetingType
from meetdeck.booking.slots.search import find_calendar_span, search
from support.slots.small_firm import (
    ADVISOR,
    ALL_MORNING,
    DAY,
    HOUR,
    MINUTE,
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


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param({}, ALL_MORNING, id="slots start at :00 and :30 and lie inside the working hours"),
        pytest.param({"duration": 45 * MINUTE}, ALL_MORNING, id="a slot of 45 minutes needs 45 minutes"),
        pytest.param({"duration": 25 * MINUTE}, ALL_MORNING + " 11:30", id="a short slot fits before the end"),
        pytest.param({"duration": 3 * HOUR}, "09:00", id="a slot may fill the hours"),
        pytest.param({"duration": 3 * HOUR + MINUTE}, "", id="a slot longer than the hours does not exist"),
        pytest.param(
            {"duration": timedelta.max // DAY * DAY}, "", id="a slot longer than the calendar does not either"
        ),
        pytest.param({"starts_at": at("09:30")}, "09:30 10:00 10:30 11:00", id="the search's start is included"),
        pytest.param(
            {"starts_at": at("09:31")}, "10:00 10:30 11:00", id="starts are not shifted to the search's start"
        ),
        pytest.param({"ends_at": at("11:00")}, "09:00 09:30 10:00", id="whole slots end with the search"),
        pytest.param(
            {"starts_at": at("10:00"), "ends_at": at("11:00")}, "10:00", id="a search as long as the meeting finds it"
        ),
        pytest.param({"ends_at": at("10:59")}, "09:00 09:30", id="a slot that ends after the search is out"),
        pytest.param({"ends_at": at("00:00") - DAY}, "", id="a search that ends before it starts finds nothing"),
        pytest.param({"now": at("10:00")}, "10:00 10:30 11:00", id="a slot may start now"),
        pytest.param({"now": at("10:01")}, "10:30 11:00", id="no slot starts in the past"),
        pytest.param({"meeting_types": frozenset({PHYSICAL})}, "", id="only wanted meeting types are offered"),
        pytest.param({"meeting_types": frozenset[MeetingType]()}, "", id="of no meeting types there are no slots"),
        pytest.param({"minimum_notice": 10 * HOUR}, ALL_MORNING, id="an employee needs no notice"),
        pytest.param(
            {"minimum_notice": 10 * HOUR, "customer_initiated": True}, "10:00 10:30 11:00", id="a customer gives notice"
        ),
        pytest.param({"max_ahead": 10 * HOUR}, ALL_MORNING, id="an employee may look far ahead"),
        pytest.param(
            {"max_ahead": 10 * HOUR, "customer_initiated": True}, "09:00 09:30 10:00", id="a customer may look so far"
        ),
        pytest.param(
            {"minimum_notice": timedelta.max, "max_ahead": timedelta.max, "customer_initiated": True},
            "",
            id="notice beyond the calendar leaves nothing",
        ),
    ],
)
def test_the_query_decides(changes: dict[str, object], expected: str) -> None:
    assert starts(replace(QUERY, **changes)) == expected


@pytest.mark.parametrize(
    ("advisor", "expected"),
    [
        pytest.param(with_hours(works("09:10", "11:00")), "09:30 10:00", id="odd working hours shift no start"),
        pytest.param(
            with_hours(works("09:00", "10:00"), works("10:00", "11:00")),
            "09:00 09:30 10:00",
            id="adjacent hours are one",
        ),
        pytest.param(
            with_hours(works("10:00", "11:30"), works("09:00", "10:30")),
            "09:00 09:30 10:00 10:30",
            id="overlapping hours are one",
        ),
        pytest.param(
            with_hours(works("09:00", "10:00"), works("10:01", "11:01")), "09:00", id="a gap of a minute divides"
        ),
        pytest.param(
            with_hours(works("09:00", "10:00"), works("10:00", "11:00", TELEPHONE)),
            "09:00 10:00",
            id="hours of another type do not prolong",
        ),
        pytest.param(
            with_hours(works("09:00", "11:00"), works("09:30", "10:00", weekday=0)),
            "09:00 09:30 10:00",
            id="hours inside others add nothing",
        ),
        pytest.param(
            with_hours(works("09:00", "10:00", PHYSICAL), works("10:00", "11:00", PHYSICAL, location="Odense")),
            "09:00 10:00",
            id="a physical meeting stays at its place",
        ),
        pytest.param(
            with_hours(works("09:00", "10:00"), works("10:00", "11:00", location="Odense")),
            "09:00 09:30 10:00",
            id="an online meeting does not care for places",
        ),
        pytest.param(with_hours(works("09:00", "10:00", weekday=1)), "", id="Tuesday's hours are not Monday's"),
        pytest.param(with_hours(works("22:00", "00:00")), "22:00 22:30 23:00", id="00:00 is the day's end"),
        pytest.param(with_hours(works("12:00", "09:00")), "", id="hours that end before they begin hold nothing"),
        pytest.param(with_hours(), "", id="without hours there are no slots"),
        pytest.param(replace(ADVISOR, zone=ZoneInfo("Asia/Kathmandu")), ALL_MORNING, id="hours are the advisor's own"),
    ],
)
def test_the_schedule_decides(advisor: Candidate, expected: str) -> None:
    assert starts(advisor=advisor) == expected


@pytest.mark.parametrize(
    ("busy", "expected"),
    [
        pytest.param(taken("10:00", "11:00"), "09:00 11:00", id="a meeting leaves the slots before and after"),
        pytest.param(taken("10:00", "10:01"), "09:00 10:30 11:00", id="a minute is enough to be in the way"),
        pytest.param(taken("09:59", "10:00"), "10:00 10:30 11:00", id="busy up to the start is not in the way"),
        pytest.param(taken("10:00", "10:00"), ALL_MORNING, id="an empty reservation takes nothing"),
        pytest.param(taken("11:00", "10:00"), ALL_MORNING, id="a reservation that ends before it begins takes nothing"),
        pytest.param(taken("10:00", "11:00", key=2), ALL_MORNING, id="others may be busy"),
        pytest.param((1, at("00:00") - 90 * DAY, at("10:30")), "10:30 11:00", id="busy since long ago"),
        pytest.param((1, at("10:30"), at("00:00") + 900 * DAY), "09:00 09:30", id="busy for long"),
    ],
)
def test_busy_time_decides(busy: tuple[int, datetime, datetime], expected: str) -> None:
    assert starts(busy=(busy,)) == expected


def test_buffers_keep_a_distance_to_other_meetings_but_not_to_the_working_hours() -> None:
    busy = (taken("10:00", "10:30"),)
    assert starts(busy=busy) == "09:00 10:30 11:00"
    assert starts(advisor=replace(ADVISOR, buffer_after=MINUTE), busy=busy) == "10:30 11:00"
    assert starts(advisor=replace(ADVISOR, buffer_before=MINUTE), busy=busy) == "09:00 11:00"


@pytest.mark.parametrize("key", [1, 10**15], ids=["near", "far"])  # of keys, which are looked up in two ways
def test_what_is_taken_is_taken_on_all_terms_on_which_an_advisor_is_offered(key: int) -> None:
    first = replace(ADVISOR, priority=5, buffer_after=30 * MINUTE, resource_key=key)
    others = [replace(first, priority=number, buffer_after=number * MINUTE) for number in (4, 3)]
    stranger = replace(ADVISOR, employee_id=UUID(int=2), resource_key=2)
    advisors = [first, stranger, *others]
    busy = Calendars.from_rows([taken("10:00", "11:00", key=key)])
    found = {slot.starts_at for slot in search(QUERY, OFFICE, advisors, (), busy) if slot.employee_id.int == 1}
    assert found == {at("11:00")}
    full = [replace(each, daily_limit=90 * MINUTE) for each in advisors]
    assert {slot.employee_id.int for slot in search(QUERY, OFFICE, full, (), busy)} == {2}


def test_all_named_employees_are_free_and_offer_the_type() -> None:
    both = replace(
        ADVISOR, employee_id=UUID(int=2), resource_key=2, intervals=(works("10:00", "13:00", ONLINE, TELEPHONE),)
    )
    other = replace(ADVISOR, employee_id=UUID(int=3), resource_key=3)
    query = replace(QUERY, require_all=True, named=frozenset({UUID(int=1), UUID(int=2)}))
    found = list(
        search(query, OFFICE, [ADVISOR, both, other], (), Calendars.from_rows([taken("10:00", "10:30", key=2)]))
    )
    assert [(f"{slot.starts_at:%H:%M}", slot.employee_id.int, slot.meeting_type) for slot in found] == [
        ("09:30", 1, ONLINE),
        ("09:30", 2, ONLINE),
        ("10:00", 1, ONLINE),
        ("10:00", 2, ONLINE),
    ]
    unknown = replace(query, named=query.named | {UUID(int=9)})
    assert not list(search(unknown, OFFICE, [ADVISOR, both], (), Calendars.from_rows(())))
    nobody = replace(query, named=frozenset[UUID]())
    assert len(search(nobody, OFFICE, [ADVISOR, other], (), Calendars.from_rows(()))) == 10


def test_slots_come_by_start_then_meeting_type_then_employee() -> None:
    both = with_hours(works("09:00", "10:30", ONLINE, PHYSICAL))
    found = search(QUERY, OFFICE, [both, replace(ADVISOR, employee_id=UUID(int=2))], (), Calendars.from_rows(()))
    assert [(f"{slot.starts_at:%H:%M}", slot.meeting_type, slot.employee_id.int) for slot in found][:4] == [
        ("08:00", PHYSICAL, 1),
        ("08:00", ONLINE, 1),
        ("08:00", ONLINE, 2),
        ("08:30", PHYSICAL, 1),
    ]


def test_nobody_to_search_means_no_slots() -> None:
    assert len(search(QUERY, OFFICE, [], (), Calendars.from_rows(()))) == 0


def test_more_candidates_than_a_batch_each_keep_their_own_time() -> None:
    crowd = [replace(ADVISOR, employee_id=UUID(int=number), resource_key=number * 10**12) for number in range(1, 602)]
    keys = [number * 10**12 for number in range(1, 602) if number % 7] + [7 * 10**12 - 1, 10**15]  # and strangers'
    found = search(QUERY, OFFICE, crowd, (), Calendars.from_rows((key, at("09:00"), at("12:00")) for key in keys))
    assert {slot.employee_id.int for slot in found} == set(range(7, 602, 7))


def test_the_calendars_last_day_can_be_searched() -> None:
    day = date(9999, 12, 31)
    query = replace(QUERY, starts_at=at("00:00", day), ends_at=datetime.max.replace(tzinfo=UTC))
    assert starts(query, with_hours(works("09:00", "11:00", weekday=day.weekday()))) == "09:00 09:30 10:00"


def test_each_week_has_its_own_monday_and_its_own_clock() -> None:
    found = search(replace(QUERY, ends_at=QUERY.starts_at + 35 * DAY), OFFICE, [ADVISOR], (), Calendars.from_rows(()))
    firsts = [f"{slot.starts_at:%d.%m. %H:%M}" for slot in found][::5]
    assert firsts == ["02.03. 08:00", "09.03. 08:00", "16.03. 08:00", "23.03. 08:00", "30.03. 07:00"]


def test_a_search_of_less_than_a_week_has_its_first_day_and_its_last() -> None:
    tuesday, next_monday = at("03:00") + DAY, at("00:00") + 8 * DAY
    assert starts(replace(QUERY, starts_at=tuesday, ends_at=next_monday)) == ALL_MORNING
    both = with_hours(works("09:00", "10:00", weekday=1), works("10:00", "11:00", weekday=0))
    assert starts(replace(QUERY, starts_at=tuesday, ends_at=next_monday), both) == "09:00 10:00"


def test_a_search_of_a_year_finds_every_week() -> None:
    assert (
        len(search(replace(QUERY, ends_at=at("00:00") + 366 * DAY), OFFICE, [ADVISOR], (), Calendars.from_rows(())))
        == 5 * 53
    )


def test_an_advisor_is_offered_from_the_response_time_on() -> None:
    nine = replace(QUERY, now=at("09:00"))
    assert starts(nine, replace(ADVISOR, response_time=HOUR)) == "10:00 10:30 11:00"
    assert starts(nine, replace(ADVISOR, response_time=HOUR + MINUTE)) == "10:30 11:00"
    assert starts(nine, replace(ADVISOR, response_time=366 * DAY)) == ""


def test_busy_time_is_needed_for_the_search_its_buffers_and_whole_days_of_limits() -> None:
    query = replace(QUERY, starts_at=at("10:00"), ends_at=at("11:00"))
    assert find_calendar_span(query, OFFICE, [ADVISOR]) == (at("10:00"), at("11:00"))
    careful = replace(ADVISOR, buffer_before=MINUTE, buffer_after=HOUR)
    assert find_calendar_span(query, OFFICE, [ADVISOR, careful]) == (at("09:59"), at("12:00"))
    limited = replace(ADVISOR, daily_limit=HOUR)
    assert find_calendar_span(query, OFFICE, [limited]) == (at("00:00"), at("00:00") + DAY)
    assert find_calendar_span(QUERY, OFFICE, [limited]) == (at("00:00"), at("00:00") + DAY)


def test_no_busy_time_is_needed_for_a_search_that_is_over() -> None:
    over = replace(QUERY, now=at("00:00") + 9 * DAY)
    begin, end = find_calendar_span(over, OFFICE, [replace(ADVISOR, daily_limit=HOUR)])
    assert end - begin <= DAY
    assert starts(over) == ""


@pytest.mark.parametrize("duration", [timedelta(0), -HOUR, timedelta(seconds=90)])
def test_a_duration_that_is_not_whole_minutes_is_refused(duration: timedelta) -> None:
    with pytest.raises(ValueError, match="whole minutes"):
        replace(QUERY, duration=duration)


def test_a_search_of_a_century_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 3660 days"):
        replace(QUERY, ends_at=QUERY.starts_at + 36_525 * DAY)


def test_a_moment_without_time_zone_is_refused() -> None:
    with pytest.raises(ValueError, match=r"now .* has no time zone"):
        replace(QUERY, now=datetime(2026, 3, 2))  # noqa: DTZ001 - the point of the test
