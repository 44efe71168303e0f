"""Employees: the resource, and its body."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from meetdeck.booking.directory.narrowing import SINCE_V3, NarrowingQuery
from meetdeck.booking.ids import Ids, NewId
from meetdeck.booking.texts import Email, Line, Name
from meetdeck.platform.values import SetSinceV3, SinceV3


class Employee(msgspec.Struct, frozen=True, rename="camel"):
    """An advisor or another employee who can take part in meetings."""

    id: UUID
    """The employee's id; it never changes."""
    name: str
    """The name, as customers see it."""
    email: str
    """The address for invitations; empty: none."""
    phone: str
    """The telephone number; empty: none."""
    title: str
    """The job title."""
    location: str
    """The usual location of the employee, by name; empty: none in particular."""
    time_zone_id: UUID | None
    """The zone of the employee's hours; null: the organization's."""
    customer_type_ids: list[UUID]
    """The customer types that the employee serves; empty: all."""
    active: bool
    """True if the employee can be booked and is offered."""
    initials: SinceV3[str] = UNSET
    """The initials, as colleagues know them."""
    external_id: SinceV3[str] = UNSET
    """The id in another system, stored unchanged."""
    first_name: SinceV3[str] = UNSET
    """The first name; independent of `name`."""
    last_name: SinceV3[str] = UNSET
    """The last name; independent of `name`."""
    picture_content_id: SinceV3[UUID | None] = UNSET
    """The content from which the picture was made that customers see; null: none. An extension."""
    provisioned: SetSinceV3[bool] = UNSET
    """True when the firm's directory owns it (SCIM): most members are changed there alone; else left out."""


class Face(msgspec.Struct, frozen=True):
    """An employee as customers see them; without a `picture_id` there is no picture."""

    id: UUID
    name: str
    picture_id: UUID | None


class EmployeeContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An employee without the members that are computed from a file: a row of an import."""

    id: NewId | None = None
    name: Name
    """The name, as customers see it."""
    email: Email = ""
    """The address for invitations."""
    phone: Line = ""
    """The telephone number."""
    title: Line = ""
    """The job title."""
    location: Line = ""
    """The usual location of the employee, by name."""
    time_zone_id: UUID | None = None
    """The zone of the employee's hours; none: the organization's."""
    customer_type_ids: Ids = []
    """The customer types that the employee serves; empty: all."""
    active: bool = True
    """True if the employee can be booked and is offered."""
    initials: SinceV3[Line] = ""
    """The initials, as colleagues know them."""
    external_id: SinceV3[Line] = ""
    """The id in another system, stored unchanged."""
    first_name: SinceV3[Line] = ""
    """The first name; independent of `name`."""
    last_name: SinceV3[Line] = ""
    """The last name; independent of `name`."""


class SaveEmployee(EmployeeContent, frozen=True, rename="camel", kw_only=True):
    """POST and PUT /config/employees; `timeZoneId` defaults to the organization's, no customer types mean all."""

    picture_content_id: SinceV3[UUID | UnsetType | None] = UNSET
    """The content with the employee's picture, a PNG, JPEG or WebP file; null: none. Without it the picture stays."""


class EmployeesQuery(NarrowingQuery, frozen=True, rename="camel", kw_only=True):
    """GET /employees and /config/employees."""

    competence_group_id: Annotated[
        UUID | None,
        SINCE_V3,
        Meta(description="Employees in this competence group and all groups below it; an extension."),
    ] = None
