"""The SQL of people of service groups who come along to meetings."""

from typing import NamedTuple
from uuid import UUID

from asyncpg import Record

from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__, "companions.sql")


class HeldCompanions(NamedTuple):
    """The additional employees of a hold: first those of the groups, in their order, then those of no group."""

    named: list[str]
    people: list[UUID]


async def find_held(connection: Connection, time_slot_id: UUID) -> HeldCompanions | None:
    """Return the additional employees whose time a slot holds, and their groups as written; None without any."""
    row: Record | None = await queries.find_held(connection, time_slot_id=time_slot_id)
    return HeldCompanions(row["also_service_groups"], row["additional_employees"]) if row is not None else None
