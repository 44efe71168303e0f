"""The number of free times of each day, and the rules that remove them on days without any."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple
from zoneinfo import ZoneInfo

import numpy as np

from meetdeck.booking.slots.calendar import ZoneClock
from meetdeck.booking.slots.checks import Check, go_on
from meetdeck.booking.slots.group_meetings import BegunSlot, add_begun, find_joinable
from meetdeck.booking.slots.model import Calendars, Candidate, Organization, Query, Room
from meetdeck.booking.slots.offers import find_wanted_types
from meetdeck.booking.slots.refusals import OFFERED, RULES, find_refusals
from meetdeck.booking.slots.rules import Rule
from meetdeck.booking.slots.search import search
from meetdeck.booking.slots.timestamps import Indexes, Instants


class Forecast(NamedTuple):
    """The number of free times of each day, and for each day without any (by its index) how many advisors a rule stops.

    A time is free when any advisor is offered then, in any meeting type. A rule stops an advisor when it removes the
    start that gets furthest in the order of the rules: an advisor who has time all day except for the notice is stopped
    by the notice.
    """

    free_times: list[int]
    gaps: dict[int, Counter[Rule]]


class _Gaps(NamedTuple):
    """Some of the days that begin at midnights, by their indexes."""

    midnights: Instants
    days: Indexes


def forecast(  # noqa: PLR0913 - the search's input, and the days
    query: Query,
    organization: Organization,
    candidates: Sequence[Candidate],
    rooms: Sequence[Room],
    calendars: Calendars,
    midnights: Instants,
    *,
    begun: Sequence[BegunSlot] = (),
    check: Check = go_on,
) -> Forecast:
    """Return the forecast of the days that begin at the midnights, the last of which ends the last day.

    `begun` are the times that customers share already. The query names no employees to meet together, and is not for
    the best. `calendars` must contain everything in `find_calendar_span`. Raises what `check` does.
    """
    calendars = calendars.keep([each.resource_key for each in (*candidates, *query.people, *rooms)])
    found = search(query, organization, candidates, rooms, calendars, check)
    slots = add_begun(found, find_joinable(begun, query, candidates, calendars), candidates, best=False)
    check()
    days = np.searchsorted(midnights, slots.starts_at[slots.offers.any(axis=1)], side="right") - 1
    count = len(midnights) - 1
    free_times = np.bincount(days[days < count], minlength=count)
    gaps = np.flatnonzero(free_times == 0)
    rules = [Counter[Rule]() for _ in range(len(gaps))]
    if len(gaps) and candidates:
        furthest = _find_furthest(query, organization, candidates, rooms, calendars, _Gaps(midnights, gaps))
        for of_day, codes in zip(rules, furthest.T, strict=True):
            numbers: list[int] = np.bincount(codes[codes >= 0]).tolist()
            of_day.update({RULES[code]: number for code, number in enumerate(numbers) if number})
    places: list[int] = gaps.tolist()
    return Forecast(free_times.tolist(), dict(zip(places, rules, strict=True)))


def _find_furthest(
    query: Query,
    organization: Organization,
    candidates: Sequence[Candidate],
    rooms: Sequence[Room],
    calendars: Calendars,
    gaps: _Gaps,
) -> Indexes:
    """Return the code of the furthest rule for each employee and gap; -1 if the day has no start for the employee."""
    rows = {employee_id: row for row, employee_id in enumerate(dict.fromkeys(each.employee_id for each in candidates))}
    furthest = np.full((len(rows), len(gaps.days)), -1, dtype=np.intp)
    for zone in dict.fromkeys(each.zone for each in candidates):
        here = [each for each in candidates if each.zone == zone]
        instants, gap_of = _list_starts(zone, gaps)
        if len(instants) and find_wanted_types(query):
            by_type = find_refusals(query, organization, here, rooms, calendars, instants)
            columns, firsts = np.unique(gap_of, return_index=True)
            codes = [np.maximum.reduceat(of_type, firsts, axis=1) for of_type in by_type.values()]
            row_of = np.array([rows[each.employee_id] for each in here])[:, np.newaxis]
            np.maximum.at(furthest, (row_of, columns), np.maximum.reduce(codes).astype(np.intp))
    furthest[furthest == OFFERED] = RULES.index(Rule.ALSO)  # they are offered alone, but not with people of the groups
    return furthest


def _list_starts(zone: ZoneInfo, gaps: _Gaps) -> tuple[Instants, Indexes]:
    """Return the half-hours of a zone on some days, and the day of each."""
    begin, end = int(gaps.midnights[0]), int(gaps.midnights[-1])
    instants = ZoneClock(zone, begin, end).half_hours(begin, end - 1)
    days = np.searchsorted(gaps.midnights, instants, side="right") - 1
    chosen = np.isin(days, gaps.days)
    return instants[chosen], np.searchsorted(gaps.days, days[chosen])
