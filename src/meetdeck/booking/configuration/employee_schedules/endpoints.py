"""Employee schedules' addresses."""

from litestar import Controller, Response, delete, get, patch, post

from meetdeck.booking import examples
from meetdeck.booking.addresses import ScheduleId
from meetdeck.booking.configuration.employee_schedules import service, store
from meetdeck.booking.configuration.employee_schedules.schemas import (
    EmployeeSchedule,
    NewSchedule,
    ScheduleContent,
    SchedulesQuery,
)
from meetdeck.booking.kinds import Kind
from meetdeck.platform.http.calls import CurrentCall, audits
from meetdeck.platform.http.requests import Body, Query, accepts
from meetdeck.platform.values.patching import JsonPatch


class EmployeeSchedules(Controller):
    """The hours and places at which employees work."""

    path = "/config/employee-schedules"
    tags = ("Employee schedules",)
    opt = audits(Kind.EMPLOYEE_SCHEDULE.address)

    @get(summary="List employee schedules", **accepts(query=SchedulesQuery))
    async def list_employee_schedules(self, call: CurrentCall, params: Query[SchedulesQuery]) -> list[EmployeeSchedule]:
        """Return the schedules by their employees' names: all, or those of some employees."""
        async with call.transaction() as connection:
            return await store.list_schedules(connection, None, employee_ids=params.employee_ids)

    @get("/{schedule_id:uuid}", summary="Read an employee schedule")
    async def get_employee_schedule(self, call: CurrentCall, schedule_id: ScheduleId) -> Response[EmployeeSchedule]:
        """Return a schedule as written: a workday without a location is at the employee's."""
        async with call.reading() as connection:
            return call.answer(await service.get_schedule(connection, schedule_id))

    @get("/{schedule_id:uuid}/actual", summary="Read an employee schedule with its locations")
    async def get_actual_employee_schedule(
        self, call: CurrentCall, schedule_id: ScheduleId
    ) -> Response[EmployeeSchedule]:
        """Return a schedule with the location of each workday: its own, else the employee's."""
        async with call.reading() as connection:
            return call.answer(await service.get_actual_schedule(connection, schedule_id))

    @post(
        status_code=201,
        summary="Create an employee schedule",
        **accepts(body=NewSchedule, example=examples.NEW_SCHEDULE),
    )
    async def create_employee_schedule(
        self, call: CurrentCall, payload: Body[NewSchedule]
    ) -> Response[EmployeeSchedule]:
        """Create the schedule of an employee without one. Needs the elevated role: schedules come with employees."""
        return await call.create(
            payload, Kind.EMPLOYEE_SCHEDULE.area, lambda connection: service.create_schedule(connection, payload)
        )

    @patch(
        "/{schedule_id:uuid}",
        summary="Change an employee schedule",
        **accepts(patch=ScheduleContent, example=examples.LATER_MONDAY),
    )
    async def update_employee_schedule(
        self, call: CurrentCall, schedule_id: ScheduleId, payload: Body[JsonPatch]
    ) -> Response[EmployeeSchedule]:
        """Change a schedule by JSON Patch; searches use it at once."""
        return await call.change(
            service.get_schedule,
            schedule_id,
            lambda connection, schedule: service.update_schedule(connection, schedule, payload),
        )

    @delete("/{schedule_id:uuid}", summary="Delete an employee schedule")
    async def delete_employee_schedule(self, call: CurrentCall, schedule_id: ScheduleId) -> None:
        """Delete a schedule: searches no longer offer its employee. Needs the elevated role."""
        await call.delete(
            service.get_schedule,
            schedule_id,
            lambda connection, schedule: store.delete_schedule(connection, schedule.id),
        )
