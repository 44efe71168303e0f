"""Reading time slots."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from asyncpg import Record

from meetdeck.booking.scheduling.model.listed_slots import ListedTimeSlot
from meetdeck.booking.scheduling.model.time_slots import SlotStatus
from meetdeck.platform.db import Connection, load_queries

queries = load_queries(__file__, "listed_slots.sql")

_LONGEST = timedelta(days=31)  # no slot lasts longer; it lets a list be read from the index by start alone


async def find_slot(connection: Connection, time_slot_id: UUID, now: datetime) -> ListedTimeSlot | None:
    """Return a time slot as it is now."""
    found = await _list(connection, now, time_slot_id=time_slot_id)
    return found[0] if found else None


async def list_slots(
    connection: Connection,
    *,
    between: tuple[datetime, datetime],
    employee_id: UUID | None,
    room_id: UUID | None,
    statuses: Sequence[SlotStatus],
    now: datetime,
) -> list[ListedTimeSlot]:
    """Return the time slots that touch the time between two moments, as they are now, by their start."""
    return await _list(
        connection,
        now,
        starts_at=between[0],
        ends_at=between[1],
        employee_id=employee_id,
        room_id=room_id,
        statuses=[status.value for status in statuses],
    )


async def _list(connection: Connection, now: datetime, **asked: object) -> list[ListedTimeSlot]:
    parameters = dict.fromkeys(("time_slot_id", "starts_at", "ends_at", "employee_id", "room_id", "statuses"))
    rows = queries.list_slots(connection, **(parameters | asked), now=now, longest=_LONGEST)
    return [_read_slot(row) async for row in rows]


def _read_slot(row: Record) -> ListedTimeSlot:
    members: dict[str, Any] = dict(row) | {"status": SlotStatus(row["status"])}
    return ListedTimeSlot(**members)
