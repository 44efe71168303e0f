"""The SQL of replies to invitations."""

from datetime import datetime
from uuid import UUID

from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


async def identify_meeting(connection: Connection, meeting_id: UUID) -> UUID | None:
    """Return the tenant of a meeting about which messages were sent; needs no tenant."""
    return await queries.identify_meeting(connection, meeting_id=meeting_id)


async def list_answered(
    connection: Connection, meeting_id: UUID, original_start: datetime | None, now: datetime
) -> list[UUID]:
    """Return the meetings that a reply answers: one of a series, by its original start, or all future ones."""
    rows = queries.list_answered(connection, meeting_id=meeting_id, original_start=original_start, now=now)
    return [row["meeting_id"] async for row in rows]


async def find_sequence(connection: Connection, meeting_id: UUID, address: str) -> int | None:
    """Return the SEQUENCE of the appointment last sent to an address, None if none was."""
    return await queries.find_sequence(connection, meeting_id=meeting_id, address=address)
