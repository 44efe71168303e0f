"""The SQL of shared slots that need a minimum of customers."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from asyncpg import Record

from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


class UndecidedSlot(NamedTuple):
    """A shared slot whose customers were not counted yet, so its meeting may still be cancelled."""

    starts_at: datetime
    begun_at: datetime
    """When the first of its customers booked or held a seat."""
    minimum: int
    booked: int
    held: int
    held_until: datetime | None
    """When the first of the seats on hold is free again."""


async def list_undecided(
    connection: Connection, now: datetime, shared_slot_ids: Sequence[UUID] | None = None
) -> dict[UUID, datetime]:
    """Return the undecided slots among some shared slots (None: among all), with their starts."""
    rows = queries.list_undecided(connection, shared_slot_ids=shared_slot_ids, now=now)
    return {row["shared_slot_id"]: row["starts_at"] async for row in rows}


async def find_undecided(connection: Connection, shared_slot_id: UUID, now: datetime) -> UndecidedSlot | None:
    """Return a shared slot that is still to be decided; None if it is decided, needs no minimum, or has begun."""
    row: Record | None = await queries.find_undecided(connection, shared_slot_id=shared_slot_id, now=now)
    return UndecidedSlot(**row) if row is not None else None


async def record_decision(connection: Connection, shared_slot_id: UUID, now: datetime) -> None:
    """Record that the customers of a shared slot were counted; they are counted only once."""
    await queries.record_decision(connection, shared_slot_id=shared_slot_id, now=now)
