"""Takes a seat in a time that several customers share (docs/api/group-meetings.md).

A time is shared by bookings with the same advisor, topic, meeting type, start, length and room. The constraint
`no_double_booking` lets only these overlap, and `no_seat_twice` gives each a seat of its own. The advisor is locked
before a seat is taken, so the count of seats is current.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from msgspec.structs import replace

from meetdeck.booking.scheduling.errors import InvalidTime, TimeSlotTaken
from meetdeck.booking.scheduling.time_slots.schemas import SlotToReserve, TimeSlot
from meetdeck.booking.scheduling.time_slots.store import shared_slots as store
from meetdeck.booking.scheduling.time_slots.store import time_slots
from meetdeck.booking.scheduling.time_slots.store.shared_slots import GroupTerms, SharedSlot
from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.database import ChangedMeanwhile, Connection, savepoint
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase

_MOST_TRIES: Final = 10

ChooseRoom = Callable[[], Awaitable[UUID | None]]
"""Returns the room of a shared slot that has none yet, which it locks together with the people."""


class ReplacedSlots(NamedTuple):
    """The time slots that a slot with a seat replaces, and their people and rooms."""

    slot_ids: Sequence[UUID] = ()
    resource_ids: Sequence[UUID] = ()


class _ChangedError(Exception):
    """The shared slot changed through other bookings before its advisor was locked."""


async def find_group_terms(
    connection: Connection, topic_id: UUID | None, meeting_type: MeetingType
) -> GroupTerms | None:
    """Return the terms on which customers share the times of a topic; None if each has the advisor alone."""
    seats = await store.count_seats(connection, topic_id) if topic_id is not None else 1
    return GroupTerms(topic_id, meeting_type, seats) if topic_id is not None and seats > 1 else None


async def find_terms(connection: Connection, wanted: SlotToReserve) -> GroupTerms | None:
    """Return the terms on which a reservation shares its time; None if it takes the advisor alone.

    Raises InvalidTime without a meeting type, unless the topic has one.
    """
    terms = await find_group_terms(connection, wanted.topic_id, wanted.meeting_type or MeetingType.PHYSICAL)
    if terms is None or wanted.meeting_type is not None:
        return terms
    offered = await store.list_meeting_types(connection, terms.topic_id)
    if len(offered) != 1:
        detail = "Give the meetingType: customers share a time in one."
        raise InvalidTime(detail, faults=(Fault("/timeSlot/meetingType", detail),))
    return terms._replace(meeting_type=offered[0])


async def is_on_terms(connection: Connection, earlier: TimeSlot, terms: GroupTerms | None) -> bool:
    """Return whether an earlier reservation shares its time on these terms, or with nobody if there are none."""
    if earlier.shared_slot_id is None or terms is None:
        return earlier.shared_slot_id is None and terms is None
    return await store.find_terms(connection, earlier.shared_slot_id) == terms


async def keep_seat(connection: Connection, slot: TimeSlot, now: datetime) -> TimeSlot:
    """Return a slot with its seat, renewed if it has expired; unchanged if it has none. Raises as `take_seat`."""
    terms = await store.find_terms(connection, slot.shared_slot_id) if slot.shared_slot_id is not None else None
    if terms is None:
        return slot
    return await take_seat(connection, slot, terms, ReplacedSlots([slot.time_slot_id]), now)


async def take_seat(  # noqa: PLR0913 - the slot, and what it replaces
    connection: Connection,
    slot: TimeSlot,
    terms: GroupTerms,
    replaced_slots: ReplacedSlots,
    now: datetime,
    *,
    choose_room: ChooseRoom | None = None,
    people: Sequence[UUID] | None = None,
) -> TimeSlot:
    """Return a slot with a seat in the shared slot of its time, and with its room; `occupy` writes its occupancy.

    `people` are the employees who take part; None: those of the slot.

    Locks the people and rooms of the slot and of the replaced ones. A meeting has to choose a room, which a reservation
    may leave open: without `choose_room`. Raises TimeSlotTaken when all seats are taken or the others meet in another
    room, ChangedMeanwhile.
    """
    present = people if people is not None else [one for one in slot.resource_ids if one != slot.room_id]
    for _ in range(_MOST_TRIES):
        with suppress(_ChangedError):
            async with savepoint(connection):  # a rollback releases its locks
                return await _take_seat(connection, slot, terms, replaced_slots, now, choose_room, people=present)
    raise ChangedMeanwhile


async def _take_seat(  # noqa: PLR0913 - the slot, and what it replaces
    connection: Connection,
    slot: TimeSlot,
    terms: GroupTerms,
    replaced_slots: ReplacedSlots,
    now: datetime,
    choose_room: ChooseRoom | None,
    *,
    people: Sequence[UUID],
) -> TimeSlot:
    expected = await store.find_shared_slot(connection, slot, terms, now, replaced_slots.slot_ids)
    placed = await _place(slot, expected, choose_room)
    await time_slots.lock_resources(connection, placed.resource_ids, released=replaced_slots.resource_ids)
    found = await store.find_shared_slot(connection, slot, terms, now, replaced_slots.slot_ids)
    if _describe(found) != _describe(expected):
        raise _ChangedError
    is_settled = choose_room is not None or placed.room_id is not None
    if found is None:
        shared_slot_id = await store.begin_shared_slot(connection, placed, terms, now, is_placed=is_settled)
        return replace(placed, shared_slot_id=shared_slot_id, seat=1)
    seats = terms.seats
    if found.capacity is not None:
        seats = min(seats, found.capacity - len({*people, *found.employee_ids}))
    if len(found.taken) >= seats:
        raise TimeSlotTaken(phrase("All {seats} seats are taken. Choose another time.", seats=seats))
    if is_settled and not found.is_placed:
        await store.place_shared_slot(connection, found.shared_slot_id, placed.room_id)
    seat = next(number for number in range(1, seats + 1) if number not in found.taken)
    return replace(placed, shared_slot_id=found.shared_slot_id, seat=seat)


async def _place(slot: TimeSlot, found: SharedSlot | None, choose_room: ChooseRoom | None) -> TimeSlot:
    """Return the slot with the room of the shared slot, or with a newly chosen one."""
    if found is None or not found.is_placed:
        return slot if choose_room is None else replace(slot, room_id=await choose_room())
    if slot.room_id not in {None, found.room_id}:
        raise TimeSlotTaken("The customers who share this time already have another room, or none. Leave roomId out.")
    return replace(slot, room_id=found.room_id)


def _describe(found: SharedSlot | None) -> tuple[UUID, UUID | None, bool] | None:
    """Return the values on which a slot's room and locks depend."""
    return None if found is None else (found.shared_slot_id, found.room_id, found.is_placed)
