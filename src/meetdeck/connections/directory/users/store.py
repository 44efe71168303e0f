"""Users' SQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from meetdeck.booking.directory.employees import store as employees
from meetdeck.booking.directory.employees.schemas import Employee
from meetdeck.connections.directory.filters import Condition, find_equal
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__, columns=employees.table.columns, parts={"{elsewhere}": employees.ELSEWHERE})


class StoredUser(NamedTuple):
    """An employee with the User that the directory wrote; None if no directory has written one."""

    employee: Employee
    attributes: dict[str, Any] | None
    created_at: datetime | None
    changed_at: datetime | None


class Namesake(NamedTuple):
    """Another user with a name or an address; `is_ended`: the directory has ended it."""

    employee_id: UUID
    is_ended: bool


async def list_users(
    connection: Connection,
    conditions: Sequence[Condition] = (),
    *,
    ids: Sequence[UUID] | None = None,
    most: int | None = None,
    skipped: int = 0,
) -> tuple[list[StoredUser], int]:
    """Return a page of users by id, and how many there are in all."""
    found = queries.list_users(
        connection,
        ids=ids,
        user_name=_find_indexed_name(conditions),
        external_id=find_equal(conditions, "externalid") or None,
        attributes=[one.attribute for one in conditions],
        patterns=[one.pattern for one in conditions],
        most=most,
        skipped=skipped,
    )
    rows = [dict(row) async for row in found]
    totals = [row.pop("total") for row in rows]
    return [_read(row) for row in rows if row["id"] is not None], totals[0]


def _find_indexed_name(conditions: Sequence[Condition]) -> str | None:
    """Return the user name that is searched for; None if it is an employee's id, which the index lacks."""
    name = find_equal(conditions, "username")
    try:
        return name if name is None else str(UUID(name)) and None
    except ValueError:
        return name


async def lock_user(connection: Connection, employee_id: UUID) -> None:
    """Lock an employee until the transaction ends."""
    await queries.lock_user(connection, employee_id=employee_id)


async def lock_name(connection: Connection, name: str) -> None:
    """Lock a user name or an address until the transaction ends."""
    await queries.lock_name(connection, name=name)


async def list_namesakes(connection: Connection, user_name: str, email: str) -> list[Namesake]:
    """Return the users with a name or an address; those that the directory has not ended come first."""
    found = queries.list_namesakes(connection, user_name=user_name, email=email)
    return [Namesake(row["employee_id"], row["is_ended"]) async for row in found]


async def put_user(
    connection: Connection, employee_id: UUID, user_name: str, attributes: dict[str, Any], now: datetime
) -> None:
    """Store the directory's User for an employee; the directory owns the employee from now on."""
    await queries.put_user(connection, employee_id=employee_id, user_name=user_name, attributes=attributes, now=now)
    await queries.own(connection, employee_id=employee_id)


async def end_user(connection: Connection, employee_id: UUID, user_name: str, now: datetime) -> None:
    """Record that the directory ended a user and no longer owns the employee; the name is kept."""
    await queries.end_user(connection, employee_id=employee_id, user_name=user_name, now=now)
    await queries.disown(connection, employee_id=employee_id)


def _read(row: dict[str, Any]) -> StoredUser:
    attributes, created_at, changed_at = (row.pop(name) for name in ("attributes", "created_at", "changed_at"))
    return StoredUser(employees.table.read(row), attributes, created_at, changed_at)
