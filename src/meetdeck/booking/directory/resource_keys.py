"""The keys of employees and rooms, to which occupancy refers."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from meetdeck.booking.directory.uses import MOST_NAMED, Uses, read_uses
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__, "resource_keys.sql")


async def claim(connection: Connection, ids: Sequence[UUID]) -> list[UUID]:
    """Insert keys for new employees or rooms, locked; return the ids that exist already."""
    async for _ in queries.claim(connection, ids=list(dict.fromkeys(ids))):
        pass
    return [row["id"] async for row in queries.list_taken(connection, ids=ids)]


async def lock_for_deletion(connection: Connection, resource_id: UUID) -> None:
    """Lock an employee or a room against bookings until the transaction ends."""
    await queries.lock_for_deletion(connection, id=resource_id)


async def list_bookings(connection: Connection, resource_id: UUID, now: datetime) -> Uses:
    """Return the future meetings and live reservations of an employee or a room."""
    return await read_uses(queries.list_bookings(connection, id=resource_id, now=now, most=MOST_NAMED))


async def delete(connection: Connection, resource_id: UUID, now: datetime) -> None:
    """Delete the key of a deleted employee or room, with its past occupancy."""
    await queries.delete_key(connection, id=resource_id, now=now)
