"""Employees' addresses."""

from typing import Any

from litestar import Controller, Response, delete, get, post, put

from meetdeck.booking import examples
from meetdeck.booking.addresses import EmployeeId
from meetdeck.booking.directory.employees import store
from meetdeck.booking.directory.employees.schemas import Employee, EmployeesQuery, SaveEmployee
from meetdeck.booking.directory.employees.service import (
    EMPLOYEES,
    EmployeePictures,
    add_employee,
    get_picture,
    replace_employee,
)
from meetdeck.booking.kinds import Kind
from meetdeck.platform.http.answers import ASK_AGAIN, WEBP, AnyRequest, Conditions, answer_unchanged, entity_tag_of
from meetdeck.platform.http.calls import Call, CurrentCall, Service, audits
from meetdeck.platform.http.lists import ANSWERS_TOTAL, answer_part
from meetdeck.platform.http.requests import Body, Query, accepts
from meetdeck.platform.storage import digest_of
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
    async def create_employee(
        self, call: CurrentCall, payload: Body[SaveEmployee], employee_pictures: Service[EmployeePictures]
    ) -> Response[Employee]:
        """Add an employee, with a schedule from Monday to Friday in the opening hours."""
        if answered := await call.find_answer(payload):
            return answered
        picture = await employee_pictures.draw_new(call.principal.tenant_id, payload, call.now)
        return await call.create(
            payload, Kind.EMPLOYEE.area, lambda connection: add_employee(connection, payload, picture)
        )

    @put(
        "/config/employees/{employee_id:uuid}",
        summary="Replace an employee",
        **accepts(body=SaveEmployee, example=examples.SAME_EMPLOYEE),
    )
    async def replace_employee(
        self,
        call: CurrentCall,
        employee_id: EmployeeId,
        payload: Body[SaveEmployee],
        employee_pictures: Service[EmployeePictures],
    ) -> Response[Employee]:
        """Replace an employee as a whole; the schedule stays unchanged, and so does a picture that is not named."""
        picture = await employee_pictures.draw_new(call.principal.tenant_id, payload, call.now, employee_id)
        return await call.change(
            EMPLOYEES.get,
            employee_id,
            lambda connection, current: replace_employee(connection, current, payload, picture),
        )

    @delete("/config/employees/{employee_id:uuid}", summary="Delete an employee")
    async def delete_employee(self, call: CurrentCall, employee_id: EmployeeId) -> None:
        """Delete an employee without future meetings or reservations, with its schedule and memberships."""
        await call.delete(EMPLOYEES.get, employee_id, EMPLOYEES.deleting(call.now))


class EmployeesPictures(Controller):
    """Pictures of employees, an extension of v3."""

    tags = ("Employees",)

    @get("/employees/{employee_id:uuid}/picture", media_type=WEBP, summary="See an employee")
    async def get_employee_picture(
        self, request: AnyRequest, call: CurrentCall, employee_id: EmployeeId
    ) -> Response[Any]:
        """Answer the employee's picture as customers see it: a square WebP file."""
        async with call.reading() as connection:
            picture = await get_picture(connection, employee_id)
        tag = entity_tag_of(digest_of(picture))
        if Conditions(if_none_match=request.headers.get("If-None-Match")).is_known(tag):
            return answer_unchanged(tag)
        return Response(picture, media_type=WEBP, headers={"ETag": tag, **ASK_AGAIN})


async def _list(call: Call, params: EmployeesQuery, *, bookable_only: bool) -> Response[list[Employee]]:
    wanted = params if call.version is Version.V3 else EmployeesQuery()
    async with call.transaction() as connection:
        listed = await store.list_employees(connection, wanted, bookable_only=bookable_only)
    return answer_part(call, listed.items, listed.total if wanted.limit is not None else None)
