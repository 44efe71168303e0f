"""Why a time is missing: each start of one advisor's day, and the rule of the search that took it away."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from meetdeck.booking.slots.axis import Axis
from meetdeck.booking.slots.calendar import ZoneClock
from meetdeck.booking.slots.instants import DAY, Flags, Instants, to_datetime, to_length
from meetdeck.booking.slots.model import Busy, Candidate, MeetingType, Organization, Query, Room
from meetdeck.booking.slots.offers import find_offers, find_wanted_types
from meetdeck.booking.slots.rooms import FreeRooms
from meetdeck.booking.slots.rules import Rule, judge_starts
from meetdeck.booking.slots.search import judge
from meetdeck.booking.slots.timetable import lay_out

_DAY_0 = date(1970, 1, 1)


class Verdict(Struct, frozen=True):
    """One start and meeting type: offered (`rule` None), or the first rule that takes it away."""

    starts_at: datetime
    ends_at: datetime
    meeting_type: MeetingType
    rule: Rule | None


def explain(
    query: Query, organization: Organization, candidate: Candidate, rooms: Sequence[Room], busy: Busy, day: date
) -> tuple[Verdict, ...]:
    """Judge every half-hour of a local date of the advisor, for each meeting type that the query asks for.

    The advisor is judged alone: whether others are free too (`require_all`) is another question. `busy` must hold what
    lies in `find_busy_span` of the same query.
    """
    duration = to_length(query.duration)
    instants = find_half_hours(candidate, day)
    if not len(instants):
        return ()  # a date that the zone left out
    rules: dict[tuple[int, MeetingType], Rule] = {}
    left = np.ones(len(instants), dtype=np.bool_)
    for rule, kept in judge_starts(instants, query, organization):
        for start in instants[left & ~kept].tolist():
            rules |= {(start, each): rule for each in find_wanted_types(query)}
        left &= kept
    if left.any():
        starts = Axis(instants[left])
        for meeting_type, rule, kept in _judge_alone(query, organization, candidate, rooms, busy, starts):
            for start in starts.instants[~kept].tolist():
                rules.setdefault((start, meeting_type), rule)
    return tuple(
        Verdict(to_datetime(start), to_datetime(start + duration), each, rules.get((start, each)))
        for start in instants.tolist()
        for each in find_wanted_types(query)
    )


def find_half_hours(candidate: Candidate, day: date) -> Instants:
    """Return the half-hours of a local date by the advisor's clock: 48, and more or fewer when clocks change."""
    number = (day - _DAY_0).days
    clock = ZoneClock(candidate.zone, (number - 1) * DAY, (number + 2) * DAY)
    begin, end = clock.midnights(np.array([number, number + 1])).tolist()
    return clock.half_hours(begin, end - 1)


def _judge_alone(
    query: Query, organization: Organization, candidate: Candidate, rooms: Sequence[Room], busy: Busy, starts: Axis
) -> Iterator[tuple[MeetingType, Rule, Flags]]:
    """Yield for each meeting type the rules about the advisor, and the starts that each allows.

    Hours, places and rooms are told apart by searching with ever fewer conditions.
    """
    duration = to_length(query.duration)
    timetable = lay_out([candidate], int(starts.instants[0]), int(starts.instants[-1]) + duration)
    free_rooms = FreeRooms(query, rooms, busy, starts, duration)
    roomless = replace(query, require_room=False, room_required_locations=frozenset[str]())
    anywhere = replace(roomless, meeting_location=None, meeting_types=None)
    offered, placed, working = (
        find_offers(timetable, each, starts, duration, free_rooms)[0] for each in (query, roomless, anywhere)
    )
    ((_, early, free, full),) = judge(query, organization, [candidate], busy, starts)
    for each in find_wanted_types(query):
        yield each, Rule.WORKING_HOURS, working != 0
        yield each, Rule.MEETING_TYPE, working & each.bit != 0
        yield each, Rule.LOCATION, placed & each.bit != 0
        yield each, Rule.RESPONSE_TIME, ~early[0]
        yield each, Rule.BUSY, free[0]
        yield each, Rule.DAILY_LIMIT, ~full[0]
        yield each, Rule.ROOM, offered & each.bit != 0
