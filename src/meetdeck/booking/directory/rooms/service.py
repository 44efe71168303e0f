"""Rooms, and which of them are vacant."""

from datetime import datetime
from uuid import UUID

from meetdeck.booking.directory import resource_keys
from meetdeck.booking.directory.errors import ResourceInUse
from meetdeck.booking.directory.identity import choose_id, complete, id_taken, require_found
from meetdeck.booking.directory.rooms import store
from meetdeck.booking.directory.rooms.schemas import Room, SaveRoom, VacanciesQuery
from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import ReferenceNotFound
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.values import copy_members


async def get_room(connection: Connection, room_id: UUID, *, for_update: bool = False) -> Room:
    """Return a room, locked when `for_update`. Raises ResourceNotFound."""
    return require_found(await store.find_room(connection, room_id, for_update=for_update), Kind.ROOM, room_id)


async def add_room(connection: Connection, body: SaveRoom) -> Room:
    """Add a room. Raises ResourceExists."""
    room = copy_members(Room, complete(body, None), id=choose_id(body.id))
    if await resource_keys.claim(connection, [room.id]):
        raise id_taken(Kind.ROOM, room.id)
    await store.add_rooms(connection, [room])
    return room


async def replace_room(connection: Connection, current: Room, body: SaveRoom) -> Room:
    """Replace a room that was read for update. Raises InvalidInput."""
    room = copy_members(Room, complete(body, current), id=choose_id(body.id, current.id))
    await store.update_rooms(connection, [room])
    return room


async def delete_room(connection: Connection, current: Room, now: datetime) -> None:
    """Delete a room that was read for update. Raises ResourceInUse with its future meetings and reservations."""
    await resource_keys.lock_for_deletion(connection, current.id)
    uses = await resource_keys.list_bookings(connection, current.id, now)
    if uses.total:
        raise ResourceInUse(f"The room {current.name}", uses.named, uses.total)
    await store.delete_room(connection, current.id, now)
    await resource_keys.delete(connection, current.id, now)


async def list_vacant_rooms(connection: Connection, query: VacanciesQuery, now: datetime) -> list[Room]:
    """Return the rooms at a location that are free for a time slot and seat its people, by name.

    The slot's own room counts as free. Raises ReferenceNotFound for a time slot that does not exist.
    """
    seating = await store.find_seating(connection, query.time_slot_id)
    if seating is None:
        detail = f"There is no time slot {query.time_slot_id}."
        raise ReferenceNotFound(detail, faults=(Fault("/query/timeSlotId", detail),))
    seats = seating.count_seats(query.attendees)
    return await store.list_vacant_rooms(connection, query.location.strip(), query.time_slot_id, seating, seats, now)
