"""The SQL of bookings that wait for an address to be confirmed."""

from datetime import datetime
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.booking.scheduling.unconfirmed_bookings.schemas import UnconfirmedBooking
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


async def delete_others(connection: Connection, time_slot_id: UUID, email: str) -> None:
    """Delete the same reservation's bookings that wait for another address to be confirmed."""
    await queries.delete_others(connection, time_slot_id=time_slot_id, email=email)


async def is_asked(connection: Connection, time_slot_id: UUID, email: str, since: datetime) -> bool:
    """Return whether an address was asked about a reservation since then."""
    return await queries.is_asked(connection, time_slot_id=time_slot_id, email=email, since=since)


async def add_booking(connection: Connection, booking: UnconfirmedBooking, now: datetime) -> None:
    """Insert a waiting booking."""
    await queries.add_booking(
        connection,
        id=booking.id,
        portal_id=booking.portal_id,
        time_slot_id=booking.time_slot_id,
        email=booking.email,
        language=booking.language,
        place=booking.place,
        content=booking.content,
        now=now,
    )


async def update_content(connection: Connection, booking: UnconfirmedBooking) -> None:
    """Replace the content of all bookings that wait for the same reservation."""
    await queries.update_content(connection, time_slot_id=booking.time_slot_id, content=booking.content)


async def find_booking(
    connection: Connection, booking_id: UUID, *, for_update: bool = False
) -> UnconfirmedBooking | None:
    """Return a booking, None for a deleted one; locked with all others of its reservation when `for_update`."""
    row: Record | None = await queries.find_booking(connection, id=booking_id)
    if row is not None and for_update:
        _ = [each async for each in queries.lock_of_time_slot(connection, time_slot_id=row["time_slot_id"])]
        row = await queries.find_booking(connection, id=booking_id)
    return msgspec.convert(dict(row), UnconfirmedBooking) if row is not None else None


async def mark_booked(connection: Connection, time_slot_id: UUID, meeting_id: UUID) -> None:
    """Mark all bookings that wait for a reservation as booked, and delete their content."""
    await queries.mark_booked(connection, time_slot_id=time_slot_id, meeting_id=meeting_id)


async def is_confirmed(connection: Connection, meeting_id: UUID, email: str) -> bool:
    """Return whether a meeting was booked by confirming an address."""
    return await queries.is_confirmed(connection, meeting_id=meeting_id, email=email)


async def delete_unconfirmed(connection: Connection, asked_before: datetime, most: int) -> int:
    """Delete bookings that were not confirmed by then, at most `most`; return their number."""
    status = await queries.delete_unconfirmed(connection, asked_before=asked_before, most=most)
    return int(status.rpartition(" ")[2])
