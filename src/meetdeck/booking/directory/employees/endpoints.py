"""Employees' addresses."""

from litestar import Controller, Response, delete, get, post, put

from meetdeck.booking import examples
from meetdeck.booking.addresses import EmployeeId
from meetdeck.booking.directory.employees import store
from meetdeck.booking.directory.employees.schemas import Employee, EmployeesQuery, SaveEmployee
from meetdeck.booking.directory.employees.service import EMPLOYEES
from meetdeck.booking.kinds import Kind
from meetdeck.platform.http.calls import Call, CurrentCall, audits
from meetdeck.platform.http.lists import ANSWERS_TOTAL, answer_part
from meetdeck.platform.http.requests import Body, Query, accepts
from meetdeck.platform.values import Version


class Employees(Controller):
    """People who can take part in meetings."""

    tags = ("Employees",)
    opt = audits(Kind.EMPLOYEE.address)

    @get("/employees", summary="List employees", **accepts(query=EmployeesQuery), **ANSWERS_TOTAL)
    async def list_employees(self, call: CurrentCall, params: Query[EmployeesQuery]) -> Response[list[Employee]]:
        """Return the employees by name; v3 can filter them."""
        return await _list(call, params, bookable_only=False)

    @get("/config/employees", summary="List bookable employees", **accepts(query=EmployeesQuery), **ANSWERS_TOTAL)
    async def list_bookable_employees(
        self, call: CurrentCall, params: Query[EmployeesQuery]
    ) -> Response[list[Employee]]:
        """Return the employees that can be booked, by name; v3 can filter them."""
        return await _list(call, params, bookable_only=True)

    @get(["/employees/{employee_id:uuid}", "/config/employees/{employee_id:uuid}"], summary="Read an employee")
    async def get_employee(self, call: CurrentCall, employee_id: EmployeeId) -> Response[Employee]:
        """Return an employee."""
        async with call.reading() as connection:
            return call.answer(await EMPLOYEES.get(connection, employee_id))

    @post(
        "/config/employees",
        status_code=201,
        summary="Add an employee",
        **accepts(body=SaveEmployee, example=examples.NEW_EMPLOYEE),
    )
    async def create_employee(self, call: CurrentCall, payload: Body[SaveEmployee]) -> Response[Employee]:
        """Add an employee, with a schedule from Monday to Friday in the opening hours."""
        return await call.create(payload, Kind.EMPLOYEE.area, EMPLOYEES.adding(payload))

    @put(
        "/config/employees/{employee_id:uuid}",
        summary="Replace an employee",
        **accepts(body=SaveEmployee, example=examples.SAME_EMPLOYEE),
    )
    async def replace_employee(
        self, call: CurrentCall, employee_id: EmployeeId, payload: Body[SaveEmployee]
    ) -> Response[Employee]:
        """Replace an employee as a whole; the schedule stays unchanged."""
        return await call.change(EMPLOYEES.get, employee_id, EMPLOYEES.replacing(payload))

    @delete("/config/employees/{employee_id:uuid}", summary="Delete an employee")
    async def delete_employee(self, call: CurrentCall, employee_id: EmployeeId) -> None:
        """Delete an employee without future meetings or reservations, with its schedule and memberships."""
        await call.delete(EMPLOYEES.get, employee_id, EMPLOYEES.deleting(call.now))


async def _list(call: Call, params: EmployeesQuery, *, bookable_only: bool) -> Response[list[Employee]]:
    wanted = params if call.version is Version.V3 else EmployeesQuery()
    async with call.transaction() as connection:
        listed = await store.list_employees(connection, wanted, bookable_only=bookable_only)
    return answer_part(call, listed.items, listed.total if wanted.limit is not None else None)
