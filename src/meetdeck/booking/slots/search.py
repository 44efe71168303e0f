"""The search: finds free slots from candidates' hours, calendars, limits and rooms.

Only the possible starts are checked: the half-hours, by the candidates' own clocks, in somebody's hours. Cost grows
with candidates times starts, plus busy rows.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import numpy as np

from meetdeck.booking.slots.allowed_starts import KnownTypes, check_terms, list_buffers, list_days, list_terms
from meetdeck.booking.slots.best import choose_best
from meetdeck.booking.slots.calendar import ZoneClock
from meetdeck.booking.slots.checks import Check, go_on
from meetdeck.booking.slots.columns import unite_columns
from meetdeck.booking.slots.joint import Advisors, Joint, Team, keep_joint
from meetdeck.booking.slots.limits import DailyLimits
from meetdeck.booking.slots.model import Calendars, Candidate, Organization, Query, Room, Slots, to_bits
from meetdeck.booking.slots.occupancy import batches, count_ranges, find_free, split_by_owner
from meetdeck.booking.slots.offers import find_offers, find_wanted_types
from meetdeck.booking.slots.rooms import FreeRooms
from meetdeck.booking.slots.rules import check_starts
from meetdeck.booking.slots.start_grid import Axis
from meetdeck.booking.slots.timestamps import Instants, to_datetime, to_instant, to_length
from meetdeck.booking.slots.timetable import Timetable, lay_out


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
    return search_jointly(query, organization, candidates, rooms, calendars, check)[0]


def search_jointly(
    query: Query,
    organization: Organization,
    candidates: Sequence[Candidate],
    rooms: Sequence[Room],
    calendars: Calendars,
    check: Check = go_on,
) -> tuple[Slots, Joint | None]:
    """Return what `search` returns, and the people who can come along; None: no slots, or nobody else is needed."""
    duration = to_length(query.duration)
    together = query.require_all and bool(query.named)
    searched = [each for each in candidates if each.employee_id in query.named] if together else candidates
    employees = tuple(each.employee_id for each in searched)
    begin, end = _find_span(query)
    if not searched or end - begin < duration or (together and query.named != frozenset(employees)):
        return _no_slots(duration), None
    timetable = lay_out(searched, begin, end, calendars.extra_open)
    check()
    instants = _find_possible_starts(query, organization, timetable, begin, end - duration)
    instants = _leave_to(query.attending, calendars, instants, duration)
    if not len(instants):
        return _no_slots(duration), None
    starts = Axis(instants)
    free_rooms = FreeRooms(query, rooms, calendars.busy, starts, duration)
    offers = find_offers(timetable, query, organization, starts, duration, free_rooms)
    slots = np.empty((len(starts), len(searched)), dtype=np.uint8)
    terms = list_terms(query, organization, searched)
    allowed = np.empty((len(searched) if query.also else 0, len(starts)), dtype=np.uint8)
    for each in check_terms(terms, organization, calendars, starts, query.duration):
        check()
        batch, codes = each.batch, each.find_types()
        if query.also:
            allowed[batch] = codes
        slots[:, batch] = (offers[timetable.plan_of[batch]] & timetable.types_of[batch, np.newaxis] & codes).T
    joint = None
    if query.also:
        team = Team(query, organization, calendars, starts, KnownTypes(terms, allowed))
        advisors = Advisors(searched, timetable, free_rooms, slots)
        joint = keep_joint(query, organization, advisors, team)
    unite_columns(slots, searched, together=together)
    priorities = tuple(each.priority for each in searched)
    if query.best:
        choose_best(slots, searched, calendars.busy, starts, list_days(organization, starts, duration))
        priorities = (0,) * len(searched)
    return Slots(instants, duration, employees, priorities, slots), joint


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
    candidates = [*candidates, *query.people]
    begin, end = _find_span(query)
    end = max(begin, end)
    if whole_days or query.best or query.also or any(each.daily_limit is not None for each in candidates):
        clock = ZoneClock(organization.zone, begin, end)
        midnights = clock.midnights(clock.days(begin, end))
        begin, end = int(midnights[midnights <= begin][-1]), int(midnights[midnights >= end][0])
    before, after = (int(column.max(initial=0)) for column in list_buffers(query, candidates))
    return to_datetime(begin - before), to_datetime(end + after)


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


def _leave_to(attending: Sequence[int], calendars: Calendars, instants: Instants, duration: int) -> Instants:
    """Return the starts at which all who attend are free."""
    if not attending or not len(instants):
        return instants
    nothing = np.zeros(len(attending), dtype=np.int64)
    (rows,) = split_by_owner(attending, calendars.busy)
    return instants[find_free(Axis(instants), duration, (nothing, nothing), rows).all(axis=0)]


def _no_slots(duration: int) -> Slots:
    return Slots(np.empty(0, dtype=np.int64), duration, (), (), np.empty((0, 0), dtype=np.uint8))
