"""Times that customers have begun to share, as slots of a search (docs/api/group-meetings.md).

The meeting takes place in any case. So its advisor's hours, buffers, limits and other meetings mattered only for the
first booking; a further customer is bound by the search's span and notice, the meeting types, the place, and whether
the advisor has become busy since.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from uuid import UUID

import numpy as np
from msgspec import Struct

from meetdeck.booking.slots.model import MEETING_TYPES, Calendars, Candidate, MeetingType, Query, Slots, to_place
from meetdeck.booking.slots.timestamps import Indexes, Instants, to_instant


class BegunSlot(Struct, frozen=True):
    """A time of an advisor that customers already share, with the seats left."""

    shared_slot_id: UUID
    employee_id: UUID
    meeting_type: MeetingType
    starts_at: datetime
    ends_at: datetime
    room_id: UUID | None
    location: str
    seats_left: int


def find_joinable(
    begun: Sequence[BegunSlot], query: Query, candidates: Sequence[Candidate], calendars: Calendars
) -> list[BegunSlot]:
    """Return the begun slots that a search offers, by start and then by employee."""
    terms_of: dict[UUID, list[Candidate]] = {}
    for each in candidates:
        terms_of.setdefault(each.employee_id, []).append(each)
    found = [
        one
        for one in begun
        if one.seats_left > 0
        and _is_wanted(one, query)
        and any(_offers(each, one, query, calendars) for each in terms_of.get(one.employee_id, ()))
    ]
    return sorted(found, key=lambda one: (one.starts_at, str(one.employee_id)))


def add_begun(slots: Slots, begun: Sequence[BegunSlot], candidates: Sequence[Candidate], *, best: bool) -> Slots:
    """Return the slots including begun ones; with `best`, these replace others at the same time."""
    if not begun:
        return slots
    employees, priorities = slots.employee_ids, slots.priorities
    if not employees:
        employees = tuple(each.employee_id for each in candidates)
        priorities = tuple(0 if best else each.priority for each in candidates)
    instants = np.union1d(slots.starts_at, np.array([to_instant(one.starts_at) for one in begun], dtype=np.int64))
    offers = np.zeros((len(instants), len(employees)), dtype=np.uint8)
    if len(slots.starts_at):
        offers[np.searchsorted(instants, slots.starts_at)] = slots.offers
    for one in sorted(begun, key=lambda one: -one.seats_left):  # of several, the fullest is the best
        row = int(np.searchsorted(instants, to_instant(one.starts_at)))
        columns = [place for place, each in enumerate(employees) if each == one.employee_id]
        if not columns:
            continue
        others = slice(None) if best else columns
        offers[row, others] &= ~np.uint8(one.meeting_type.bit)
        offers[row, max(columns, key=lambda place: priorities[place])] |= np.uint8(one.meeting_type.bit)
    return Slots(instants, slots.duration, employees, priorities, offers)


def number_begun(
    slots: Slots, begun: Sequence[BegunSlot], start: int, types: Indexes, columns: Indexes
) -> tuple[Indexes, Indexes]:
    """Return the numbers, from 1, of the begun slots at a start, preceded by a 0 for unshared slots.

    The second result is each item's index among these; items have types, as indexes in `MEETING_TYPES`, and columns.
    """
    instant = int(slots.starts_at[start])
    numbers, place_of = [0], np.zeros(len(types), dtype=np.intp)
    for number, one in enumerate(begun, 1):
        if to_instant(one.starts_at) == instant:
            own = [column for column, each in enumerate(slots.employee_ids) if each == one.employee_id]
            place_of[(types == MEETING_TYPES.index(one.meeting_type)) & np.isin(columns, own)] = len(numbers)
            numbers.append(number)
    return np.array(numbers, dtype=np.intp), place_of


def _is_wanted(one: BegunSlot, query: Query) -> bool:
    """Return whether a slot is within a search's span, and of a type, place and room that the search asks for."""
    earliest, latest = max(query.starts_at, query.now), None
    if query.customer_initiated:
        earliest = max(earliest, query.now + query.minimum_notice)
        latest = query.now + query.max_ahead if query.max_ahead is not None else None
    alone = not query.require_all or query.named <= {one.employee_id}
    return (
        earliest <= one.starts_at
        and one.ends_at <= query.ends_at
        and (latest is None or one.starts_at <= latest)
        and one.ends_at - one.starts_at == query.duration
        and (query.meeting_types is None or one.meeting_type in query.meeting_types)
        and alone
        and not query.also
        and _is_at_place(one, query)
    )


def _is_at_place(one: BegunSlot, query: Query) -> bool:
    if query.room_ids is not None and one.room_id not in query.room_ids:
        return False
    if query.require_room and one.room_id is None:
        return False
    is_anywhere = query.meeting_location is None or one.meeting_type is not MeetingType.PHYSICAL
    return is_anywhere or to_place(one.location) == to_place(query.meeting_location or "")


def _offers(each: Candidate, one: BegunSlot, query: Query, calendars: Calendars) -> bool:
    """Return whether an advisor can meet more customers at a slot, on certain terms."""
    is_in_time = query.now + each.response_time <= one.starts_at
    is_there = one.meeting_type is not MeetingType.PHYSICAL or (
        each.physical_places is None or to_place(one.location) in map(to_place, each.physical_places)
    )
    return (
        is_in_time
        and is_there
        and one.meeting_type in each.meeting_types
        and one.meeting_type in each.level_types
        and not any(_list_conflicts(each.resource_key, one, calendars))
    )


def _list_conflicts(resource_key: int, one: BegunSlot, calendars: Calendars) -> Iterator[bool]:
    """Yield whether calendar entries make the advisor busy then or, for a physical meeting, absent."""
    begin, end = to_instant(one.starts_at), to_instant(one.ends_at)
    entries = slice(len(calendars.busy) - calendars.busy.entries, None)
    busy = calendars.busy
    yield _touches(
        busy.resource_keys[entries], busy.starts_at[entries], busy.ends_at[entries], resource_key, begin, end
    )
    if one.meeting_type is MeetingType.PHYSICAL:
        away = calendars.elsewhere
        yield _touches(away.resource_keys, away.starts_at, away.ends_at, resource_key, begin, end)


def _touches(keys: Instants, begins: Instants, ends: Instants, resource_key: int, begin: int, end: int) -> bool:
    return bool(((keys == resource_key) & (begins < end) & (ends > begin)).any())
