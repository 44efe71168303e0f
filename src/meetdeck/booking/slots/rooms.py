"""The starts at which a room of a place is free for the meeting (docs/api.md#rooms)."""

from collections.abc import Sequence

import numpy as np

from meetdeck.booking.slots.model import Query, Room, Spans, to_place
from meetdeck.booking.slots.occupancy import batches, find_free, split_by_owner
from meetdeck.booking.slots.start_grid import Axis
from meetdeck.booking.slots.timestamps import Flags


class FreeRooms:
    """The rooms that seat the meeting, and the starts at which they are free for all of it."""

    def __init__(self, query: Query, rooms: Sequence[Room], busy: Spans, starts: Axis, duration: int) -> None:
        needed = query.require_room or query.room_required_locations
        fitting = [
            room
            for room in rooms
            if needed and room.capacity >= query.seats and (query.room_ids is None or room.room_id in query.room_ids)
        ]
        self._free = np.zeros(len(starts), dtype=np.bool_)
        self._free_at: dict[str, Flags] = {}
        if not fitting:
            return
        occupied = split_by_owner([room.resource_key for room in fitting], busy)
        for batch, rows in zip(batches(len(fitting)), occupied, strict=True):
            no_buffers = np.zeros(batch.stop - batch.start, dtype=np.int64)
            free = find_free(starts, duration, (no_buffers, no_buffers), rows)
            self._free |= free.any(axis=0)
            for room, room_free in zip(fitting[batch], free, strict=True):
                place = to_place(room.location)
                self._free_at[place] = self._free_at[place] | room_free if place in self._free_at else room_free

    def find(self, place: str | None) -> Flags:
        """Return for each start whether a room at the place (None: at any) is free."""
        if place is None:
            return self._free
        return self._free_at.get(place, np.zeros_like(self._free))
