"""Rooms for physical meetings that are booked without one (docs/api.md 30)."""

from datetime import datetime
from typing import Final
from uuid import UUID

from meetdeck.booking.scheduling.errors import NoRoomFree
from meetdeck.booking.scheduling.model.meetings import Meeting
from meetdeck.booking.scheduling.model.time_slots import TimeSlot
from meetdeck.booking.scheduling.requests.meetings import MeetingContent
from meetdeck.booking.scheduling.store import rooms as store
from meetdeck.booking.scheduling.store import time_slots
from meetdeck.booking.scheduling.store.rules import get_rules
from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.db import Connection

_TRIED_AT_ONCE: Final = 20


async def choose_room(
    connection: Connection,
    slot: TimeSlot,
    content: MeetingContent,
    now: datetime,
    *,
    before: Meeting | None = None,
) -> UUID | None:
    """Return the room that a physical meeting without one gets where its advisor works then: the smallest that fits.

    None when the location gives no rooms or has none free. Neither the slot nor the meeting as it was `before` a change
    holds a room. Nobody else takes the room before the transaction ends. Raises NoRoomFree when the location requires
    one.
    """
    if content.meeting_type is not MeetingType.PHYSICAL:
        return None
    rules = await get_rules(connection)
    place = await store.find_place(connection, content.employee_id, slot.starts_at, rules.time_zone)
    if place is None or not (place.adds_rooms or place.requires_room):
        return None
    wanted = store.WantedRoom(place.location, content.seats, slot.starts_at, slot.ends_at)
    people = [*content.people, *(before.people if before is not None else [])]
    room_id = await _take_free_room(connection, wanted, people, now)
    if room_id is None and place.requires_room:
        raise NoRoomFree(
            f"{place.location} has no free room then that seats {content.seats}. Choose another time or meeting type."
        )
    return room_id if place.adds_rooms else None


async def _take_free_room(
    connection: Connection, wanted: store.WantedRoom, people: list[UUID], now: datetime
) -> UUID | None:
    """Look for free rooms, lock them, and look again: of those that are still free, the first is ours.

    The people, those of before too, are locked along: `occupy` has no lock to wait for then that a rival could hold.
    """
    while found := await store.list_free_rooms(connection, wanted, now, most=_TRIED_AT_ONCE):
        await time_slots.lock_resources(connection, [*people, *found])
        still_free = await store.list_free_rooms(connection, wanted, now, most=1, among=found)
        if still_free:
            return still_free[0]
    return None
