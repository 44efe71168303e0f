"""Employees, who can take part in meetings."""

from datetime import datetime
from uuid import UUID

from meetdeck.booking.directory import resource_keys
from meetdeck.booking.directory.default_schedules import add_default_schedules
from meetdeck.booking.directory.employees import store
from meetdeck.booking.directory.employees.schemas import Employee, SaveEmployee
from meetdeck.booking.directory.errors import ResourceInUse
from meetdeck.booking.directory.identity import choose_id, complete, id_taken, require_found
from meetdeck.booking.directory.timezones.service import find_timezone
from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import ReferenceNotFound, refer, require_existing
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.values import copy_members


async def get_employee(connection: Connection, employee_id: UUID, *, for_update: bool = False) -> Employee:
    """Return an employee, locked when `for_update`. Raises ResourceNotFound."""
    found = await store.find_employee(connection, employee_id, for_update=for_update)
    return require_found(found, Kind.EMPLOYEE, employee_id)


async def add_employee(connection: Connection, body: SaveEmployee) -> Employee:
    """Add an employee with the default schedule. Raises ReferenceNotFound, ResourceExists."""
    employee = await _compose(connection, complete(body, None), choose_id(body.id))
    if await resource_keys.claim(connection, [employee.id]):
        raise id_taken(Kind.EMPLOYEE, employee.id)
    await store.add_employees(connection, [employee])
    await add_default_schedules(connection, [employee.id])
    return employee


async def replace_employee(connection: Connection, current: Employee, body: SaveEmployee) -> Employee:
    """Replace an employee that was read for update. Raises InvalidInput, ReferenceNotFound."""
    employee = await _compose(connection, complete(body, current), choose_id(body.id, current.id))
    await store.update_employees(connection, [employee])
    return employee


async def delete_employee(connection: Connection, current: Employee, now: datetime) -> None:
    """Delete an employee that was read for update, with its schedule and memberships.

    Raises ResourceInUse with its future meetings and reservations.
    """
    await resource_keys.lock_for_deletion(connection, current.id)
    uses = await resource_keys.list_bookings(connection, current.id, now)
    if uses.total:
        raise ResourceInUse(f"The employee {current.name}", uses.named, uses.total)
    await store.delete_employee(connection, current.id, now)
    await resource_keys.delete(connection, current.id, now)


async def _compose(connection: Connection, body: SaveEmployee, employee_id: UUID) -> Employee:
    """Return the employee that a body describes. Raises ReferenceNotFound."""
    if body.time_zone_id is not None and find_timezone(body.time_zone_id) is None:
        detail = f"There is no timezone {body.time_zone_id}; config/timezones lists them."
        raise ReferenceNotFound(detail, faults=(Fault("/timeZoneId", detail),))
    await require_existing(connection, refer(Kind.CUSTOMER_TYPE, body.customer_type_ids, "/customerTypeIds"))
    return copy_members(Employee, body, id=employee_id, customer_type_ids=list(dict.fromkeys(body.customer_type_ids)))
