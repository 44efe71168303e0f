"""The SQL of the backlog."""

from datetime import datetime

from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


async def find_first_waiting(connection: Connection) -> datetime | None:
    """Return the time of the first event that a subscriber has not received; needs no tenant."""
    first_at: datetime | None = await queries.find_first_waiting(connection)
    return first_at
