"""Employees' SQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from asyncpg import Record

from meetdeck.booking.directory import served_types
from meetdeck.booking.directory.employees.schemas import Employee, EmployeesQuery
from meetdeck.booking.directory.narrowing import Listed
from meetdeck.booking.directory.served_types import Serving
from meetdeck.booking.directory.timezones.service import find_timezone, timezone_id
from meetdeck.platform.database import Columns, Connection, load_queries

_COLUMNS = Columns(Employee, elsewhere=("customer_type_ids",), id="employee_id", time_zone_id="time_zone")
_EVERYBODY: Final = EmployeesQuery()
queries = load_queries(__file__, columns=_COLUMNS)


async def list_employees(
    connection: Connection, wanted: EmployeesQuery = _EVERYBODY, *, bookable_only: bool = False
) -> Listed[Employee]:
    """Return the wanted employees by name."""
    found = queries.list_employees(
        connection,
        bookable_only=bookable_only,
        competence_group_id=wanted.competence_group_id,
        **wanted.parameters,
    )
    rows = [dict(row) async for row in found]
    totals = [row.pop("total") for row in rows]
    return Listed([_read_employee(row) for row in rows if row["id"] is not None], totals[0])


async def find_employee(connection: Connection, employee_id: UUID, *, for_update: bool = False) -> Employee | None:
    """Return an employee, locked when `for_update`."""
    if for_update:
        await queries.lock_employee(connection, employee_id=employee_id)
    row: Record | None = await queries.find_employee(connection, employee_id=employee_id)
    return _read_employee(row) if row is not None else None


async def add_employees(connection: Connection, employees: Sequence[Employee]) -> None:
    """Insert employees whose keys are claimed and whose references exist."""
    rows = [_write_employee(employee) for employee in employees]
    await queries.add_employees(connection, employees=rows)
    await served_types.add(connection, Serving.EMPLOYEES, employees)


async def update_employees(connection: Connection, employees: Sequence[Employee]) -> None:
    """Update employees that are locked."""
    rows = [_write_employee(employee) for employee in employees]
    await queries.update_employees(connection, employees=rows)
    await served_types.replace(connection, Serving.EMPLOYEES, employees)


async def delete_employee(connection: Connection, employee_id: UUID, now: datetime) -> None:
    """Delete an employee with its schedule and memberships; its name is kept while past meetings refer to it."""
    await queries.remember_employee(connection, employee_id=employee_id, now=now)
    await queries.delete_employee(connection, employee_id=employee_id)


def _read_employee(row: Record | dict[str, Any]) -> Employee:
    members = dict(row)
    time_zone: str | None = members.pop("time_zone_id")
    return Employee(**members, time_zone_id=timezone_id(time_zone) if time_zone else None)


def _write_employee(employee: Employee) -> dict[str, Any]:
    zone = find_timezone(employee.time_zone_id) if employee.time_zone_id is not None else None
    return _COLUMNS.write(employee, time_zone_id=zone.identifier if zone else None)


async def list_names(connection: Connection, ids: Sequence[UUID]) -> dict[UUID, str]:
    """Return the names of employees."""
    return {row["employee_id"]: row["name"] async for row in queries.list_names(connection, ids=ids)}
