"""The SQL of choosing rooms for meetings."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.booking.defaults import LONGEST_OCCUPANCY
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__, "rooms.sql")


class Workplace(msgspec.Struct, frozen=True):
    """The location where an employee works, and its rules for rooms of physical meetings."""

    location: str
    adds_rooms: bool
    requires_room: bool


class NeededRoom(msgspec.Struct, frozen=True):
    """The room that a meeting needs: location, seats, and the time at which it must be free."""

    location: str
    seats: int
    starts_at: datetime
    ends_at: datetime


async def get_room(connection: Connection, room_id: UUID) -> tuple[str, int]:
    """Return the name and capacity of an existing room."""
    row: Record = await queries.find_room(connection, room_id=room_id)
    return row["name"], row["capacity"]


async def find_place(
    connection: Connection, employee_id: UUID, starts_at: datetime, organization_zone: str
) -> Workplace | None:
    """Return where an employee works at a moment; None for a deleted employee."""
    row: Record | None = await queries.find_place(
        connection, employee_id=employee_id, starts_at=starts_at, organization_zone=organization_zone
    )
    return Workplace(**row) if row is not None else None


async def list_free_rooms(
    connection: Connection,
    needed: NeededRoom,
    now: datetime,
    *,
    most: int,
    among: Sequence[UUID] | None = None,
    own_slot_id: UUID | None = None,
) -> list[UUID]:
    """Return free rooms that fit, the smallest first; only those of `among`, unless it is None.

    The time of the meeting's own slot counts as free.
    """
    rows = queries.list_free_rooms(
        connection,
        longest=LONGEST_OCCUPANCY,
        location=needed.location,
        seats=needed.seats,
        starts_at=needed.starts_at,
        ends_at=needed.ends_at,
        now=now,
        most=most,
        among=among,
        own_slot_id=own_slot_id,
    )
    return [row["room_id"] async for row in rows]
