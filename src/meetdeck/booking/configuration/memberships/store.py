"""The SQL of memberships, and the lock that every change of groups takes."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from asyncpg import Record

from meetdeck.booking.kinds import Kind
from meetdeck.platform.database import Connection, load_queries

_queries = {
    kind: load_queries(__file__, parts={Kind.COMPETENCE_GROUP.table: kind.table})
    for kind in (Kind.COMPETENCE_GROUP, Kind.SERVICE_GROUP)
}


def keep_set(row: Record) -> dict[str, Any]:
    """Return the row of a group; `provisioned` is in it only when it is true."""
    members = dict(row)
    if not members["provisioned"]:
        del members["provisioned"]
    return members


async def lock_groups(connection: Connection) -> None:
    """Lock all groups of the tenant until the transaction ends.

    Groups refer to each other from both sides: changing one changes others, and two changes can close a circle.
    """
    await connection.execute("select pg_advisory_xact_lock(hashtextextended('groups ' || current_tenant(), 0))")


async def put_employees(
    connection: Connection, kind: Kind, group_id: UUID, employee_ids: Sequence[UUID], now: datetime
) -> None:
    """Replace the members of a group, each once, in this order."""
    once = list(dict.fromkeys(employee_ids))
    await _queries[kind].put_employees(connection, group_id=group_id, employee_ids=once, now=now)


async def add_to_groups(
    connection: Connection, kind: Kind, employee_id: UUID, group_ids: Sequence[UUID], now: datetime
) -> None:
    """Insert an employee's memberships."""
    await _queries[kind].add_to_groups(connection, employee_id=employee_id, group_ids=group_ids, now=now)


async def remove_from_groups(connection: Connection, kind: Kind, employee_id: UUID, group_ids: Sequence[UUID]) -> None:
    """Delete an employee's memberships."""
    await _queries[kind].remove_from_groups(connection, employee_id=employee_id, group_ids=group_ids)


async def find_provisioned(connection: Connection, kind: Kind, group_ids: Sequence[UUID]) -> str | None:
    """Return the name of the first of some groups that the firm's directory owns, None if it owns none."""
    return await _queries[kind].find_provisioned(connection, group_ids=group_ids)
