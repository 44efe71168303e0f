"""Finds the first rule that removes each start of each advisor, for explanations and forecasts."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from msgspec.structs import replace

from meetdeck.booking.slots.allowed_starts import check_batches
from meetdeck.booking.slots.extra_hours import find_extra_hours
from meetdeck.booking.slots.intervals import NO_INTERVALS
from meetdeck.booking.slots.lead_time import find_ready
from meetdeck.booking.slots.model import (
    EVERY_TYPE,
    EXTRA_TYPES,
    Calendars,
    Candidate,
    MeetingType,
    Organization,
    Query,
    Room,
    WorkInterval,
)
from meetdeck.booking.slots.occupancy import batches
from meetdeck.booking.slots.offers import find_offers, find_wanted_types
from meetdeck.booking.slots.rooms import FreeRooms
from meetdeck.booking.slots.rules import Rule, check_starts
from meetdeck.booking.slots.start_grid import Axis
from meetdeck.booking.slots.timestamps import Codes, Flags, Instants, to_instant, to_length
from meetdeck.booking.slots.timetable import lay_out

RULES: Final = tuple(Rule)
OFFERED: Final = len(RULES)
"""The code of a start that no rule removes; the code of a rule is its place in `RULES`."""
_CODES: Final = {rule: place for place, rule in enumerate(RULES)}


def find_refusals(
    query: Query,
    organization: Organization,
    candidates: Sequence[Candidate],
    rooms: Sequence[Room],
    calendars: Calendars,
    instants: Instants,
) -> dict[MeetingType, Codes]:
    """Return, for each wanted type, the code of the first rule about a candidate alone that removes each start.

    Shape (candidates, instants). The instants ascend, half-hours by the clocks of all candidates. `calendars` must
    hold what lies in `find_calendar_span`.
    """
    shape = len(candidates), len(instants)
    codes = {each: np.full(shape, OFFERED, dtype=np.uint8) for each in find_wanted_types(query)}
    for rows in _list_batches(candidates, calendars):
        some = [candidates[row] for row in rows]
        for meeting_type, found in _check_batch(query, organization, some, rooms, calendars, instants).items():
            codes[meeting_type][rows] = found
    return codes


def _list_batches(candidates: Sequence[Candidate], calendars: Calendars) -> Iterator[list[int]]:
    """Yield the candidates that are checked together: many without extra hours, or one who has some."""
    extra = set(np.unique(calendars.extra_open.resource_keys).tolist())
    usual = [row for row, each in enumerate(candidates) if each.resource_key not in extra]
    yield from (usual[batch] for batch in batches(len(usual)))
    yield from ([row] for row, each in enumerate(candidates) if each.resource_key in extra)


def _check_batch(
    query: Query,
    organization: Organization,
    candidates: Sequence[Candidate],
    rooms: Sequence[Room],
    calendars: Calendars,
    instants: Instants,
) -> dict[MeetingType, Codes]:
    """Return the codes of a batch of candidates: without extra hours, or a single one with them."""
    codes: dict[MeetingType, Codes] = {}
    extra = find_extra_hours(candidates, calendars.extra_open, int(instants[0]), to_instant(query.ends_at))
    allowed = np.zeros(len(instants), dtype=np.bool_)
    for meeting_type in find_wanted_types(query):
        of_type = codes[meeting_type] = np.full((len(candidates), len(instants)), OFFERED, dtype=np.uint8)
        left = np.ones(len(instants), dtype=np.bool_)
        more_hours = extra.as_intervals() if meeting_type in EXTRA_TYPES else NO_INTERVALS
        for rule, kept in check_starts(instants, query, organization, more_hours):
            of_type[:, left & ~kept] = _CODES[rule]
            left &= kept
        allowed |= left
    if allowed.any():
        starts = Axis(instants[allowed])
        for meeting_type, rule, kept in _check_alone(query, organization, candidates, rooms, calendars, starts):
            of_allowed = codes[meeting_type][:, allowed]
            of_allowed[(of_allowed == OFFERED) & ~kept] = _CODES[rule]
            codes[meeting_type][:, allowed] = of_allowed
    return codes


def _check_alone(
    query: Query,
    organization: Organization,
    candidates: Sequence[Candidate],
    rooms: Sequence[Room],
    calendars: Calendars,
    starts: Axis,
) -> Iterator[tuple[MeetingType, Rule, Flags]]:
    """Yield each meeting type's rules about advisors, with the starts (columns) allowed to the candidates (rows)."""
    found = _search_step_by_step(query, organization, candidates, rooms, calendars, starts)
    (checked,) = check_batches(query, organization, candidates, calendars, starts)
    ready = np.array([to_length(each.response_time) for each in candidates]) + to_instant(query.now)
    worked = find_ready(query, organization, candidates)
    for each in find_wanted_types(query):
        yield each, Rule.WORKING_HOURS, found.working != 0
        yield each, Rule.MEETING_TYPE, found.typed & each.bit != 0
        yield each, Rule.SERVICE_TRIGGER, _of_all([each in one.meeting_types for one in candidates], starts)
        by_level = _of_all([each in one.level_types for one in candidates], starts)
        unlevelled = found.typed_anywhere & each.bit == 0
        yield each, Rule.SERVICE_LEVEL, by_level & ((found.levelled & each.bit != 0) | unlevelled)
        yield each, Rule.LOCATION, found.placed & each.bit != 0
        yield each, Rule.LOCAL, found.started & each.bit != 0
        if worked is not None:
            yield each, Rule.WORKING_TIME_BUFFER, starts.instants >= worked[:, np.newaxis]
        yield each, Rule.RESPONSE_TIME, starts.instants >= ready[:, np.newaxis]
        yield each, Rule.BUSY, checked.free
        if each is MeetingType.PHYSICAL and checked.elsewhere is not None:
            yield each, Rule.WORKING_FROM_ELSEWHERE, ~checked.elsewhere
        yield each, Rule.DAILY_LIMIT, ~checked.full
        yield each, Rule.ROOM, found.offered & each.bit != 0


