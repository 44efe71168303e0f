"""Employees, who can take part in meetings, and their pictures.

A picture is made small from a content when the employee is saved, and kept until it is replaced. Contents expire after
a day and belong to another context, which gives the function that makes a picture of one (0194).
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from meetdeck.booking.directory.default_schedules import add_default_schedules
from meetdeck.booking.directory.employees import store
from meetdeck.booking.directory.employees.schemas import Employee, SaveEmployee
from meetdeck.booking.directory.errors import OwnedByDirectory, PictureMissing, require_same
from meetdeck.booking.directory.resources import Bookable
from meetdeck.booking.directory.timezones.service import find_timezone
from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import ReferenceNotFound, refer, require_existing
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase

DrawPicture = Callable[[UUID, UUID, datetime, str], Awaitable[bytes]]
"""Returns the small picture made of a tenant's content; refuses a content that is none, at a pointer."""

_PICTURE: Final = "/pictureContentId"
OWNED: Final = ("name", "email", "phone", "title", "active", "external_id", "first_name", "last_name")
"""The members of an employee that the firm's directory writes."""


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
        return replace(
            employee,
            customer_type_ids=list(dict.fromkeys(body.customer_type_ids)),
            picture_content_id=_find_picture_id(body, current),
            provisioned=UNSET if current is None else current.provisioned,
        )

    async def replace(self, connection: Connection, current: Employee, body: SaveEmployee) -> Employee:
        """Replace an employee that was read for update. Raises OwnedByDirectory for members that the directory owns."""
        employee = await self.compose(connection, body, current)
        if current.provisioned:
            require_same(Kind.EMPLOYEE, current, employee, OWNED)
        await store.table.update(connection, [employee])
        return employee

    async def delete(self, connection: Connection, current: Employee, now: datetime) -> None:
        """Delete an employee that was read for update. Raises OwnedByDirectory, and ResourceInUse with its bookings."""
        if current.provisioned:
            raise OwnedByDirectory(Kind.EMPLOYEE, current.name)
        await super().delete(connection, current, now)

    async def insert(self, connection: Connection, resource: Employee) -> bool:
        """Insert an employee with the default schedule; return whether the id was free."""
        if not await super().insert(connection, resource):
            return False
        await add_default_schedules(connection, [resource.id])
        return True


def _find_picture_id(body: SaveEmployee, current: Employee | None) -> UUID | None:
    """Return the content of the picture that an employee has after a body was saved."""
    if isinstance(body.picture_content_id, UnsetType):
        return current.picture_content_id or None if current is not None else None
    return body.picture_content_id


EMPLOYEES: Final = _Employees(
    Kind.EMPLOYEE,
    SaveEmployee,
    store.table,
    kept=("name", "email", "location"),
    named_in=("meeting", "meeting_additional_employee"),
)


@dataclass(frozen=True, slots=True)
class EmployeePictures:
    """Draws the pictures of employees, outside of transactions."""

    database: Database
    draw: DrawPicture

    async def draw_new(
        self, tenant_id: UUID, body: SaveEmployee, now: datetime, employee_id: UUID | None = None
    ) -> bytes | None:
        """Return the picture that a body names; None if it names none, or the one that the employee has.

        Raises as `draw`, and ResourceNotFound.
        """
        if not isinstance(body.picture_content_id, UUID):
            return None
        if employee_id is not None:
            async with self.database.reading(tenant_id) as connection:
                current = await EMPLOYEES.get(connection, employee_id)
            if current.picture_content_id == body.picture_content_id:
                return None
        return await self.draw(tenant_id, body.picture_content_id, now, _PICTURE)


async def add_employee(connection: Connection, body: SaveEmployee, picture: bytes | None) -> Employee:
    """Add an employee with the picture drawn for the body. Raises as `Resource.add`."""
    employee = await EMPLOYEES.add(connection, body)
    if picture is not None:
        await store.set_picture(connection, employee.id, picture)
    return employee


async def replace_employee(
    connection: Connection, current: Employee, body: SaveEmployee, picture: bytes | None
) -> Employee:
    """Replace an employee that was read for update, with the picture drawn for the body.

    Raises as `Resource.replace`, and PictureMissing if the employee's picture was replaced in the meantime.
    """
    employee = await EMPLOYEES.replace(connection, current, body)
    if picture is not None:
        await store.set_picture(connection, employee.id, picture)
    elif employee.picture_content_id not in {None, current.picture_content_id}:
        raise PictureMissing(_PICTURE)
    return employee


async def get_picture(connection: Connection, employee_id: UUID) -> bytes:
    """Return the picture of an employee. Raises ResourceNotFound, and PictureMissing without one."""
    await EMPLOYEES.get(connection, employee_id)
    picture = await store.find_picture(connection, employee_id)
    if picture is None:
        raise PictureMissing
    return picture
