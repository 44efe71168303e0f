"""The SQL of undelivered messages."""

from asyncpg import Record

from meetdeck.messages.undelivered.schemas import UndeliveredMessages
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


async def count_undelivered(connection: Connection) -> UndeliveredMessages:
    """Return the number of the tenant's messages that were attempted and not sent yet, since when, and why."""
    row: Record = await queries.count_undelivered(connection)
    return UndeliveredMessages(
        waiting=row["waiting"], perhaps_sent=row["perhaps_sent"], since=row["since"], reason=row["reason"]
    )
