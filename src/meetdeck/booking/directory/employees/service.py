"""Employees, who can take part in meetings."""

from typing import Final

from msgspec.structs import replace

from meetdeck.booking.directory.default_schedules import add_default_schedules
from meetdeck.booking.directory.employees import store
from meetdeck.booking.directory.employees.schemas import Employee, SaveEmployee
from meetdeck.booking.directory.resources import Bookable
from meetdeck.booking.directory.timezones.service import find_timezone
from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import ReferenceNotFound, refer, require_existing
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase


class _Employees(Bookable[Employee, SaveEmployee]):
    """Employees: a new one gets the default schedule, which is deleted with the employee, as memberships are."""

    async def compose(self, connection: Connection, body: SaveEmployee, current: Employee | None) -> Employee:
        """Return the employee that a body describes. Raises InvalidInput, ReferenceNotFound."""
        employee = await super().compose(connection, body, current)
        if body.time_zone_id is not None and find_timezone(body.time_zone_id) is None:
            detail = phrase(
                "There is no timezone {time_zone_id}; config/timezones lists them.", time_zone_id=body.time_zone_id
            )
            raise ReferenceNotFound(detail, faults=(Fault("/timeZoneId", detail),))
        await require_existing(connection, refer(Kind.CUSTOMER_TYPE, body.customer_type_ids, "/customerTypeIds"))
        return replace(employee, customer_type_ids=list(dict.fromkeys(body.customer_type_ids)))

    async def insert(self, connection: Connection, resource: Employee) -> bool:
        """Insert an employee with the default schedule; return whether the id was free."""
        if not await super().insert(connection, resource):
            return False
        await add_default_schedules(connection, [resource.id])
        return True


EMPLOYEES: Final = _Employees(
    Kind.EMPLOYEE,
    store.table,
    kept=("name", "email", "location"),
    named_in=("meeting", "meeting_additional_employee"),
)
