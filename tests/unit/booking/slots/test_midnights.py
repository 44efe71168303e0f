"""Days whose midnight a clock leaves out or shows twice: each reason, judged again minute by minute by the rules."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from uuid import UUID
from zoneinfo import ZoneInfo, available_timezones

from hypothesis import given, settings
from hypothesis import strategies as st

from meetdeck.booking.slots.explain import Verdict, explain
from meetdeck.booking.slots.model import (
    EVERY_TYPE,
    Calendars,
    Candidate,
    MeetingType,
    Organization,
    Query,
    WorkInterval,
)
from meetdeck.booking.slots.rules import Rule
from meetdeck.booking.slots.search import search
from support.slots.random_firms import EXAMPLES, SLOW
from support.slots.reference import BusyRow, Reference, date_of, day_of, each_minute, works_through

YEARS = (1991, 2010, 2018, 2026, 2052)
WEEK, DAY, HOUR, MINUTE = timedelta(days=7), timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
NEAR_MIDNIGHT = [time(hour, minute) for hour in (0, 1, 2, 3, 12, 21, 22, 23) for minute in (0, 15, 30)]
ANNA = UUID(int=1)


@cache
def list_midnights() -> list[tuple[ZoneInfo, date]]:
    """Return all zones and dates of some years whose first moment is no 00:00, or that show 00:00 twice."""
    weeks = [datetime(year, 1, 1, 12, tzinfo=UTC) + number * WEEK for year in YEARS for number in range(53)]
    found: list[tuple[ZoneInfo, date]] = []
    for zone in map(ZoneInfo, sorted(available_timezones())):
        for noon in weeks:
            if noon.astimezone(zone).utcoffset() != (noon + WEEK).astimezone(zone).utcoffset():
                days = [noon.date() + number * DAY for number in range(-1, 9)]
                found += [(zone, day) for day in days if has_odd_midnight(zone, day)]
    return found


def has_odd_midnight(zone: ZoneInfo, day: date) -> bool:
    midnight = datetime.combine(day, time(), zone)
    return midnight.utcoffset() != midnight.replace(fold=1).utcoffset()


@st.composite
def firms(draw: st.DrawFn) -> tuple[Query, Organization, list[Candidate], list[BusyRow], date]:
    """Draw advisors at work around an odd midnight, of the organization or their own."""
    zone, day = draw(st.sampled_from(list_midnights()))
    other = draw(st.sampled_from([zone, zone, ZoneInfo("UTC"), ZoneInfo("Europe/Copenhagen")]))
    midnight = day_of(zone, day)[0]
    times = st.sampled_from([time(), time(), *NEAR_MIDNIGHT])
    closed = draw(st.frozensets(st.sampled_from([day - DAY, day, day + DAY]), max_size=1))
    weekdays = st.sampled_from([(day.weekday() + number) % 7 for number in (-1, 0, 0, 1)])
    types = st.just(EVERY_TYPE) | st.frozensets(st.sampled_from(MeetingType), min_size=1)
    intervals = st.builds(WorkInterval, weekdays, times, times, types, st.sampled_from(["Aarhus", "Odense"]))
    advisor = Candidate(
        ANNA,
        1,
        draw(st.sampled_from([zone, other])),
        tuple(draw(st.lists(intervals, min_size=1, max_size=4))),
        draw(st.sampled_from([None, HOUR, 3 * HOUR])),
        draw(st.sampled_from([timedelta(0), 30 * MINUTE])),
        draw(st.sampled_from([timedelta(0), 30 * MINUTE])),
        draw(st.sampled_from([timedelta(0), 3 * HOUR])),
        start_place=draw(st.sampled_from([None, None, "aarhus"])),
    )
    start = midnight + draw(st.sampled_from([-DAY, -HOUR, timedelta(0)]))
    query = Query(
        now=midnight - draw(st.sampled_from([2 * DAY, 26 * HOUR, 3 * HOUR, HOUR])),
        starts_at=start,
        ends_at=start + draw(st.sampled_from([DAY, 2 * DAY])),
        duration=draw(st.sampled_from([30 * MINUTE, HOUR, 3 * HOUR])),
        customer_initiated=draw(st.booleans()),
        minimum_notice=draw(st.sampled_from([timedelta(0), 3 * HOUR, 27 * HOUR])),
        max_ahead=draw(st.sampled_from([None, None, 4 * HOUR, 52 * HOUR])),
        working_time_buffer=draw(st.sampled_from([timedelta(0), 30 * MINUTE, 2 * HOUR, 5 * HOUR])),
    )
    organization = Organization(draw(st.sampled_from([zone, other])), draw(times), draw(times), closed)
    begins = [midnight + number * 30 * MINUTE for number in draw(st.lists(st.integers(-6, 40), max_size=2))]
    return query, organization, [advisor], [(1, begin, begin + HOUR) for begin in begins], day


def list_broken(reference: Reference, verdict: Verdict) -> Iterator[Rule]:
    """Yield the rules that a start breaks, in their order, each judged minute by minute."""
    query, organization, advisor = reference.query, reference.organization, verdict.candidate
    start, end, wanted = verdict.starts_at, verdict.ends_at, verdict.meeting_type
    offering = [each for each in advisor.intervals if wanted in each.meeting_types]
    places = {each.location for each in offering}
    at_one_place = wanted is not MeetingType.PHYSICAL or any(
        works_through(advisor.zone, [each for each in offering if each.location == place], start, end)
        for place in places
    )
    for_customers = query.customer_initiated
    broken = {
        Rule.PAST: start < query.now,
        Rule.OUTSIDE_SEARCH: start < query.starts_at or end > query.ends_at,
        Rule.MINIMUM_NOTICE: for_customers and start < query.now + query.minimum_notice,
        Rule.TOO_FAR_AHEAD: for_customers and query.max_ahead is not None and start > query.now + query.max_ahead,
        Rule.OPENING_HOURS: not reference.is_open_to_customers(advisor, wanted, start, end),
        Rule.CLOSING_DAY: any(
            date_of(organization.zone, minute) in organization.closing_days for minute in each_minute(start, end)
        ),
        Rule.WORKING_HOURS: not works_through(advisor.zone, advisor.intervals, start, end),
        Rule.MEETING_TYPE: not works_through(advisor.zone, offering, start, end),
        Rule.LOCATION: not at_one_place,
        Rule.LOCAL: not reference.starts_in_place(advisor, wanted, start),
        Rule.WORKING_TIME_BUFFER: not reference.has_worked(advisor, start),
        Rule.RESPONSE_TIME: start < query.now + advisor.response_time,
        Rule.BUSY: not reference.is_free_around(advisor, start, end),
        Rule.DAILY_LIMIT: reference.is_over_limit(advisor, start, end),
    }
    yield from (rule for rule, is_broken in broken.items() if is_broken)


def test_there_are_many_zones_whose_midnight_is_odd() -> None:
    found = {zone.key for zone, _ in list_midnights()}
    assert found >= {"America/Santiago", "Africa/Cairo", "Asia/Beirut", "Atlantic/Azores", "America/Havana"}
    assert (ZoneInfo("America/Santiago"), date(2052, 9, 8)) in list_midnights()


@settings(max_examples=EXAMPLES * 3, deadline=None, suppress_health_check=SLOW, derandomize=EXAMPLES < 100)
@given(firms())
def test_on_days_with_an_odd_midnight_each_reason_is_the_first_rule_that_the_start_breaks(
    firm: tuple[Query, Organization, list[Candidate], list[BusyRow], date],
) -> None:
    query, organization, advisors, busy, day = firm
    calendars = Calendars.from_rows(busy)
    reference = Reference(query, organization, advisors, [], busy)
    found = {(slot.starts_at, slot.meeting_type) for slot in search(query, organization, advisors, (), calendars)}
    shown = set[datetime]()
    for each in (day - DAY, day, day + DAY):
        verdicts = explain(query, organization, advisors, (), calendars, employee_id=ANNA, day=each)
        begin, end = day_of(organization.zone, each)
        minutes = each_minute(begin, end)
        half_hours = {one for one in minutes if one.astimezone(advisors[0].zone).minute in {0, 30}}
        assert {one.starts_at for one in verdicts} == half_hours
        shown |= half_hours
        for verdict in verdicts:
            assert verdict.rule == next(list_broken(reference, verdict), None), verdict
            assert (verdict.rule is None) == ((verdict.starts_at, verdict.meeting_type) in found)
    assert all(start in shown for start, _ in found if min(shown) <= start <= max(shown))
