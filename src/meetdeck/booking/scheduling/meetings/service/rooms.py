"""Choosing rooms for physical meetings that are booked without one (docs/api/rooms-and-seats.md)."""

from datetime import datetime
from typing import Final
from uuid import UUID

from meetdeck.booking.scheduling.errors import NoRoomFree, RoomTooSmall
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting, MeetingContent
from meetdeck.booking.scheduling.meetings.store import rooms as store
from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.booking.scheduling.time_slots.schemas import TimeSlot
from meetdeck.booking.scheduling.time_slots.store import time_slots
from meetdeck.booking.slots.model import MeetingType
from meetdeck.booking.slots.seats import count_seats
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase

_TRIED_AT_ONCE: Final = 20


async def choose_room(
    connection: Connection,
    slot: TimeSlot,
    content: MeetingContent,
    now: datetime,
    *,
    before: Meeting | None = None,
    attendees: int = 0,
) -> UUID | None:
    """Return a room for a physical meeting at its advisor's location: the smallest free one that fits. Locks it.

    None if the location assigns no rooms or has none free. The assigned room that the meeting had `before` a change is
    kept if it still fits. `attendees` is the least number of people from outside. Raises NoRoomFree if the
    location requires one.
    """
    if content.meeting_type is not MeetingType.PHYSICAL:
        return None
    rules = await get_rules(connection)
    place = await store.find_place(connection, content.employee_id, slot.starts_at, rules.time_zone)
    if place is None or not (place.adds_rooms or place.requires_room):
        return None
    seats = count_needed_seats(content, attendees)
    needed = store.NeededRoom(place.location, seats, slot.starts_at, slot.ends_at)
    if before is not None and before.room_id is not None:
        kept = await store.list_free_rooms(
            connection, needed, now, most=1, among=[before.room_id], own_slot_id=before.time_slot_id
        )
        if kept:
            return before.room_id
    released = before.resource_ids if before is not None else []
    room_id = await _lock_free_room(connection, needed, [*content.people, *released], now)
    if room_id is None and place.requires_room:
        raise NoRoomFree(
            phrase(
                "{location} has no free room for {seats} people at that time. Choose another time or meeting type.",
                location=place.location,
                seats=seats,
            )
        )
    return room_id if place.adds_rooms else None


async def require_seats(connection: Connection, room_id: UUID, content: MeetingContent, *, attendees: int = 0) -> None:
    """Raise RoomTooSmall if a room has too few seats for the meeting (docs/api/rooms-and-seats.md#seats).

    `attendees` is the least number of people from outside.
    """
    name, capacity = await store.get_room(connection, room_id)
    seats = count_needed_seats(content, attendees)
    if capacity < seats:
        who = _count(len(content.people), "employee")
        if content.meeting_type is MeetingType.PHYSICAL:
            who += f" and {_count(max(attendees, content.attendees), 'attendee')}, the customer included"
        raise RoomTooSmall(
            phrase(
                "{name} seats {capacity}, but the meeting needs {seats}: {who}. Choose a larger room.",
                name=name,
                capacity=capacity,
                seats=seats,
                who=who,
            ),
            faults=(Fault("/roomId", phrase("Seats {capacity}, not {seats}.", capacity=capacity, seats=seats)),),
        )


def count_needed_seats(content: MeetingContent, attendees: int = 0) -> int:
    """Return the seats that a meeting's room needs; `attendees` is the least number of people from outside."""
    is_physical = content.meeting_type is MeetingType.PHYSICAL
    return count_seats(len(content.people), max(attendees, content.attendees), is_physical=is_physical)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


async def _lock_free_room(
    connection: Connection, needed: store.NeededRoom, others: list[UUID], now: datetime
) -> UUID | None:
    """Lock the free rooms that were found and read them again; return the first that is still free.

    The meeting's other resources, taken and released, are locked together with them: `occupy` then waits for no lock
    that a rival holds.
    """
    while found := await store.list_free_rooms(connection, needed, now, most=_TRIED_AT_ONCE):
        await time_slots.lock_resources(connection, [*others, *found])
        still_free = await store.list_free_rooms(connection, needed, now, most=1, among=found)
        if still_free:
            return still_free[0]
    return None
