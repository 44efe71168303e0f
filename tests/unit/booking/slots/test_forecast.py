"""The forecast, against the search and its explanations asked for each day and advisor."""

from collections import Counter
from datetime import date, timedelta
from uuid import UUID

import numpy as np
from hypothesis import given, settings
from msgspec.structs import replace

from meetdeck.booking.slots.explain import explain, find_day
from meetdeck.booking.slots.forecast import forecast
from meetdeck.booking.slots.model import Calendars
from meetdeck.booking.slots.rules import Rule
from meetdeck.booking.slots.search import search
from meetdeck.booking.slots.timestamps import to_datetime
from support.slots.random_firms import EXAMPLES, SLOW, Firm, firms_with_extra_hours
from support.slots.reference import Entries

ORDER = list(Rule)
DAY = timedelta(days=1)


def count_by_explaining(firm: Firm, calendars: Calendars, day: date) -> Counter[Rule]:
    """Ask of each advisor why each half-hour of a day is missing, and count the rule that came furthest."""
    query, organization, candidates, rooms, _ = firm
    counted = Counter[Rule]()
    for employee_id in {each.employee_id for each in candidates}:
        verdicts = explain(query, organization, candidates, rooms, calendars, employee_id=employee_id, day=day)
        rules = [each.rule for each in verdicts if each.rule is not None]
        assert len(rules) == len(verdicts)
        if rules:
            counted[max(rules, key=ORDER.index)] += 1
    return counted


@settings(max_examples=max(EXAMPLES // 2, 10), suppress_health_check=SLOW, deadline=None)
@given(firms_with_extra_hours())
def test_days_have_the_times_that_the_search_finds_and_the_reasons_that_explaining_gives(
    drawn: tuple[Firm, Entries],
) -> None:
    (query, organization, candidates, rooms, busy), entries = drawn
    query = replace(query, require_all=False, named=frozenset[UUID](), best=False)
    firm = query, organization, candidates, rooms, busy
    calendars = Calendars.from_rows(busy, *entries[:1], extra_open=entries.extra_open, elsewhere=entries.elsewhere)
    first = query.starts_at.astimezone(organization.zone).date() - DAY
    days = [first + number * DAY for number in range(4)]
    bounds = [find_day(organization, day) for day in days]
    found = forecast(
        query,
        organization,
        candidates,
        rooms,
        calendars,
        np.array([*(begin for begin, _ in bounds), bounds[-1][1]], dtype=np.int64),
    )
    starts = {slot.starts_at for slot in search(query, organization, candidates, rooms, calendars)}
    for number, (day, (begin, end)) in enumerate(zip(days, bounds, strict=True)):
        free = sum(to_datetime(begin) <= start < to_datetime(end) for start in starts)
        assert found.free_times[number] == free
        assert (number in found.gaps) is (free == 0)
        if not free:
            assert found.gaps[number] == count_by_explaining(firm, calendars, day)
