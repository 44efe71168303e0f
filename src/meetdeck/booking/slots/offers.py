"""The meeting types that each plan's hours, places and rooms allow at each start.

Busy time is not considered, so all advisors of one plan share the answer.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from meetdeck.booking.slots.calendar import ZoneClock
from meetdeck.booking.slots.intervals import Intervals, join_in_groups
from meetdeck.booking.slots.model import (
    EXTRA_TYPES,
    MEETING_TYPES,
    MeetingType,
    Organization,
    Query,
    to_bits,
    to_place,
)
from meetdeck.booking.slots.occupancy import batches, count_ranges
from meetdeck.booking.slots.rooms import FreeRooms
from meetdeck.booking.slots.rules import find_open
from meetdeck.booking.slots.start_grid import Axis
from meetdeck.booking.slots.timestamps import Codes, Flags, Indexes, Instants
from meetdeck.booking.slots.timetable import Timetable


class _Case(NamedTuple):
    """Intervals that are checked together, and the meeting types (`bits`) that they offer.

    `staying`: a meeting keeps to its place, so hours at another one do not prolong these. `free`: at which starts there
    is a room, None if none is needed.
    """

    bits: int
    chosen: Flags
    staying: bool
    free: Flags | None


def find_wanted_types(query: Query) -> tuple[MeetingType, ...]:
    """Return the requested meeting types."""
    return tuple(each for each in MEETING_TYPES if query.meeting_types is None or each in query.meeting_types)


def find_offers(
    timetable: Timetable, query: Query, organization: Organization, starts: Axis, duration: int, rooms: FreeRooms
) -> Codes:
    """Return the meeting types that each plan offers at each start; shape (plans, starts).

    Plans without extra hours are offered at all starts: those that opening hours remove are not among them.
    """
    offers = np.zeros((timetable.plan_count, len(starts)), dtype=np.uint8)
    cases = _merge(case for each in find_wanted_types(query) for case in _find_cases(timetable, query, each, rooms))
    opening = _find_opening(timetable, query, organization, starts, duration)
    for batch in batches(timetable.plan_count):
        entries = slice(*np.searchsorted(timetable.plans, (batch.start, batch.stop)).tolist())
        plans, intervals = timetable.plans[entries] - batch.start, timetable.intervals[entries]
        for case in cases:
            chosen = case.chosen[intervals]
            if chosen.any():
                rows, fits = _fit(timetable, starts, duration, (plans[chosen], intervals[chosen]), staying=case.staying)
                fits = fits if case.free is None else fits & case.free
                offers[batch][rows] |= fits * np.uint8(case.bits)
        if opening is not None:
            offers[batch] &= _check_opening(timetable, opening, starts, duration, (plans, intervals), batch)
    _start_in_place(timetable, starts, offers)
    return offers * _on_the_half_hour(timetable, starts)


def _find_opening(
    timetable: Timetable, query: Query, organization: Organization, starts: Axis, duration: int
) -> Intervals | None:
    """Return the opening hours that limit the search; None if all starts are in them."""
    if not query.customer_initiated or timetable.extra_from == len(timetable.begins):
        return None
    begin, end = int(starts.instants[0]), int(starts.instants[-1]) + duration
    clock = ZoneClock(organization.zone, begin, end)
    return find_open(organization, clock, clock.days(begin, end))


def _check_opening(
    timetable: Timetable,
    opening: Intervals,
    starts: Axis,
    duration: int,
    entries: tuple[Indexes, Indexes],
    batch: slice,
) -> Codes:
    """Return the meeting types that are open to customers at each start, for each plan of a batch.

    Those of extra hours are open in them, too, and in what they join.
    """
    is_open = opening.find_covered(starts.instants, starts.instants + duration)
    codes = np.tile(np.where(is_open, np.uint8(to_bits(MEETING_TYPES)), np.uint8(0)), (batch.stop - batch.start, 1))
    plans, intervals = (column[entries[1] >= timetable.extra_from] for column in entries)
    rows, row_of = np.unique(plans, return_inverse=True)
    height = len(rows)
    spans = join_in_groups(
        np.append(np.repeat(row_of, timetable.begins.shape[1]), np.repeat(np.arange(height), len(opening.begins))),
        np.append(timetable.begins[intervals], np.tile(opening.begins, height)),
        np.append(timetable.ends[intervals], np.tile(opening.ends, height)),
    )
    fits = _find_covered(*spans, starts, duration, height)
    codes[rows] |= fits * np.uint8(to_bits(EXTRA_TYPES))
    return codes


def _find_cases(timetable: Timetable, query: Query, meeting_type: MeetingType, rooms: FreeRooms) -> Iterator[_Case]:
    """Return the intervals that offer the type, grouped by the rooms that its meetings need there."""
    physical = meeting_type is MeetingType.PHYSICAL
    meeting_place = None if query.meeting_location is None else to_place(query.meeting_location)
    with_room = {to_place(location) for location in query.room_required_locations} if physical else set[str]()
    chosen = timetable.types & meeting_type.bit != 0
    if physical and meeting_place is not None:
        chosen &= np.array([place == meeting_place for place in timetable.places], dtype=np.bool_)[timetable.place_of]
    needs = np.array([query.require_room or place in with_room for place in timetable.places], dtype=np.bool_)
    roomed = chosen & needs[timetable.place_of]
    staying = physical and len(timetable.places) > 1
    yield _Case(meeting_type.bit, chosen & ~roomed, staying, free=None)
    if query.room_ids is not None or meeting_place is not None:
        place = None if query.room_ids is not None else meeting_place
        yield _Case(meeting_type.bit, roomed, staying, rooms.find(meeting_type, place))
        return
    for number in np.flatnonzero(needs).tolist():
        here = roomed & (timetable.place_of == number)
        yield _Case(meeting_type.bit, here, staying=False, free=rooms.find(meeting_type, timetable.places[number]))


def _merge(cases: Iterable[_Case]) -> Collection[_Case]:
    """Merge cases that differ in their meeting types only: most schedules offer the same ones all day."""
    merged: dict[tuple[bytes, bool, bytes | None], _Case] = {}
    for case in cases:
        key = case.chosen.tobytes(), case.staying, None if case.free is None else case.free.tobytes()
        merged[key] = case._replace(bits=case.bits | merged[key].bits) if key in merged else case
    return merged.values()


def _fit(
    timetable: Timetable, starts: Axis, duration: int, entries: tuple[Indexes, Indexes], *, staying: bool
) -> tuple[Indexes, Flags]:
    """Return the plans of the entries (plans, intervals), and the starts at which their hours fit a whole meeting."""
    plans, intervals = entries
    places = len(timetable.places) if staying else 1
    place = timetable.place_of[intervals] if staying else 0
    lines, line_of = np.unique(plans * places + place, return_inverse=True)
    begins, ends = timetable.begins[intervals], timetable.ends[intervals]
    rows, row_of = np.unique(lines // places, return_inverse=True)
    line_of, begins, ends = join_in_groups(np.repeat(line_of, begins.shape[1]), begins.ravel(), ends.ravel())
    return rows, _find_covered(row_of[line_of], begins, ends, starts, duration, len(rows))


def _find_covered(rows: Indexes, begins: Instants, ends: Instants, starts: Axis, duration: int, height: int) -> Flags:
    """Return for each row and start whether a span of the row contains a whole meeting; shape (height, starts)."""
    first = starts.count_before(begins)
    stop = np.maximum(starts.count_through(ends - duration), first)
    return count_ranges(rows, first, stop, (height, len(starts) + 1))[:, :-1] > 0


def _start_in_place(timetable: Timetable, starts: Axis, offers: Codes) -> None:
    """Remove the offers that start in hours at another place, of plans with a start place."""
    bound = timetable.start_place_of >= 0
    if not bound.any():
        return
    is_there = timetable.place_of[timetable.intervals] == timetable.start_place_of[timetable.plans]
    there = np.zeros_like(offers)
    for each in MEETING_TYPES:
        chosen = is_there & (timetable.types[timetable.intervals] & each.bit != 0)
        begins, ends = (column[timetable.intervals[chosen]] for column in (timetable.begins, timetable.ends))
        rows = np.repeat(timetable.plans[chosen], begins.shape[1])
        first = starts.count_before(begins.ravel())
        stop = np.maximum(starts.count_before(ends.ravel()), first)
        shape = len(offers), len(starts) + 1
        there |= (count_ranges(rows, first, stop, shape)[:, :-1] > 0) * np.uint8(each.bit)
    offers[bound] &= there[bound]


def _on_the_half_hour(timetable: Timetable, starts: Axis) -> Flags:
    """Return for each plan and start whether the plan's clock shows :00 or :30; shape (plans, starts)."""
    first, last = int(starts.instants[0]), int(starts.instants[-1])
    shown = [np.isin(starts.instants, clock.half_hours(first, last)) for clock in timetable.clocks]
    return np.array(shown)[timetable.clock_of]
