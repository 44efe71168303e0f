"""The starts at which a room of a place is free for the meeting (docs/api/rooms-and-seats.md)."""

from collections.abc import Sequence

import numpy as np

from meetdeck.booking.slots.model import MeetingType, Query, Room, Spans, to_place
from meetdeck.booking.slots.occupancy import batches, find_free, split_by_owner
from meetdeck.booking.slots.start_grid import Axis
from meetdeck.booking.slots.timestamps import Flags


class FreeRooms:
    """The rooms that seat the meeting, and the starts at which they are free for all of it."""

    def __init__(self, query: Query, rooms: Sequence[Room], busy: Spans, starts: Axis, duration: int) -> None:
        self._query, self._rooms, self._busy = query, rooms, busy
        self._starts, self._duration = starts, duration
        self._found: dict[int, dict[str | None, Flags]] = {}
        """By the number of seats, and then by place; None: at any place."""

    def find(self, meeting_type: MeetingType, place: str | None) -> Flags:
        """Return for each start whether a room at the place (None: at any) is free and seats a meeting of the type."""
        seats = self._query.count_seats(meeting_type)
        if seats not in self._found:
            self._found[seats] = self._find_by_place(list_fitting(self._query, self._rooms, meeting_type))
        return self._found[seats].get(place, np.zeros(len(self._starts), dtype=np.bool_))

    def _find_by_place(self, fitting: Sequence[Room]) -> dict[str | None, Flags]:
        """Return for each place of some rooms, and for any (None), the starts at which one of them is free."""
        anywhere = np.zeros(len(self._starts), dtype=np.bool_)
        free_at: dict[str | None, Flags] = {None: anywhere}
        if not fitting:
            return free_at
        occupied = split_by_owner([room.resource_key for room in fitting], self._busy)
        for batch, rows in zip(batches(len(fitting)), occupied, strict=True):
            no_buffers = np.zeros(batch.stop - batch.start, dtype=np.int64)
            free = find_free(self._starts, self._duration, (no_buffers, no_buffers), rows)
            anywhere |= free.any(axis=0)
            for room, room_free in zip(fitting[batch], free, strict=True):
                place = to_place(room.location)
                free_at[place] = free_at[place] | room_free if place in free_at else room_free
        return free_at


def list_fitting(query: Query, rooms: Sequence[Room], meeting_type: MeetingType) -> list[Room]:
    """Return the rooms that seat a meeting of the type; if the query names rooms, only those."""
    seats = query.count_seats(meeting_type)
    return [
        room for room in rooms if room.capacity >= seats and (query.room_ids is None or room.room_id in query.room_ids)
    ]
