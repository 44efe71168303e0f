"""Explanations of missing times: one rule is taken away at a time."""

from datetime import date, time, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from meetdeck.booking.slots.explain import Verdict, explain
from meetdeck.booking.slots.model import Calendars, Candidate, Organization, Query
from meetdeck.booking.slots.rules import Rule
from support.slots.small_firm import (
    ADVISOR,
    DAY,
    HOUR,
    MONDAY,
    OFFICE,
    ONLINE,
    PHYSICAL,
    QUERY,
    TELEPHONE,
    at,
    taken,
    with_hours,
    works,
)

NOTHING = Calendars.from_rows(())


def explain_day(
    query: Query = QUERY,
    office: Organization = OFFICE,
    advisor: Candidate = ADVISOR,
    busy: Calendars = NOTHING,
    day: date = MONDAY,
    others: tuple[Candidate, ...] = (),
) -> tuple[Verdict, ...]:
    return explain(query, office, [*others, advisor], (), busy, employee_id=advisor.employee_id, day=day)


ONLINE_ONLY = replace(QUERY, meeting_types=frozenset({ONLINE}))
AS_CUSTOMER = replace(ONLINE_ONLY, customer_initiated=True)
PHYSICALLY = replace(QUERY, meeting_types=frozenset({PHYSICAL}))
IN_PERSON = with_hours(works("09:00", "12:00", PHYSICAL))


@pytest.mark.parametrize(
    ("query", "office", "advisor", "rule"),
    [
        (ONLINE_ONLY, OFFICE, ADVISOR, None),
        (replace(ONLINE_ONLY, now=at("10:01")), OFFICE, ADVISOR, Rule.PAST),
        (replace(ONLINE_ONLY, starts_at=at("10:01")), OFFICE, ADVISOR, Rule.OUTSIDE_SEARCH),
        (replace(ONLINE_ONLY, duration=timedelta.max // DAY * DAY), OFFICE, ADVISOR, Rule.OUTSIDE_SEARCH),
        (replace(AS_CUSTOMER, minimum_notice=11 * HOUR), OFFICE, ADVISOR, Rule.MINIMUM_NOTICE),
        (replace(AS_CUSTOMER, max_ahead=9 * HOUR), OFFICE, ADVISOR, Rule.TOO_FAR_AHEAD),
        (AS_CUSTOMER, replace(OFFICE, opening=time(11)), ADVISOR, Rule.OPENING_HOURS),
        (ONLINE_ONLY, replace(OFFICE, closing_days=frozenset({MONDAY})), ADVISOR, Rule.CLOSING_DAY),
        (ONLINE_ONLY, OFFICE, with_hours(works("11:00", "12:00")), Rule.WORKING_HOURS),
        (ONLINE_ONLY, OFFICE, with_hours(works("09:00", "12:00", TELEPHONE)), Rule.MEETING_TYPE),
        (replace(PHYSICALLY, meeting_location="Odense"), OFFICE, IN_PERSON, Rule.LOCATION),
        (ONLINE_ONLY, OFFICE, replace(ADVISOR, response_time=11 * HOUR), Rule.RESPONSE_TIME),
        (ONLINE_ONLY, OFFICE, replace(ADVISOR, resource_key=2), Rule.BUSY),
        (ONLINE_ONLY, OFFICE, replace(ADVISOR, daily_limit=HOUR, resource_key=3), Rule.DAILY_LIMIT),
        (replace(ONLINE_ONLY, require_room=True), OFFICE, ADVISOR, Rule.ROOM),
        (replace(PHYSICALLY, room_required_locations=frozenset({"Aarhus"})), OFFICE, IN_PERSON, Rule.ROOM),
    ],
)
def test_the_rule_that_takes_ten_o_clock_away_is_named(
    query: Query, office: Organization, advisor: Candidate, rule: Rule | None
) -> None:
    busy = Calendars.from_rows([taken("10:00", "11:00", key=2), taken("13:00", "13:01", key=3)])
    (verdict,) = (each for each in explain_day(query, office, advisor, busy) if each.starts_at == at("10:00"))
    assert verdict.rule == rule


def test_every_half_hour_of_the_day_is_judged_for_every_type() -> None:
    verdicts = explain_day()
    assert len(verdicts) == 48 * 4
    assert (verdicts[0].starts_at, verdicts[-1].starts_at) == (at("00:00"), at("23:30"))


@pytest.mark.parametrize(("day", "count"), [(date(2026, 3, 29), 46), (date(2026, 10, 25), 50)])
def test_a_day_when_clocks_change_is_shorter_or_longer(day: date, count: int) -> None:
    assert len(explain_day(ONLINE_ONLY, day=day)) == count


def test_a_date_that_a_zone_left_out_has_nothing_to_explain() -> None:
    samoan = replace(OFFICE, zone=ZoneInfo("Pacific/Apia"))
    assert explain_day(ONLINE_ONLY, samoan, day=date(2011, 12, 30)) == ()


def test_a_search_for_no_meeting_type_has_nothing_to_explain() -> None:
    everybody = frozenset({ADVISOR.employee_id})
    assert explain_day(replace(QUERY, meeting_types=frozenset(), require_all=True, named=everybody)) == ()


def test_the_day_is_the_organizations_and_the_half_hours_are_the_advisors() -> None:
    kathmandu = replace(ADVISOR, zone=ZoneInfo("Asia/Kathmandu"))
    verdicts = explain_day(ONLINE_ONLY, advisor=kathmandu)
    assert (verdicts[0].starts_at, verdicts[-1].starts_at) == (at("00:15"), at("23:45"))


def test_who_else_must_take_part_and_cannot_is_named() -> None:
    other, gone = replace(ADVISOR, employee_id=UUID(int=2), resource_key=2), UUID(int=3)
    query = replace(ONLINE_ONLY, require_all=True, named=frozenset({ADVISOR.employee_id, other.employee_id}))
    busy = Calendars.from_rows([taken("10:00", "11:00", key=2)])
    at_ten, at_eleven = (
        next(each for each in explain_day(query, busy=busy, others=(other,)) if each.starts_at == at(text))
        for text in ("10:00", "11:00")
    )
    assert (at_ten.rule, at_ten.missing) == (Rule.PARTICIPANTS, (other.employee_id,))
    assert at_eleven.rule is None
    both_busy = Calendars.from_rows([taken("10:00", "11:00", key=2), taken("10:00", "11:00")])
    (at_ten,) = (each for each in explain_day(query, busy=both_busy, others=(other,)) if each.starts_at == at("10:00"))
    assert (at_ten.rule, at_ten.missing) == (Rule.BUSY, ())  # one's own reason comes first
    nobody = replace(query, named=query.named | {gone})
    assert not any(each.rule is None for each in explain_day(nobody, others=(other,)))


def test_others_take_part_in_what_ends_on_the_next_day() -> None:
    night = with_hours(works("23:00", "00:00"), works("00:00", "01:00", weekday=1))
    other = replace(night, employee_id=UUID(int=2), resource_key=2)
    both = frozenset({night.employee_id, other.employee_id})
    query = replace(ONLINE_ONLY, require_all=True, named=both, ends_at=at("00:00") + 2 * DAY)
    offered = [each.starts_at for each in explain_day(query, advisor=night, others=(other,)) if each.rule is None]
    assert offered == [at("23:00"), at("23:30")]


@pytest.mark.parametrize("day", [date.min, date.max])
def test_the_calendars_ends_are_days_too(day: date) -> None:
    assert {each.rule for each in explain_day(ONLINE_ONLY, day=day)} <= set(Rule)
