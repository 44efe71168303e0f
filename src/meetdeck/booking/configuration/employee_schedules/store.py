"""Employee schedules' SQL."""

from collections.abc import Sequence
from datetime import timedelta
from functools import lru_cache
from typing import Any
from uuid import UUID

from asyncpg import Record

from meetdeck.booking.configuration.employee_schedules.schemas import (
    WEEKDAYS,
    EmployeeSchedule,
    EmployeeWorkday,
    OfferedMeetingType,
    ScheduleContent,
)
from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.database import Columns, Connection, load_queries
from meetdeck.platform.values import Duration, TimeOfDay

COLUMNS = Columns(ScheduleContent, elsewhere=("workdays",))
WORKDAYS = Columns(EmployeeWorkday, from_="from_time", to="to_time", available_meeting_types="meeting_types")
queries = load_queries(__file__, columns=COLUMNS, workdays=WORKDAYS)

_UNIT_SEPARATOR = "\x1f"


async def list_schedules(
    connection: Connection, schedule_ids: Sequence[UUID] | None, *, employee_ids: Sequence[UUID] | None = None
) -> list[EmployeeSchedule]:
    """Return some schedules, or all, by the employee's name, in one query for any number of them."""
    found = queries.list_schedules(connection, schedule_ids=schedule_ids, employee_ids=employee_ids)
    return [_read_schedule(row) async for row in found]


async def find_home(connection: Connection, schedule_id: UUID) -> str:
    """Return the location of a schedule's employee."""
    home: str | None = await queries.find_home(connection, schedule_id=schedule_id)
    return home or ""


async def lock_schedule(connection: Connection, schedule_id: UUID) -> None:
    """Lock a schedule until the transaction ends."""
    await queries.lock_schedule(connection, schedule_id=schedule_id)


async def add_schedule(connection: Connection, schedule_id: UUID, employee_id: UUID) -> bool:
    """Insert an empty schedule; return whether it was inserted: an employee has at most one."""
    return await queries.add_schedule(connection, schedule_id=schedule_id, employee_id=employee_id) is not None


async def update_schedule(connection: Connection, schedule_id: UUID, content: ScheduleContent) -> None:
    """Update a schedule and replace its workdays."""
    await queries.update_schedule(connection, schedule_id=schedule_id, schedule=COLUMNS.write(content))
    await queries.drop_workdays(connection, schedule_id=schedule_id)
    workdays = [write_workday(place, workday) for place, workday in enumerate(content.workdays)]
    await queries.add_workdays(connection, schedule_id=schedule_id, workdays=workdays)


async def delete_schedule(connection: Connection, schedule_id: UUID) -> None:
    """Delete a schedule and its workdays."""
    await queries.delete_schedule(connection, schedule_id=schedule_id)


def _read_schedule(row: Record) -> EmployeeSchedule:
    members = dict(row)
    limit: timedelta | None = members["max_meeting_time_per_day"]
    members["max_meeting_time_per_day"] = Duration.of(limit) if limit is not None else None
    members["workdays"] = [_read_workday(workday) for workday in members["workdays"]]
    return EmployeeSchedule(**members)


@lru_cache(maxsize=4096)  # thousands of employees have only a few different weeks
def _read_workday(stored: str) -> EmployeeWorkday:
    """Read a workday from the text that `list_schedules` makes of it; the location is last, and may be any text."""
    texts = stored.split(_UNIT_SEPARATOR, len(WORKDAYS) - 1)
    members: dict[str, Any] = dict(zip(WORKDAYS, texts, strict=True))
    members["day_of_week"] = WEEKDAYS[int(members["day_of_week"])]
    members["from_"] = TimeOfDay.parse(members["from_"])
    members["to"] = TimeOfDay.parse(members["to"])
    members["is_available"] = members["is_available"] == "t"
    names: str = members["available_meeting_types"].strip("{}")
    members["available_meeting_types"] = [OfferedMeetingType(MeetingType(one)) for one in names.split(",") if one]
    return EmployeeWorkday(**members)


def write_workday(place: int, workday: EmployeeWorkday) -> dict[str, Any]:
    """Return a workday as the row that `add_workdays` inserts."""
    types = list(dict.fromkeys(offered.type for offered in workday.available_meeting_types))
    row = WORKDAYS.write(workday, day_of_week=workday.day_of_week.number, available_meeting_types=types)
    return row | {"position": place}
