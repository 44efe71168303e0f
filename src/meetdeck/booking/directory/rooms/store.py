"""Rooms' SQL."""

from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.booking.defaults import LONGEST_OCCUPANCY
from meetdeck.booking.directory.narrowing import ListPart, NarrowingQuery
from meetdeck.booking.directory.rooms.schemas import Room
from meetdeck.booking.slots.seats import count_attendees, count_seats
from meetdeck.platform.database import Columns, Connection, Table, load_queries

_EVERY_ROOM: Final = NarrowingQuery()
table = Table("room", Columns(Room, id="room_id"), order_by="location, name, room_id")
queries = load_queries(__file__, columns=table.columns)


class SeatNeed(msgspec.Struct, frozen=True):
    """The time and people of a time slot; `moved_slot_id` is the slot of the meeting that it moves."""

    starts_at: datetime
    ends_at: datetime
    moved_slot_id: UUID | None
    additional_employees: list[UUID]
    external_attendees: int
    is_customer_among: bool
    is_physical: bool

    @property
    def attendees(self) -> int:
        """Return the number of people from outside, including the customer."""
        return count_attendees(self.external_attendees, is_customer_among=self.is_customer_among)

    def count_seats(self, attendees: int | None) -> int:
        """Return the seats that its room needs for that many people from outside; None: for those of its meeting."""
        employees = 1 + len(set(self.additional_employees))
        coming = self.attendees if attendees is None else attendees
        return count_seats(employees, coming, is_physical=self.is_physical)


async def list_rooms(connection: Connection, wanted: NarrowingQuery = _EVERY_ROOM) -> ListPart[Room]:
    """Return the selected rooms by location and name."""
    rows = [dict(row) async for row in queries.list_rooms(connection, **wanted.parameters)]
    totals = [row.pop("total") for row in rows]
    return ListPart([Room(**row) for row in rows if row["id"] is not None], totals[0])


async def find_seating(connection: Connection, time_slot_id: UUID) -> SeatNeed | None:
    """Return the time and people of a time slot."""
    row: Record | None = await queries.find_seating(connection, time_slot_id=time_slot_id)
    return SeatNeed(**row) if row is not None else None


async def list_vacant_rooms(
    connection: Connection, location: str, time_slot_id: UUID, seating: SeatNeed, seats: int, now: datetime
) -> list[Room]:
    """Return the rooms at a location, in any case, that are free for a time slot and large enough, by name."""
    rows = queries.list_vacant_rooms(
        connection,
        longest=LONGEST_OCCUPANCY,
        location=location,
        seats=seats,
        starts_at=seating.starts_at,
        ends_at=seating.ends_at,
        now=now,
        own_slot_ids=[time_slot_id, *([seating.moved_slot_id] if seating.moved_slot_id is not None else [])],
    )
    return [Room(**row) async for row in rows]
