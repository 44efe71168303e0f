"""The SQL of firms' clocks."""

from datetime import datetime, timedelta
from uuid import UUID

from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


async def lock_clock(connection: Connection) -> timedelta:
    """Return how far the firm's clock is ahead, locked until the transaction ends."""
    ahead: timedelta = await queries.lock_clock(connection)
    return ahead


async def move_clock(connection: Connection, ahead: timedelta) -> None:
    """Set how far the firm's clock is ahead; it is locked."""
    await queries.move_clock(connection, ahead=ahead)


async def reset_clock(connection: Connection, now: datetime) -> None:
    """Set the firm's clock to the real time, `now`; jobs that are due by its own stay due."""
    await queries.reset_clock(connection, now=now)


async def list_clocks(connection: Connection) -> list[tuple[UUID, timedelta]]:
    """Return how far the clocks of firms are ahead, without those that show the real time; it needs no tenant."""
    return [(row["tenant_id"], row["ahead"]) async for row in queries.list_clocks(connection)]
