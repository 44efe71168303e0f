"""The directory's addresses (contract section 4: Rooms, employees, topics; Customer types): its reads."""

from uuid import UUID

from litestar import Controller, Response, Router, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from meetdeck.booking.directory import service
from meetdeck.booking.directory.model import CustomerType, Employee, Room, Topic
from meetdeck.booking.directory.requests import TopicsQuery
from meetdeck.platform.http.call import GivenCall
from meetdeck.platform.http.requests import takes


def make_router() -> Router:
    """Return the addresses, the same in both versions."""
    return Router("/", route_handlers=[Directory], tags=["Directory"])


class Directory(Controller):
    """Whom and what a meeting can be made of."""

    @get("/employees", summary="List employees")
    async def list_employees(self, call: GivenCall) -> list[Employee]:
        """Return the employees by name."""
        async with call.transaction() as connection:
            return await service.list_employees(connection)

    @get("/config/employees", summary="List bookable employees")
    async def list_bookable_employees(self, call: GivenCall) -> list[Employee]:
        """Return the employees that can be booked, by name."""
        async with call.transaction() as connection:
            return await service.list_employees(connection, bookable_only=True)

    @get(["/employees/{employee_id:uuid}", "/config/employees/{employee_id:uuid}"], summary="Read an employee")
    async def get_employee(self, call: GivenCall, employee_id: FromPath[UUID]) -> Response[Employee]:
        """Return an employee."""
        async with call.transaction() as connection:
            return call.answer(await service.get_employee(connection, employee_id))

    @get(["/rooms", "/config/rooms"], summary="List rooms")
    async def list_rooms(self, call: GivenCall) -> list[Room]:
        """Return the rooms by location and name."""
        async with call.transaction() as connection:
            return await service.list_rooms(connection)

    @get(["/rooms/{room_id:uuid}", "/config/rooms/{room_id:uuid}"], summary="Read a room")
    async def get_room(self, call: GivenCall, room_id: FromPath[UUID]) -> Response[Room]:
        """Return a room."""
        async with call.transaction() as connection:
            return call.answer(await service.get_room(connection, room_id))

    @get("/meeting-topics", summary="List meeting topics", **takes(query=TopicsQuery))
    async def list_topics(self, call: GivenCall, asked: NamedDependency[TopicsQuery]) -> list[Topic]:
        """Return the topics by name: all, or those that customers may book; for one customer type, when asked."""
        async with call.transaction() as connection:
            return await service.list_topics(connection, asked)

    @get("/config/customer-types", summary="List customer types")
    async def list_customer_types(self, call: GivenCall) -> list[CustomerType]:
        """Return the customer types in their order."""
        async with call.transaction() as connection:
            return await service.list_customer_types(connection)

    @get("/config/customer-types/{customer_type_id:uuid}", summary="Read a customer type")
    async def get_customer_type(self, call: GivenCall, customer_type_id: FromPath[UUID]) -> Response[CustomerType]:
        """Return a customer type."""
        async with call.transaction() as connection:
            return call.answer(await service.get_customer_type(connection, customer_type_id))
