"""The SQL of people of service groups who come along to meetings."""

from typing import NamedTuple
from uuid import UUID

from asyncpg import Record

from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__, "companions.sql")


class HeldCompanions(NamedTuple):
    """The people of service groups of a hold: the groups as written, the people in the order of the groups."""

    named: list[str]
    people: list[UUID]


async def find_held(connection: Connection, time_slot_id: UUID) -> HeldCompanions | None:
    """Return the people of service groups whose time a slot holds; None without any."""
    row: Record | None = await queries.find_held(connection, time_slot_id=time_slot_id)
    return HeldCompanions(row["also_service_groups"], row["additional_employees"]) if row is not None else None
