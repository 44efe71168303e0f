"""The search: finds free slots from candidates' hours, calendars, limits and rooms.

Only the possible starts are checked: the half-hours, by the candidates' own clocks, in somebody's hours. Cost grows
with candidates times starts, plus busy rows.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import numpy as np

from meetdeck.booking.slots.again import Frame, find_common
from meetdeck.booking.slots.allowed_starts import KnownTypes, check_by_days, list_buffers, list_days, list_terms
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
from meetdeck.booking.slots.timestamps import Codes, Instants, to_datetime, to_instant, to_length
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
    found = search_all(query, organization, candidates, rooms, calendars, check)
    return found.slots, found.joint


class Found(NamedTuple):
    """The free slots, the people who can come along, and what searching again needs if it is for each on its own."""

    slots: Slots
    joint: Joint | None = None
    frame: Frame | None = None


def search_all(
    query: Query,
    organization: Organization,
    candidates: Sequence[Candidate],
    rooms: Sequence[Room],
    calendars: Calendars,
    check: Check = go_on,
) -> Found:
    """Return what `search_jointly` returns, and the frame of the search."""
    duration = to_length(query.duration)
    together = query.require_all and bool(query.named)
    searched = [each for each in candidates if each.employee_id in query.named] if together else candidates
    employees = tuple(each.employee_id for each in searched)
    begin, end = _find_span(query)
    if not searched or end - begin < duration or (together and query.named != frozenset(employees)):
        return Found(_no_slots(duration))
    timetable = lay_out(searched, begin, end, calendars.extra_open)
    check()
    instants = _find_possible_starts(query, organization, timetable, begin, end - duration)
    instants = _leave_to(query.attending, calendars, instants, duration)
    if not len(instants):
        return Found(_no_slots(duration))
    starts = Axis(instants)
    free_rooms = FreeRooms(query, rooms, calendars.busy, starts, duration)
    offers = find_offers(timetable, query, organization, starts, duration, free_rooms)
    terms, days = list_terms(query, organization, searched), list_days(organization, starts, duration)
    common = find_common(rooms, calendars)
    frame = Frame(searched, common, starts, duration, timetable.plan_of, timetable.types_of, offers, terms, days)
    slots, allowed = _check_all(frame, calendars, check, keeps_allowed=bool(query.also))
    joint = None
    if query.also:
        team = Team(query, organization, calendars, starts, KnownTypes(terms, allowed))
        advisors = Advisors(searched, timetable, free_rooms, slots)
        joint = keep_joint(query, organization, advisors, team)
    unite_columns(slots, searched, together=together)
    priorities = tuple(each.priority for each in searched)
    if query.best:
        choose_best(slots, searched, calendars.busy, starts, days)
        priorities = (0,) * len(searched)
    is_joined = together or query.best or query.also or query.attending
    return Found(Slots(instants, duration, employees, priorities, slots), joint, None if is_joined else frame)


def _check_all(frame: Frame, calendars: Calendars, check: Check, *, keeps_allowed: bool) -> tuple[Codes, Codes]:
    """Return the offered meeting types, shape (starts, candidates), and those that calendars leave, the other way."""
    count, starts = len(frame.candidates), len(frame.starts)
    slots = np.empty((starts, count), dtype=np.uint8)
    allowed = np.empty((count if keeps_allowed else 0, starts), dtype=np.uint8)
    for each in check_by_days(frame.terms, frame.days, calendars, frame.starts, frame.duration):
        check()
        batch, codes = each.batch, each.find_types()
        if keeps_allowed:
            allowed[batch] = codes
        slots[:, batch] = frame.offer(batch, codes).T
    return slots, allowed


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


class Margins(NamedTuple):
    """The times before and after a search in which calendars matter; for limits, whole local days."""

    before: int
    after: int
    whole_days: bool

    @classmethod
    def of(cls, query: Query, candidates: Sequence[Candidate]) -> "Margins":
        """Return the margins of a search for some candidates, whenever it is."""
        candidates = [*candidates, *query.people]
        before, after = (int(column.max(initial=0)) for column in list_buffers(query, candidates))
        is_limited = query.best or bool(query.also) or any(each.daily_limit is not None for each in candidates)
        return cls(before, after, is_limited)


def find_calendar_span(
    query: Query, organization: Organization, candidates: Sequence[Candidate], *, whole_days: bool = False
) -> tuple[datetime, datetime]:
    """Return the span of the calendars to load: the search with its buffers, and for limits whole local days."""
    margins = Margins.of(query, candidates)
    return find_span_within(query, organization, margins._replace(whole_days=whole_days or margins.whole_days))


def find_span_within(query: Query, organization: Organization, margins: Margins) -> tuple[datetime, datetime]:
    """Return what `find_calendar_span` returns for candidates with some margins."""
    begin, end = _find_span(query)
    end = max(begin, end)
    if margins.whole_days:
        clock = ZoneClock(organization.zone, begin, end)
        midnights = clock.midnights(clock.days(begin, end))
        begin, end = int(midnights[midnights <= begin][-1]), int(midnights[midnights >= end][0])
    return to_datetime(begin - margins.before), to_datetime(end + margins.after)


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
