"""Joint meetings of a small firm: an advisor, and people of groups who come along."""

from uuid import UUID

import pytest
from msgspec.structs import replace

from meetdeck.booking.slots.explain import explain
from meetdeck.booking.slots.model import AlsoGroup, Calendars, Candidate, Query, Room, SpanRow
from meetdeck.booking.slots.rules import Rule
from meetdeck.booking.slots.search import search, search_jointly
from meetdeck.booking.slots.teams import Company, Teams
from support.slots.small_firm import (
    ADVISOR,
    ALL_MORNING,
    COPENHAGEN,
    HOUR,
    MONDAY,
    OFFICE,
    ONLINE,
    PHYSICAL,
    QUERY,
    taken,
    works,
)

ANNA, BO = (Candidate(UUID(int=number), number, COPENHAGEN, (works("09:00", "12:00"),)) for number in (2, 3))
PHYSICALLY = (works("09:00", "12:00", PHYSICAL, location="Aarhus"),)
ELSEWHERE = (works("09:00", "12:00", PHYSICAL, location="Odense"),)


def ask(*groups: tuple[int, tuple[Candidate, ...]], query: Query = QUERY) -> Query:
    also = (AlsoGroup(f"Group {place}", count, people) for place, (count, people) in enumerate(groups, 1))
    return replace(query, also=tuple(also))


def find(query: Query, *busy: SpanRow, advisor: Candidate = ADVISOR, rooms: tuple[Room, ...] = ()) -> str:
    slots = search(query, OFFICE, [advisor], rooms, Calendars.from_rows(busy))
    return " ".join(f"{slot.starts_at.astimezone(COPENHAGEN):%H:%M}" for slot in slots)


def list_companies(query: Query, *busy: SpanRow, advisors: tuple[Candidate, ...] = (ADVISOR,)) -> list[Company]:
    """Return the company of each advisor at nine."""
    slots, joint = search_jointly(query, OFFICE, advisors, (), Calendars.from_rows(busy))
    assert joint is not None
    teams = Teams(joint, slots)
    types, columns = slots.list_items()
    numbers, places = teams.find(0, types, columns)
    return [teams.companies[number] for number in numbers[places].tolist()]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param(ask((1, (ANNA,))), "09:00 11:00", id="the one person of a group is busy in the middle"),
        pytest.param(ask((1, (ANNA, BO))), "09:00 10:00 11:00", id="one of the group is free at the full hours"),
        pytest.param(ask((2, (ANNA, BO))), "", id="both are never free together"),
        pytest.param(ask((1, (ADVISOR,))), "", id="the advisor does not come along with the advisor"),
        pytest.param(ask((1, (ANNA, ADVISOR))), "09:00 11:00", id="beside the advisor there is one"),
        pytest.param(ask((1, (ANNA,)), (1, (ANNA,))), "", id="nobody comes for two groups"),
        pytest.param(ask((1, ())), "", id="of a group of nobody comes nobody"),
        pytest.param(
            ask((1, (replace(ANNA, buffer_before=HOUR / 2),))), "09:00", id="the group's buffers stand around it"
        ),
        pytest.param(ask((1, (replace(ANNA, daily_limit=1.5 * HOUR),))), "", id="a full day of the person"),
    ],
)
def test_whoever_is_free_comes_along(query: Query, expected: str) -> None:
    assert (
        find(query, taken("10:00", "11:00", key=2), taken("09:00", "10:00", key=3), taken("11:00", "12:00", 3))
        == expected
    )


def test_all_sit_at_one_place_and_in_a_room_that_seats_them() -> None:
    query = replace(ask((1, (replace(ANNA, intervals=ELSEWHERE),))), meeting_types=frozenset({PHYSICAL}))
    both = replace(ADVISOR, intervals=(*PHYSICALLY, *ELSEWHERE))
    assert find(query, advisor=replace(ADVISOR, intervals=PHYSICALLY)) == ""
    assert find(query, advisor=both) == ALL_MORNING
    roomed = replace(query, require_room=True)
    assert find(roomed, advisor=both, rooms=(Room(UUID(int=11), 11, "Odense", 2),)) == ""
    assert find(roomed, advisor=both, rooms=(Room(UUID(int=11), 11, "Aarhus", 3),)) == ""
    assert find(roomed, advisor=both, rooms=(Room(UUID(int=11), 11, "Odense", 3),)) == ALL_MORNING


def test_the_first_group_leaves_the_only_one_of_the_second_to_it() -> None:
    """Anna has nothing to do and would be the first choice of both groups."""
    query = ask((1, (ANNA, BO)), (1, (ANNA,)))
    assert list_companies(query, taken("11:00", "12:00", key=3)) == [Company((BO.employee_id, ANNA.employee_id), 1)]


def test_the_highest_priority_comes_then_the_least_booked() -> None:
    busy = taken("11:00", "12:00", key=2)
    assert list_companies(ask((1, (ANNA, BO))), busy) == [Company((BO.employee_id,), 2)]
    first = replace(ANNA, priority=1)
    assert list_companies(ask((1, (first, BO))), busy) == [Company((first.employee_id,), 2)]


def test_an_advisor_who_would_come_along_is_replaced_in_the_own_meeting() -> None:
    busy = taken("11:00", "12:00", key=3)
    assert list_companies(ask((1, (ANNA, BO))), busy, advisors=(ADVISOR, ANNA, BO)) == [
        Company((ANNA.employee_id,), 2),
        Company((BO.employee_id,), 1),
        Company((ANNA.employee_id,), 1),
    ]


def test_a_missing_time_is_explained_by_the_group_that_has_nobody() -> None:
    query = ask((1, (BO,)), (1, (ANNA,)))
    calendars = Calendars.from_rows([taken("10:00", "11:00", key=2)])
    verdicts = explain(query, OFFICE, [ADVISOR], (), calendars, employee_id=ADVISOR.employee_id, day=MONDAY)
    at_ten = next(
        each
        for each in verdicts
        if f"{each.starts_at.astimezone(COPENHAGEN):%H:%M}" == "10:00" and each.meeting_type is ONLINE
    )
    assert (at_ten.rule, at_ten.short) == (Rule.ALSO, ("Group 2",))
    shared = ask((1, (ANNA,)), (1, (ANNA,)))
    verdicts = explain(shared, OFFICE, [ADVISOR], (), Calendars(), employee_id=ADVISOR.employee_id, day=MONDAY)
    assert {each.short for each in verdicts if each.rule is Rule.ALSO} == {("Group 1", "Group 2")}


def test_physically_somebody_of_the_place_comes_and_online_the_first_of_all() -> None:
    both = (ONLINE, PHYSICAL)
    here, there = ((works("09:00", "10:00", *both, location=place),) for place in ("Aarhus", "Odense"))
    first, other = replace(ANNA, intervals=there, priority=1), replace(BO, intervals=here)
    advisors = (replace(ADVISOR, intervals=here), replace(ADVISOR, employee_id=UUID(int=9), intervals=there))
    assert list_companies(ask((1, (first, other))), advisors=advisors) == [
        Company((other.employee_id,), 1),
        Company((first.employee_id,), 1),
        Company((first.employee_id,), 2),
        Company((first.employee_id,), 2),
    ]
