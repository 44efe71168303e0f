"""The import's reading and writing of employee schedules, which are identified by their employees."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import cast
from uuid import UUID

from asyncpg import Record
from msgspec.structs import replace

from meetdeck.booking.configuration.employee_schedules.schemas import (
    EmployeeWorkday,
    NewSchedule,
    find_faults_of_hours,
)
from meetdeck.booking.configuration.employee_schedules.service import check_content
from meetdeck.booking.configuration.employee_schedules.store import (
    COLUMNS,
    WORKDAYS,
    list_schedules,
    write_workday,
)
from meetdeck.booking.importing.lookup import NameIndex
from meetdeck.booking.importing.resources import Change, Resource, RowProblem
from meetdeck.booking.kinds import Kind
from meetdeck.platform.database import Connection, load_queries
from meetdeck.platform.values import InvalidInput, copy_members, read_builtins, write_json

queries = load_queries(__file__, "schedules.sql", columns=COLUMNS, workdays=WORKDAYS)


class ScheduleResource(Resource[NewSchedule]):
    """Schedules, by their employees' ids."""

    kind = Kind.EMPLOYEE_SCHEDULE
    key_pointer = "/employeeId"
    once = "Keep the rows of an employee together, or leave one out."

    def __init__(self) -> None:
        # A firm has few different weeks, and reading one is the slowest part of its import.
        self._stored: dict[str, NewSchedule] = {}
        self._read: dict[bytes, NewSchedule] = {}

    async def load(self, connection: Connection, register: NameIndex, *, for_update: bool) -> None:
        """Load nothing: nothing refers to a schedule, and a row is identified by its employee."""

    async def find_current(self, connection: Connection, ids: Sequence[UUID]) -> Mapping[UUID, NewSchedule]:
        """Return the schedules of some employees, locked."""
        await queries.lock_schedules(connection, employee_ids=ids)
        rows: list[Record] = [row async for row in queries.list_fingerprints(connection, employee_ids=ids)]
        unknown = {row["fingerprint"]: row["schedule_id"] for row in rows if row["fingerprint"] not in self._stored}
        found = await list_schedules(connection, list(unknown.values()))
        bodies = {schedule.id: copy_members(NewSchedule, schedule) for schedule in found}
        self._stored |= {fingerprint: bodies[schedule_id] for fingerprint, schedule_id in unknown.items()}
        return {row["employee_id"]: self._of(row["employee_id"], self._stored[row["fingerprint"]]) for row in rows}

    def read(self, body: Mapping[str, object]) -> NewSchedule:
        """Return a body read from JSON values, cached for equal ones. Raises InvalidInput."""
        employee_id = body["employeeId"]
        said = write_json({member: value for member, value in body.items() if member != "employeeId"})
        found = self._read.get(said)
        if found is None or not isinstance(employee_id, UUID):
            try:
                found = self._read[said] = super().read(body)
            except InvalidInput as error:
                raise _with_faults_of_hours(body, error) from None
        return self._of(employee_id, found) if isinstance(employee_id, UUID) else found

    def check(self, content: NewSchedule) -> NewSchedule:
        """Return a schedule as it will be stored. Raises InvalidInput."""
        check_content(content)
        return replace(content, workdays=[_offer_once(workday) for workday in content.workdays])

    async def save(self, connection: Connection, changes: Sequence[Change[NewSchedule]]) -> Iterable[RowProblem]:
        """Write all changes in three statements."""
        schedules = [COLUMNS.write(change.after) | {"employee_id": change.after.employee_id} for change in changes]
        rows: list[Record] = [row async for row in queries.put_schedules(connection, schedules=schedules)]
        ids: dict[UUID, UUID] = {row["employee_id"]: row["employee_schedule_id"] for row in rows}
        changed = [ids[change.id] for change in changes if change.before is not None]
        if changed:
            await queries.drop_workdays(connection, schedule_ids=changed)
        weeks: dict[bytes, list[EmployeeWorkday]] = {}
        named = [write_json(change.after.workdays) for change in changes]
        for name, change in zip(named, changes, strict=True):
            weeks[name] = change.after.workdays
        numbers = {name: number for number, name in enumerate(weeks, 1)}
        workdays = [[write_workday(place, workday) for place, workday in enumerate(week)] for week in weeks.values()]
        schedule_ids = [ids[change.id] for change in changes]
        await queries.add_workdays(
            connection, schedule_ids=schedule_ids, weeks=[numbers[name] for name in named], workdays=workdays
        )
        return ()

    @staticmethod
    def _of(employee_id: UUID, schedule: NewSchedule) -> NewSchedule:
        """Return a copy of the schedule for another employee."""
        return replace(schedule, employee_id=employee_id)


def _with_faults_of_hours(body: Mapping[str, object], error: InvalidInput) -> InvalidInput:
    """Return the error with the faults of the readable hours added to those of the unreadable."""
    workdays: dict[int, EmployeeWorkday] = {}
    items = body.get("workdays")
    for place, one in enumerate(cast("list[object]", items) if isinstance(items, list) else ()):
        with suppress(InvalidInput):
            workdays[place] = read_builtins(one, EmployeeWorkday)
    more = [fault for fault in find_faults_of_hours(workdays) if fault not in error.faults]
    return InvalidInput(error.detail, faults=(*error.faults, *more))


def _offer_once(workday: EmployeeWorkday) -> EmployeeWorkday:
    return replace(workday, available_meeting_types=list(dict.fromkeys(workday.available_meeting_types)))
