"""The SQL of reassigning meetings."""

from datetime import datetime
from uuid import UUID

from meetdeck.booking.defaults import LONGEST_OCCUPANCY
from meetdeck.booking.scheduling.reassignments.schemas import Unattended
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


async def list_meetings(
    connection: Connection, employee_id: UUID, between: tuple[datetime, datetime], now: datetime, *, most: int
) -> list[UUID]:
    """Return an employee's future and current meetings in a period, by their start."""
    rows = queries.list_meetings(
        connection,
        employee_id=employee_id,
        begin_at=between[0],
        end_at=between[1],
        now=now,
        longest=LONGEST_OCCUPANCY,
        most=most,
    )
    return [row["meeting_id"] async for row in rows]


async def find_location(connection: Connection, room_id: UUID) -> str | None:
    """Return the location of a room."""
    return await queries.find_location(connection, room_id=room_id)


async def list_unattended(connection: Connection, now: datetime) -> list[Unattended]:
    """Return the inactive employees who have meetings that are not over, by the first meeting."""
    return [Unattended(**row) async for row in queries.list_unattended(connection, now=now)]