class _Steps(NamedTuple):
    """The offers of searches with ever more conditions: bits of meeting types by candidate (row) and start (column)."""

    working: Codes
    """In the working hours, at any place and by any meeting type."""
    typed: Codes
    """By the meeting types of the working hours."""
    typed_anywhere: Codes
    """The same at the places of the hours, whatever the service levels allow."""
    levelled: Codes
    """The same by the meeting types and places of the service levels."""
    placed: Codes
    """At the location that the query names."""
    started: Codes
    """At the places where the candidates may start."""
    offered: Codes
    """With a free room, where one is required: everything that the query asks."""


def _search_step_by_step(
    query: Query,
    organization: Organization,
    candidates: Sequence[Candidate],
    rooms: Sequence[Room],
    calendars: Calendars,
    starts: Axis,
) -> _Steps:
    """Search with more and more conditions, to distinguish hours, types, places and rooms."""
    duration = to_length(query.duration)
    free_rooms = FreeRooms(query, rooms, calendars.busy, starts, duration)
    begin, end = int(starts.instants[0]), int(starts.instants[-1]) + duration

    def find(variant: Query, advisors: Sequence[Candidate]) -> Codes:
        timetable = lay_out(advisors, begin, end, calendars.extra_open)
        return find_offers(timetable, variant, organization, starts, duration, free_rooms)[timetable.plan_of]

    anyhow = replace(query, require_room=False, room_required_locations=frozenset[str](), meeting_location=None)
    roomless = replace(anyhow, meeting_location=query.meeting_location)
    anywhere = [replace(each, start_place=None, physical_places=None, level_types=EVERY_TYPE) for each in candidates]
    somewhere = [replace(each, start_place=None) for each in candidates]
    return _Steps(
        working=find(replace(anyhow, meeting_types=None), [_at_one_place(each, EVERY_TYPE) for each in anywhere]),
        typed=find(anyhow, [_at_one_place(each, None) for each in anywhere]),
        typed_anywhere=find(anyhow, anywhere),
        levelled=find(anyhow, somewhere),
        placed=find(roomless, somewhere),
        started=find(roomless, candidates),
        offered=find(query, candidates),
    )


def _of_all(flags: Sequence[bool], starts: Axis) -> Flags:
    """Return for each candidate whether a flag is set at all starts."""
    return np.repeat(np.array(flags, dtype=np.bool_)[:, np.newaxis], len(starts), axis=1)


def _at_one_place(candidate: Candidate, meeting_types: frozenset[MeetingType] | None) -> Candidate:
    """Return the candidate with all hours at one place and, unless None, in these meeting types."""
    return replace(candidate, home="", intervals=_put_at_one_place(candidate.intervals, meeting_types))


@lru_cache(maxsize=1024)  # thousands of advisors have a few different weeks
def _put_at_one_place(
    intervals: tuple[WorkInterval, ...], meeting_types: frozenset[MeetingType] | None
) -> tuple[WorkInterval, ...]:
    return tuple(
        replace(each, location="", meeting_types=each.meeting_types if meeting_types is None else meeting_types)
        for each in intervals
    )
