"""Rooms, and which of them are vacant."""

from datetime import datetime
from typing import Final

from meetdeck.booking.directory.resources import Bookable
from meetdeck.booking.directory.rooms import store
from meetdeck.booking.directory.rooms.schemas import Room, SaveRoom, VacanciesQuery
from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import ReferenceNotFound
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase

ROOMS: Final = Bookable(Kind.ROOM, SaveRoom, store.table, kept=("name", "location"))


async def list_vacant_rooms(connection: Connection, query: VacanciesQuery, now: datetime) -> list[Room]:
    """Return the rooms at a location that are free for a time slot and seat its people, by name.

    The slot's own room counts as free. Raises ReferenceNotFound for an unknown time slot.
    """
    seating = await store.find_seating(connection, query.time_slot_id)
    if seating is None:
        detail = phrase("There is no time slot {time_slot_id}.", time_slot_id=query.time_slot_id)
        raise ReferenceNotFound(detail, faults=(Fault("/query/timeSlotId", detail),))
    seats = seating.count_seats(query.attendees)
    return await store.list_vacant_rooms(connection, query.location.strip(), query.time_slot_id, seating, seats, now)
