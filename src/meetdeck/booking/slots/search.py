"""The search: finds free slots from candidates' hours, calendars, limits and rooms.

Only the possible starts are checked: the half-hours, by the candidates' own clocks, in somebody's hours. Cost grows
with candidates times starts, plus busy rows.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import repeat
from typing import NamedTuple
from uuid import UUID

import numpy as np

from meetdeck.booking.slots.best import choose_best
from meetdeck.booking.slots.calendar import ZoneClock
from meetdeck.booking.slots.checks import Check, go_on
from meetdeck.booking.slots.lead_time import find_ready
from meetdeck.booking.slots.limits import NO_LIMIT, DailyLimits
from meetdeck.booking.slots.model import Calendars, Candidate, MeetingType, Organization, Query, Room, Slots, to_bits
from meetdeck.booking.slots.occupancy import batches, count_ranges, find_free, split_by_owner
from meetdeck.booking.slots.offers import find_offers, find_wanted_types
from meetdeck.booking.slots.rooms import FreeRooms
from meetdeck.booking.slots.rules import check_starts
from meetdeck.booking.slots.start_grid import Axis
from meetdeck.booking.slots.timestamps import Codes, Flags, Instants, to_datetime, to_instant, to_length, to_numbers
from meetdeck.booking.slots.timetable import Timetable, lay_out


class AllowedStarts(NamedTuple):
    """The starts (columns) that each rule leaves to a batch of candidates (rows)."""

    batch: slice
    early: Flags  # before the candidate's response time or working-time buffer is over
    free: Flags  # the candidate is not busy, buffers included
    full: Flags  # a day would exceed its limit
    elsewhere: Flags | None  # the candidate meets nobody physically; None: no candidate of this search is elsewhere


def search(
    query: Query,
    organization: Organization,
    candidates: Sequence[Candidate],
    rooms: Sequence[Room],
    calendars: Calendars,
    check: Check = go_on,
) -> Slots:
    """Return every free slot of the candidates, each once; its column is the candidate's.

    With `require_all` and named employees, only they are searched, all of them must be among the candidates, and a slot
    is one at which all are free, in a meeting type that all offer. With `best`, one candidate has each start and
    meeting type, and items are ordered by meeting type. `calendars` must contain everything in `find_calendar_span`.
    Raises what `check` does.
    """
    duration = to_length(query.duration)
    together = query.require_all and bool(query.named)
    searched = [each for each in candidates if each.employee_id in query.named] if together else candidates
    employees = tuple(each.employee_id for each in searched)
    begin, end = _find_span(query)
    if not searched or end - begin < duration or (together and query.named != frozenset(employees)):
        return _no_slots(duration)
    timetable = lay_out(searched, begin, end, calendars.extra_open)
    check()
    instants = _find_possible_starts(query, organization, timetable, begin, end - duration)
    if not len(instants):
        return _no_slots(duration)
    starts = Axis(instants)
    free_rooms = FreeRooms(query, rooms, calendars.busy, starts, duration)
    offers = find_offers(timetable, query, organization, starts, duration, free_rooms)
    slots = np.empty((len(starts), len(searched)), dtype=np.uint8)
    for batch, early, free, full, elsewhere in check_batches(query, organization, searched, calendars, starts):
        check()
        offered = offers[timetable.plan_of[batch]] & timetable.types_of[batch, np.newaxis]
        if elsewhere is not None:
            offered &= ~(elsewhere * np.uint8(MeetingType.PHYSICAL.bit))
        slots[:, batch] = (offered * (free & ~(early | full))).T
    _unite_columns(slots, searched, together=together)
    priorities = tuple(each.priority for each in searched)
    if query.best:
        choose_best(slots, searched, calendars.busy, starts, _list_days(organization, starts, duration))
        priorities = (0,) * len(searched)
    return Slots(instants, duration, employees, priorities, slots)


def rank_by_load(
    query: Query,
    organization: Organization,
    candidates: Sequence[Candidate],
    rooms: Sequence[Room],
    calendars: Calendars,
) -> list[UUID]:
    """Return the employees offered at the search's beginning, the least booked on that local day first.

    Equally booked ones keep the order of the candidates. `calendars` must contain the whole day.
    """
    begin, duration = to_instant(query.starts_at), to_length(query.duration)
    slots = search(query, organization, candidates, rooms, calendars)
    offering = {slots.employee_ids[column] for column in np.flatnonzero(slots.offers.any(axis=0)).tolist()}
    keys = {each.employee_id: each.resource_key for each in candidates if each.employee_id in offering}
    if not keys:
        return []
    starts = Axis(np.array([begin], dtype=np.int64))
    days = DailyLimits(ZoneClock(organization.zone, begin, begin + duration), starts, duration)
    loads: list[int] = []
    for batch, occupied in zip(batches(len(keys)), split_by_owner(list(keys.values()), calendars.busy), strict=True):
        loads += days.count_booked(batch.stop - batch.start, occupied)[:, 0].tolist()
    return [employee_id for _, employee_id in sorted(zip(loads, keys, strict=True), key=lambda each: each[0])]


def find_calendar_span(
    query: Query, organization: Organization, candidates: Sequence[Candidate], *, whole_days: bool = False
) -> tuple[datetime, datetime]:
    """Return the span of the calendars to load: the search with its buffers, and for limits whole local days."""
    begin, end = _find_span(query)
    end = max(begin, end)
    if whole_days or query.best or any(each.daily_limit is not None for each in candidates):
        clock = ZoneClock(organization.zone, begin, end)
        midnights = clock.midnights(clock.days(begin, end))
        begin, end = int(midnights[midnights <= begin][-1]), int(midnights[midnights >= end][0])
    before, after = (int(column.max(initial=0)) for column in _list_buffers(query, candidates))
    return to_datetime(begin - before), to_datetime(end + after)


def check_batches(
    query: Query, organization: Organization, candidates: Sequence[Candidate], calendars: Calendars, starts: Axis
) -> Iterator[AllowedStarts]:
    """Yield, batch by batch, the starts that each candidate's own response time, calendar and daily limit leave."""
    duration = to_length(query.duration)
    occupied = split_by_owner([each.resource_key for each in candidates], calendars.busy)
    limits = to_numbers(_to_limit, [each.daily_limit for each in candidates])
    before, after = _list_buffers(query, candidates)
    ready = to_numbers(to_length, [each.response_time for each in candidates]) + to_instant(query.now)
    worked = find_ready(query, organization, candidates)
    if worked is not None:
        ready = np.maximum(ready, worked)
    days = _list_days(organization, starts, duration)
    away = _find_elsewhere(candidates, calendars, starts, duration)
    for batch, rows, elsewhere in zip(batches(len(candidates)), occupied, away, strict=False):
        free = find_free(starts, duration, (before[batch], after[batch]), rows)
        early = starts.instants < ready[batch, np.newaxis]
        yield AllowedStarts(batch, early, free, days.find_full(limits[batch], rows), elsewhere)


