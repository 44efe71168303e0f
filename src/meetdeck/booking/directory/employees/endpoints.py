"""Employees' addresses."""

from litestar import Controller, Response, delete, get, post, put
from litestar.di import NamedDependency

from meetdeck.booking import examples
from meetdeck.booking.addresses import EmployeeId
from meetdeck.booking.directory.employees import service
from meetdeck.booking.directory.employees.schemas import Employee, SaveEmployee
from meetdeck.platform.db import Connection
from meetdeck.platform.http.call import GivenCall, Saved
from meetdeck.platform.http.requests import accepts


class Employees(Controller):
    """Who can take part in meetings."""

    tags = ("Employees",)

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
    async def get_employee(self, call: GivenCall, employee_id: EmployeeId) -> Response[Employee]:
        """Return an employee."""
        async with call.transaction() as connection:
            return call.answer(await service.get_employee(connection, employee_id))

    @post(
        "/config/employees",
        status_code=201,
        summary="Add an employee",
        **accepts(body=SaveEmployee, example=examples.NEW_EMPLOYEE),
    )
    async def create_employee(self, call: GivenCall, sent: NamedDependency[SaveEmployee]) -> Response[Employee]:
        """Add an employee, with a schedule from Monday to Friday in the opening hours."""

        async def add(connection: Connection) -> Saved:
            employee = await service.add_employee(connection, sent)
            return Saved(employee, call.uri("booking/config/employees", employee.id))

        return await call.create(sent, add)

    @put(
        "/config/employees/{employee_id:uuid}",
        summary="Replace an employee",
        **accepts(body=SaveEmployee, example=examples.SAME_EMPLOYEE),
    )
    async def replace_employee(
        self, call: GivenCall, employee_id: EmployeeId, sent: NamedDependency[SaveEmployee]
    ) -> Response[Employee]:
        """Let an employee be as sent, whole; the schedule stays as it is."""

        async def replace(connection: Connection) -> Employee:
            current = await service.get_employee(connection, employee_id, for_update=True)
            call.require_match(current)
            return await service.replace_employee(connection, current, sent)

        return call.answer(await call.run(replace))

    @delete("/config/employees/{employee_id:uuid}", summary="Delete an employee")
    async def delete_employee(self, call: GivenCall, employee_id: EmployeeId) -> None:
        """Delete an employee without meetings or reservations to come, with its schedule and memberships."""

        async def delete_unused(connection: Connection) -> None:
            current = await service.get_employee(connection, employee_id, for_update=True)
            call.require_match(current)
            await service.delete_employee(connection, current, call.now)

        await call.run(delete_unused)
