"""The directory's SQL."""

from uuid import UUID

from asyncpg import Record

from meetdeck.booking.directory.model import CustomerType, Employee, Room, Topic
from meetdeck.booking.directory.timezones import timezone_id
from meetdeck.platform.db import Connection, load_queries

queries = load_queries(__file__)


async def list_employees(connection: Connection, *, bookable_only: bool) -> list[Employee]:
    """Return the employees by name."""
    return [_read_employee(row) async for row in queries.list_employees(connection, bookable_only=bookable_only)]


async def find_employee(connection: Connection, employee_id: UUID) -> Employee | None:
    """Return an employee."""
    row: Record | None = await queries.find_employee(connection, employee_id=employee_id)
    return _read_employee(row) if row is not None else None


async def list_rooms(connection: Connection) -> list[Room]:
    """Return the rooms by location and name."""
    return [Room(**row) async for row in queries.list_rooms(connection)]


async def find_room(connection: Connection, room_id: UUID) -> Room | None:
    """Return a room."""
    row: Record | None = await queries.find_room(connection, room_id=room_id)
    return Room(**row) if row is not None else None


async def list_topics(connection: Connection, *, customers_only: bool, customer_type_id: UUID | None) -> list[Topic]:
    """Return the topics by name."""
    rows = queries.list_topics(connection, customers_only=customers_only, customer_type_id=customer_type_id)
    return [Topic(**row) async for row in rows]


async def list_customer_types(connection: Connection) -> list[CustomerType]:
    """Return the customer types in their order."""
    return [CustomerType(**row) async for row in queries.list_customer_types(connection)]


async def find_customer_type(connection: Connection, customer_type_id: UUID) -> CustomerType | None:
    """Return a customer type."""
    row: Record | None = await queries.find_customer_type(connection, customer_type_id=customer_type_id)
    return CustomerType(**row) if row is not None else None


def _read_employee(row: Record) -> Employee:
    members = dict(row)
    time_zone: str | None = members.pop("time_zone")
    return Employee(**members, time_zone_id=timezone_id(time_zone) if time_zone else None)
