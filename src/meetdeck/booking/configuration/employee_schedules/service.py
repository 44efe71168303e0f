"""Employee schedules: one for each employee, created with the employee (docs/api/employees-and-topics.md#schedules)."""

from uuid import UUID, uuid4

from msgspec.structs import replace

from meetdeck.booking.configuration.employee_schedules import store
from meetdeck.booking.configuration.employee_schedules.schemas import (
    EmployeeSchedule,
    NewSchedule,
    ScheduleContent,
    find_faults_of_hours,
)
from meetdeck.booking.directory.errors import ResourceExists, ResourceNotFound
from meetdeck.booking.kinds import Kind
from meetdeck.booking.lengths import find_faults_of_limit
from meetdeck.booking.references import Reference, require_existing
from meetdeck.platform.database import Connection
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values import refuse
from meetdeck.platform.values.patching import JsonPatch, apply_patch


async def get_schedule(connection: Connection, schedule_id: UUID, *, for_update: bool = False) -> EmployeeSchedule:
    """Return a schedule, locked when `for_update`. Raises ResourceNotFound."""
    if for_update:
        await store.lock_schedule(connection, schedule_id)
    found = await store.list_schedules(connection, [schedule_id])
    if not found:
        raise ResourceNotFound(Kind.EMPLOYEE_SCHEDULE, schedule_id)
    return found[0]


async def get_actual_schedule(connection: Connection, schedule_id: UUID) -> EmployeeSchedule:
    """Return a schedule with the location of each workday: its own, else the employee's. Raises ResourceNotFound."""
    schedule = await get_schedule(connection, schedule_id)
    home = await store.find_home(connection, schedule_id)
    return replace(schedule, workdays=[replace(one, location=one.location or home) for one in schedule.workdays])


async def create_schedule(connection: Connection, content: NewSchedule) -> EmployeeSchedule:
    """Create the schedule of an employee without one. Raises InvalidInput, ReferenceNotFound, ResourceExists."""
    check_content(content)
    await require_existing(connection, [Reference(Kind.EMPLOYEE, content.employee_id, "/employeeId")])
    schedule_id = uuid4()
    if not await store.add_schedule(connection, schedule_id, content.employee_id):
        raise ResourceExists(
            phrase(
                "The employee {employee_id} has a schedule already. Change that one.", employee_id=content.employee_id
            ),
            pointer="/employeeId",
        )
    await store.update_schedule(connection, schedule_id, content)
    return await get_schedule(connection, schedule_id)


async def update_schedule(connection: Connection, schedule: EmployeeSchedule, patch: JsonPatch) -> EmployeeSchedule:
    """Apply a JSON Patch to a schedule that was read for update. Raises InvalidPatch, PatchTestFailed, InvalidInput."""
    content = apply_patch(schedule, patch, ScheduleContent, read_only=("id", "employeeId"))
    check_content(content)
    await store.update_schedule(connection, schedule.id, content)
    return await get_schedule(connection, schedule.id)


def check_content(content: ScheduleContent) -> None:
    """Raise InvalidInput for impossible hours or an impossible limit."""
    refuse(
        [
            *find_faults_of_hours(dict(enumerate(content.workdays))),
            *find_faults_of_limit(content.max_meeting_time_per_day),
        ]
    )