def _find_elsewhere(
    candidates: Sequence[Candidate], calendars: Calendars, starts: Axis, duration: int
) -> Iterator[Flags | None]:
    """Yield, batch by batch, the starts of slots that touch a time when the candidate works from elsewhere."""
    if not len(calendars.elsewhere):
        yield from repeat(None)
    for batch, rows in zip(
        batches(len(candidates)),
        split_by_owner([each.resource_key for each in candidates], calendars.elsewhere),
        strict=True,
    ):
        no_buffers = np.zeros(batch.stop - batch.start, dtype=np.int64)
        yield ~find_free(starts, duration, (no_buffers, no_buffers), rows)


def _list_days(organization: Organization, starts: Axis, duration: int) -> DailyLimits:
    clock = ZoneClock(organization.zone, int(starts.instants[0]), int(starts.instants[-1]) + duration)
    return DailyLimits(clock, starts, duration)


def _unite_columns(slots: Codes, searched: Sequence[Candidate], *, together: bool) -> None:
    """Keep each slot of an advisor only in the column of the highest priority.

    With `together`, keep only the slots that all advisors offer.
    """
    order = sorted(range(len(searched)), key=lambda column: -searched[column].priority)
    columns_of: defaultdict[UUID, list[int]] = defaultdict(list)
    for column in order:
        columns_of[searched[column].employee_id].append(column)
    if together:
        each_offers = [np.bitwise_or.reduce(slots[:, columns], axis=1) for columns in columns_of.values()]
        slots[:] = np.bitwise_and.reduce(each_offers)[:, np.newaxis]
    if len(columns_of) == len(searched):
        return
    for first, *further in columns_of.values():
        offered = slots[:, first].copy()
        for column in further:
            slots[:, column] &= ~offered
            offered |= slots[:, column]


def _list_buffers(query: Query, candidates: Sequence[Candidate]) -> tuple[Instants, Instants]:
    """Return how long before a slot, and how long after it, each candidate must be free."""
    least_before, least_after = map(to_length, query.buffers)
    before = to_numbers(to_length, [each.buffer_before for each in candidates])
    after = to_numbers(to_length, [each.buffer_after for each in candidates])
    return np.maximum(before, least_before), np.maximum(after, least_after)


def _to_limit(daily_limit: timedelta | None) -> int:
    return NO_LIMIT if daily_limit is None else to_length(daily_limit)


def _find_span(query: Query) -> tuple[int, int]:
    """Return the instants between which whole slots fit; the second is the earlier one when no slot fits."""
    return to_instant(max(query.starts_at, query.now)), to_instant(query.ends_at)


def _find_possible_starts(
    query: Query, organization: Organization, timetable: Timetable, first: int, last: int
) -> Instants:
    """Return the half-hours that the rules for all advisors leave, in the hours of at least one wanted interval."""
    instants = np.unique(np.concatenate([clock.half_hours(first, last) for clock in timetable.clocks]))
    if not len(instants):
        return instants
    judged = check_starts(instants, query, organization, timetable.find_extra_hours())
    instants = instants[np.logical_and.reduce([kept for _, kept in judged])]
    if not len(instants):
        return instants
    starts = Axis(instants)
    wanted = timetable.types & to_bits(find_wanted_types(query)) != 0
    begins = starts.count_before(timetable.begins[wanted].ravel())
    ends = np.maximum(starts.count_before(timetable.ends[wanted].ravel()), begins)
    worked = count_ranges(np.zeros_like(begins), begins, ends, (1, len(starts) + 1))[0, :-1] > 0
    return instants[worked]


def _no_slots(duration: int) -> Slots:
    return Slots(np.empty(0, dtype=np.int64), duration, (), (), np.empty((0, 0), dtype=np.uint8))
