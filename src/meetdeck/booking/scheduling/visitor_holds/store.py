"""Visitors' holds' SQL."""

from datetime import datetime
from uuid import UUID

import msgspec

from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


class LiveHold(msgspec.Struct, frozen=True):
    """A current reservation of a visitor."""

    holder: bytes
    """A keyed hash of the network address."""
    token: UUID
    employee_id: UUID
    starts_at: datetime
    ends_at: datetime
    expires_at: datetime


async def lock_holds(connection: Connection) -> None:
    """Lock the firm's holds until the transaction ends; call it before anything else is locked."""
    await queries.lock_holds(connection)


async def list_live(connection: Connection, now: datetime) -> list[LiveHold]:
    """Return the current reservations of visitors."""
    return [LiveHold(**row) async for row in queries.list_live(connection, now=now)]


async def add_hold(connection: Connection, time_slot_id: UUID, holder: bytes, now: datetime) -> None:
    """Insert a hold, or record that it is kept, and delete those that ended an hour ago."""
    await delete_ended(connection, now)
    await queries.add_hold(connection, time_slot_id=time_slot_id, holder=holder, now=now)


async def is_visitors(connection: Connection, time_slot_id: UUID) -> bool:
    """Return whether a reservation is, or recently was, a visitor's."""
    found: bool = await queries.holds(connection, time_slot_id=time_slot_id)
    return found


async def delete_ended(connection: Connection, now: datetime) -> None:
    """Delete the ended holds, an hour after they were last held or kept."""
    await queries.delete_ended(connection, now=now)
