"""What can be occupied: employees and rooms have a key each, and the time that they are taken refers to it."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from meetdeck.booking.directory.uses import MOST_NAMED, Uses, read_uses
from meetdeck.platform.db import Connection, load_queries

queries = load_queries(__file__, "resource_keys.sql")


async def claim(connection: Connection, ids: Sequence[UUID]) -> list[UUID]:
    """Make keys for new employees or rooms, held until the transaction ends; return the ids that are taken already."""
    async for _ in queries.claim(connection, ids=list(dict.fromkeys(ids))):
        pass
    return [row["id"] async for row in queries.list_taken(connection, ids=ids)]


async def lock_for_deletion(connection: Connection, resource_id: UUID) -> None:
    """Let nobody book it until the transaction ends."""
    await queries.lock_for_deletion(connection, id=resource_id)


async def list_bookings(connection: Connection, resource_id: UUID, now: datetime) -> Uses:
    """Return the meetings and live reservations that have taken it from now on."""
    return await read_uses(queries.list_bookings(connection, id=resource_id, now=now, most=MOST_NAMED))


async def forget(connection: Connection, resource_id: UUID, now: datetime) -> None:
    """Delete the key of an employee or a room that is deleted, and when it was taken."""
    await queries.forget(connection, id=resource_id, now=now)
