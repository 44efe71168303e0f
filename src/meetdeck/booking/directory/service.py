"""What the directory decides."""

from typing import TypeVar
from uuid import UUID

from meetdeck.booking.directory import store
from meetdeck.booking.directory.errors import ResourceNotFound
from meetdeck.booking.directory.model import CustomerType, Employee, Room, Topic
from meetdeck.booking.directory.requests import TopicsQuery
from meetdeck.platform.db import Connection

T = TypeVar("T")


async def list_employees(connection: Connection, *, bookable_only: bool = False) -> list[Employee]:
    """Return the employees by name."""
    return await store.list_employees(connection, bookable_only=bookable_only)


async def get_employee(connection: Connection, employee_id: UUID) -> Employee:
    """Return an employee. Raises ResourceNotFound."""
    return _require(await store.find_employee(connection, employee_id), "employee", employee_id)


async def list_rooms(connection: Connection) -> list[Room]:
    """Return the rooms by location and name."""
    return await store.list_rooms(connection)


async def get_room(connection: Connection, room_id: UUID) -> Room:
    """Return a room. Raises ResourceNotFound."""
    return _require(await store.find_room(connection, room_id), "room", room_id)


async def list_topics(connection: Connection, query: TopicsQuery) -> list[Topic]:
    """Return the topics by name. Raises ResourceNotFound for a customer type that does not exist."""
    customer_type_id = query.customer_type_id or query.customer_category_id
    if customer_type_id is not None and await store.find_customer_type(connection, customer_type_id) is None:
        raise ResourceNotFound("customer type", customer_type_id, pointer="/query/customerTypeId")
    return await store.list_topics(connection, customers_only=query.is_customer, customer_type_id=customer_type_id)


async def list_customer_types(connection: Connection) -> list[CustomerType]:
    """Return the customer types in their order."""
    return await store.list_customer_types(connection)


async def get_customer_type(connection: Connection, customer_type_id: UUID) -> CustomerType:
    """Return a customer type. Raises ResourceNotFound."""
    return _require(await store.find_customer_type(connection, customer_type_id), "customer type", customer_type_id)


def _require(found: T | None, kind: str, resource_id: UUID) -> T:
    if found is None:
        raise ResourceNotFound(kind, resource_id)
    return found
