"""The quick search and the obvious one agree on random firms, in weeks when clocks change."""

from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings

from meetdeck.booking.slots.explain import Verdict, explain, explain_starts
from meetdeck.booking.slots.model import Calendars, Candidate, MeetingType, Organization, Query, WorkInterval
from meetdeck.booking.slots.search import find_calendar_span, search
from support.slots.random_firms import (
    CHANGES,
    EXAMPLES,
    SLOW,
    Firm,
    busy_firms,
    firms,
    firms_with_calendars,
    firms_with_extra_hours,
    waiting_firms,
)
from support.slots.reference import NO_ENTRIES, Entries, Item, Reference, date_of


def offered_by(verdicts: tuple[Verdict, ...]) -> set[tuple[datetime, MeetingType]]:
    return {(verdict.starts_at, verdict.meeting_type) for verdict in verdicts if verdict.rule is None}


def load(firm: Firm, entries: Entries) -> Calendars:
    """Load what lies in the span that the search names."""
    query, organization, advisors, _, busy = firm
    begin, end = find_calendar_span(query, organization, advisors)
    taken, *noted = ([row for row in rows if row[1] < end and begin < row[2]] for rows in (busy, *entries))
    return Calendars.from_rows(taken, noted[0], extra_open=noted[1], elsewhere=noted[2])


def find(firm: Firm, entries: Entries) -> list[Item]:
    query, organization, advisors, rooms, _ = firm
    slots = search(query, organization, advisors, rooms, load(firm, entries))
    return [(slot.starts_at, slot.ends_at, slot.meeting_type, slot.employee_id) for slot in slots]


def compare(firm: Firm, entries: Entries = NO_ENTRIES) -> int:
    """Search with both, and explain a day of each advisor; return the number of slots."""
    query, organization, advisors, rooms, busy = firm
    found = find(firm, entries)
    assert found == Reference(query, organization, advisors, rooms, busy, entries).search()
    loaded = load(firm, entries)
    together = query.require_all and query.named
    day = date_of(organization.zone, query.starts_at)
    for employee in {advisor.employee_id for advisor in advisors}:
        if not together or employee in query.named:
            verdicts = explain(query, organization, advisors, rooms, loaded, employee_id=employee, day=day)
            next_day = day + timedelta(days=1)
            both = verdicts + explain(query, organization, advisors, rooms, loaded, employee_id=employee, day=next_day)
            some = {each.starts_at for each in both if each.starts_at.hour % 5}
            asked = some | {each + timedelta(minutes=7) for each in some}
            assert explain_starts(
                query, organization, advisors, rooms, loaded, employee_id=employee, starts=asked
            ) == tuple(each for each in both if each.starts_at in some)
            assert offered_by(verdicts) == {
                (starts_at, meeting_type)
                for starts_at, _, meeting_type, employee_id in found
                if employee_id == employee and date_of(organization.zone, starts_at) == day
            }
    return len(found)


@pytest.mark.parametrize(("zone", "day"), [pytest.param(*each, id=" ".join(map(str, each))) for each in CHANGES])
def test_on_each_kind_of_day_when_clocks_change_the_search_finds_what_the_reference_finds(zone: str, day: date) -> None:
    clock, noon = ZoneInfo(zone), datetime.combine(day, time(12), UTC)
    online = frozenset({MeetingType.ONLINE})
    hours = ((time(0), time(1, 45)), (time(2, 15), time(4)), (time(22), time(0)))
    intervals = tuple(WorkInterval(weekday, *each, online) for weekday in range(7) for each in hours)
    advisor = Candidate(UUID(int=1), 1, clock, intervals, timedelta(hours=2), timedelta(minutes=10))
    query = Query(
        now=noon - timedelta(days=2),
        starts_at=noon - timedelta(hours=30),
        ends_at=noon + timedelta(hours=20),
        duration=timedelta(minutes=45),
        meeting_types=online,
        customer_initiated=True,
    )
    closed = Organization(clock, time(0), time(23, 30), frozenset({day + timedelta(days=1)}))
    busy = [(1, noon - timedelta(hours=hours), noon - timedelta(hours=hours - 1)) for hours in (33, 14, 9)]
    assert compare((query, closed, [advisor], [], busy))


def test_the_search_finds_what_the_reference_finds_and_explain_agrees() -> None:
    compared: list[int] = []

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=SLOW, derandomize=EXAMPLES < 100)
    @given(firms())
    def compare_any(firm: Firm) -> None:
        compared.append(compare(firm))

    compare_any()
    # A quarter, and not the usual third: what hypothesis draws depends on the modules that happen to be loaded.
    assert sum(count > 0 for count in compared) > len(compared) // 4, "too few firms with slots prove little"


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=SLOW, derandomize=EXAMPLES < 100)
@given(busy_firms())
def test_whoever_is_offered_on_several_terms_is_busy_on_all_of_them(firm: Firm) -> None:
    compare(firm)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=SLOW, derandomize=EXAMPLES < 100)
@given(waiting_firms())
def test_customers_find_whoever_has_worked_long_enough_since_now(firm: Firm) -> None:
    compare(firm)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=SLOW, derandomize=EXAMPLES < 100)
@given(firms_with_calendars())
def test_whoever_is_busy_by_a_calendar_is_not_offered_then_without_buffers_or_limits(
    drawn: tuple[Firm, Entries],
) -> None:
    compare(*drawn)


def test_extra_hours_are_offered_online_and_by_telephone_and_nobody_is_met_physically_elsewhere() -> None:
    more: list[bool] = []
    less: list[bool] = []

    @settings(max_examples=EXAMPLES * 2, deadline=None, suppress_health_check=SLOW, derandomize=EXAMPLES < 100)
    @given(firms_with_extra_hours())
    def compare_any(drawn: tuple[Firm, Entries]) -> None:
        firm, entries = drawn
        found = compare(firm, entries)
        more.append(found > len(find(firm, entries._replace(extra_open=()))))
        less.append(found < len(find(firm, entries._replace(elsewhere=()))))

    compare_any()
    if EXAMPLES >= 100:  # it matters in one firm of six, of which a few dozen may have none
        assert any(more), "too few firms in which extra hours matter"
        assert any(less), "too few firms in which it matters that somebody is elsewhere"
