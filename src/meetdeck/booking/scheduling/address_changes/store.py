"""The SQL of changes of a customer's e-mail address."""

from datetime import datetime
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.booking.scheduling.address_changes.schemas import AddressChange
from meetdeck.booking.scheduling.meetings.schemas.meetings import Attendee
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


async def add_change(
    connection: Connection, meeting_id: UUID, old_email: str, attendee: Attendee, now: datetime
) -> UUID:
    """Insert a change to an attendee's name and address; return its id."""
    return await queries.add_change(
        connection, meeting_id=meeting_id, old_email=old_email, name=attendee.name, email=attendee.email, now=now
    )


async def find_change(connection: Connection, change_id: UUID) -> AddressChange | None:
    """Return a change, None when it was deleted with its meeting's personal data."""
    row: Record | None = await queries.find_change(connection, address_change_id=change_id)
    return msgspec.convert(dict(row), AddressChange) if row is not None else None


async def mark_confirmed(connection: Connection, change_id: UUID, now: datetime) -> None:
    """Mark a change as confirmed."""
    await queries.mark_confirmed(connection, address_change_id=change_id, now=now)
