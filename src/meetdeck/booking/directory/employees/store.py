"""Employees' SQL."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from asyncpg import Record
from msgspec import UNSET

from meetdeck.booking.directory import served_types
from meetdeck.booking.directory.employees.schemas import Employee, EmployeesQuery, Face
from meetdeck.booking.directory.narrowing import ListPart
from meetdeck.booking.directory.served_types import CustomerTypeRelation
from meetdeck.booking.directory.timezones.service import find_timezone, timezone_id
from meetdeck.platform.database import Columns, Connection, Table, load_queries

ELSEWHERE: Final = f"provisioned, {CustomerTypeRelation.EMPLOYEES.selection}"
"""The members that saving an employee does not write, as SQL."""
_EVERYBODY: Final = EmployeesQuery()


class _Employees(Table[Employee]):
    """Employees, with the customer types that they serve."""

    def read(self, row: Record | Mapping[str, Any]) -> Employee:
        """Return the employee of a row, whose time zone is stored as its name."""
        members = dict(row)
        time_zone: str | None = members.pop("time_zone_id")
        provisioned = members.pop("provisioned") or UNSET
        return Employee(**members, time_zone_id=timezone_id(time_zone) if time_zone else None, provisioned=provisioned)

    def write(self, resource: Employee) -> dict[str, Any]:
        """Return the row of an employee."""
        zone = find_timezone(resource.time_zone_id) if resource.time_zone_id is not None else None
        return self.columns.write(resource, time_zone_id=zone.identifier if zone else None)

    async def add(self, connection: Connection, new: Sequence[Employee]) -> set[UUID]:
        """Insert employees whose keys are claimed and whose references exist."""
        added = await super().add(connection, new)
        await served_types.add(connection, CustomerTypeRelation.EMPLOYEES, new)
        return added

    async def update(self, connection: Connection, changed: Sequence[Employee]) -> None:
        """Update locked employees."""
        await super().update(connection, changed)
        await served_types.replace(connection, CustomerTypeRelation.EMPLOYEES, changed)


table = _Employees(
    "employee",
    Columns(Employee, elsewhere=("customer_type_ids", "provisioned"), id="employee_id", time_zone_id="time_zone"),
    order_by="name, employee_id",
    elsewhere=ELSEWHERE,
)
queries = load_queries(__file__, columns=table.columns, parts={"{elsewhere}": ELSEWHERE})


async def list_employees(
    connection: Connection, wanted: EmployeesQuery = _EVERYBODY, *, bookable_only: bool = False
) -> ListPart[Employee]:
    """Return the selected employees by name."""
    found = queries.list_employees(
        connection,
        bookable_only=bookable_only,
        competence_group_id=wanted.competence_group_id,
        **wanted.parameters,
    )
    rows = [dict(row) async for row in found]
    totals = [row.pop("total") for row in rows]
    return ListPart([table.read(row) for row in rows if row["id"] is not None], totals[0])


async def list_names(connection: Connection, ids: Sequence[UUID]) -> dict[UUID, str]:
    """Return the names of employees."""
    return {row["employee_id"]: row["name"] async for row in queries.list_names(connection, ids=ids)}


async def list_faces(connection: Connection, ids: Sequence[UUID]) -> dict[UUID, Face]:
    """Return the name, title and picture of each employee, as customers see them."""
    return {row["id"]: Face(**row) async for row in queries.list_faces(connection, ids=ids)}


async def find_picture(connection: Connection, employee_id: UUID, picture_id: UUID | None = None) -> bytes | None:
    """Return the picture of an employee, None without one; with an id, only the picture made from that content."""
    return await queries.find_picture(connection, employee_id=employee_id, picture_id=picture_id)


async def set_picture(connection: Connection, employee_id: UUID, picture: bytes) -> None:
    """Store the picture of an employee, in place of an earlier one."""
    await queries.set_picture(connection, employee_id=employee_id, picture=picture)
