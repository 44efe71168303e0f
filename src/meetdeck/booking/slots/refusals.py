"""The first rule that takes each start away from each advisor: what explaining and forecasting go by."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from msgspec.structs import replace

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
from meetdeck.booking.slots.search import check_batches
from meetdeck.booking.slots.start_grid import Axis
from meetdeck.booking.slots.timestamps import Codes, Flags, Instants, to_instant, to_length
from meetdeck.booking.slots.timetable import lay_out

RULES: Final = tuple(Rule)
OFFERED: Final = len(RULES)
"""The code of a start that no rule takes away; that of a rule is its place in `RULES`."""
_CODES: Final = {rule: place for place, rule in enumerate(RULES)}


def find_refusals(
    query: Query,
    organization: Organization,
    candidates: Sequence[Candidate],
    rooms: Sequence[Room],
    calendars: Calendars,
    instants: Instants,
) -> dict[MeetingType, Codes]:
    """Return the code of the first rule about each candidate alone that takes each start away, for each wanted type.

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
    """Yield the candidates that are judged together: many without extra hours, or one who has some."""
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
            judged = codes[meeting_type][:, allowed]
            judged[(judged == OFFERED) & ~kept] = _CODES[rule]
            codes[meeting_type][:, allowed] = judged
    return codes


def _check_alone(
    query: Query,
    organization: Organization,
    candidates: Sequence[Candidate],
    rooms: Sequence[Room],
    calendars: Calendars,
    starts: Axis,
) -> Iterator[tuple[MeetingType, Rule, Flags]]:
    """Yield each meeting type's rules about advisors, with the starts (columns) that each allows the candidates (rows).

    Hours, types, places and rooms are told apart by searching with ever more conditions.
    """
    duration = to_length(query.duration)
    free_rooms = FreeRooms(query, rooms, calendars.busy, starts, duration)
    anyhow = replace(query, require_room=False, room_required_locations=frozenset[str](), meeting_location=None)

    def find(variant: Query, advisors: Sequence[Candidate]) -> Codes:
        begin, end = int(starts.instants[0]), int(starts.instants[-1]) + duration
        timetable = lay_out(advisors, begin, end, calendars.extra_open)
        return find_offers(timetable, variant, organization, starts, duration, free_rooms)[timetable.plan_of]

    anywhere = [replace(each, start_place=None, physical_places=None, level_types=EVERY_TYPE) for each in candidates]
    somewhere = [replace(each, start_place=None) for each in candidates]
    roomless = replace(anyhow, meeting_location=query.meeting_location)
    working = find(replace(anyhow, meeting_types=None), [_at_one_place(each, EVERY_TYPE) for each in anywhere])
    typed = find(anyhow, [_at_one_place(each, None) for each in anywhere])
    levelled, anyway = find(anyhow, somewhere), find(anyhow, anywhere)
    placed, started, offered = find(roomless, somewhere), find(roomless, candidates), find(query, candidates)
    (judged,) = check_batches(query, organization, candidates, calendars, starts)
    ready = np.array([to_length(each.response_time) for each in candidates]) + to_instant(query.now)
    worked = find_ready(query, organization, candidates)
    for each in find_wanted_types(query):
        yield each, Rule.WORKING_HOURS, working != 0
        yield each, Rule.MEETING_TYPE, typed & each.bit != 0
        yield each, Rule.SERVICE_TRIGGER, _of_all([each in one.meeting_types for one in candidates], starts)
        by_level = _of_all([each in one.level_types for one in candidates], starts)
        yield each, Rule.SERVICE_LEVEL, by_level & ((levelled & each.bit != 0) | (anyway & each.bit == 0))
        yield each, Rule.LOCATION, placed & each.bit != 0
        yield each, Rule.LOCAL, started & each.bit != 0
        if worked is not None:
            yield each, Rule.WORKING_TIME_BUFFER, starts.instants >= worked[:, np.newaxis]
        yield each, Rule.RESPONSE_TIME, starts.instants >= ready[:, np.newaxis]
        yield each, Rule.BUSY, judged.free
        if each is MeetingType.PHYSICAL and judged.elsewhere is not None:
            yield each, Rule.WORKING_FROM_ELSEWHERE, ~judged.elsewhere
        yield each, Rule.DAILY_LIMIT, ~judged.full
        yield each, Rule.ROOM, offered & each.bit != 0


def _of_all(flags: Sequence[bool], starts: Axis) -> Flags:
    """Return what holds of each candidate at all starts."""
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
