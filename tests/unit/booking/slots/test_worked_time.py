"""The time that advisors can be booked and are, against counting minute by minute."""

from collections import Counter
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import numpy as np
from hypothesis import given, settings
from msgspec.structs import replace

from meetdeck.booking.slots.model import Calendars, Candidate, Organization, to_place
from meetdeck.booking.slots.timestamps import to_instant
from meetdeck.booking.slots.worked_time import measure_worked_time
from support.slots.random_firms import EXAMPLES, SLOW, Firm, firms_with_extra_hours
from support.slots.reference import DAY, MINUTE, BusyRow, Entries, date_of, each_minute, hours_on

Minutes = Counter[tuple[int, str, int]]
"""The minutes of an advisor, at a place (empty: anywhere), in a period."""


def covers(rows: list[BusyRow], candidate: Candidate, minute: datetime) -> bool:
    return any(key == candidate.resource_key and begin <= minute < end for key, begin, end in rows)


def find_places(candidate: Candidate, entries: Entries, minute: datetime) -> set[str]:
    """Return where an advisor works at a minute."""
    day = date_of(candidate.zone, minute)
    places = {
        to_place(each.location)
        for each in candidate.intervals
        for near in (day - DAY, day, day + DAY)
        if each.weekday == near.weekday() and each.meeting_types
        for begin, end in [hours_on(candidate.zone, near, each.from_time, each.to_time)]
        if begin <= minute < end
    }
    return places | ({to_place(candidate.home)} if covers([*entries.extra_open], candidate, minute) else set())


def count_minutes(
    organization: Organization,
    advisors: list[Candidate],
    meetings: list[BusyRow],
    entries: Entries,
    bounds: list[datetime],
) -> tuple[Minutes, Minutes, Minutes]:
    """Count bookable, booked and outside minutes; the last of all places alone."""
    bookable, booked, outside = Minutes(), Minutes(), Minutes()
    for minute in each_minute(bounds[0], bounds[-1]):
        period = sum(bound <= minute for bound in bounds) - 1
        is_closed = date_of(organization.zone, minute) in organization.closing_days
        for candidate in advisors:
            places = find_places(candidate, entries, minute)
            is_taken = covers(meetings, candidate, minute)
            is_away = is_closed or covers([*entries.busy], candidate, minute)
            for place in [*places, *(["*"] if places else [])]:
                bookable[candidate.resource_key, place, period] += is_taken or not is_away
                booked[candidate.resource_key, place, period] += is_taken
            outside[candidate.resource_key, "*", period] += is_taken and not places
    return bookable, booked, outside


@settings(max_examples=max(EXAMPLES // 8, 5), suppress_health_check=SLOW, deadline=None)
@given(firms_with_extra_hours())
def test_hours_are_those_that_counting_minutes_finds(drawn: tuple[Firm, Entries]) -> None:
    (query, organization, candidates, _, meetings), entries = drawn
    advisors = [
        replace(each, physical_places=None, start_place=None)
        for each in {one.resource_key: one for one in candidates}.values()
    ]
    begin = query.starts_at.replace(second=0, microsecond=0)
    bounds = [begin, begin + timedelta(hours=7), begin + timedelta(hours=31), begin + timedelta(hours=31) + MINUTE]
    counted = count_minutes(organization, advisors, meetings, entries, bounds)
    instants = np.array([to_instant(each) for each in bounds], dtype=np.int64)
    calendars = Calendars.from_rows(meetings, entries.busy, extra_open=entries.extra_open)
    for by_place in (False, True):
        found = Minutes(), Minutes(), Minutes()
        for part in measure_worked_time(organization, advisors, calendars, instants, by_place=by_place):
            owners: list[int] = part.owners.tolist()
            for line, owner in enumerate(owners):
                place = part.places[line] if by_place else "*"
                for minutes, lengths in zip(found, part[2:], strict=True):
                    for period, length in enumerate(lengths[line].tolist()):
                        minutes[advisors[owner].resource_key, place, period] += length // 60_000_000
        for minutes, expected in zip(found[: 2 if by_place else 3], counted, strict=False):
            wanted = {key: count for key, count in expected.items() if count and (key[1] != "*") == by_place}
            assert {key: count for key, count in minutes.items() if count} == wanted


def test_nobody_works_no_time() -> None:
    organization = Organization(ZoneInfo("UTC"), time(8), time(16))
    assert not [*measure_worked_time(organization, [], Calendars(), np.array([0, 1]))]
