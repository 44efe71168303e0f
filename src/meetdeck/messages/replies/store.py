"""The SQL of replies to invitations."""

from uuid import UUID

from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


async def identify_meeting(connection: Connection, meeting_id: UUID) -> UUID | None:
    """Return the tenant of a meeting about which messages were sent; needs no tenant."""
    return await queries.identify_meeting(connection, meeting_id=meeting_id)


async def find_sequence(connection: Connection, meeting_id: UUID, address: str) -> int | None:
    """Return the SEQUENCE of the appointment last sent to an address, None if none was."""
    return await queries.find_sequence(connection, meeting_id=meeting_id, address=address)
