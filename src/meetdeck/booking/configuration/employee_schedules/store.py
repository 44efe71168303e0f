"""Employee schedules' SQL."""

from collections.abc import Sequence
from functools import lru_cache
from uuid import UUID

from asyncpg import Record

from meetdeck.booking.configuration.employee_schedules.schemas import (
    WEEKDAYS,
    EmployeeSchedule,
    EmployeeWorkday,
    OfferedMeetingType,
    ScheduleContent,
)
from meetdeck.booking.configuration.intervals import read_interval
from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.db import Connection, load_queries
from meetdeck.platform.serialization import TimeOfDay

queries = load_queries(__file__)


async def list_schedules(connection: Connection, schedule_ids: Sequence[UUID] | None) -> list[EmployeeSchedule]:
    """Return some schedules, or all, by the employee's name: in one query, however many they are."""
    return [_read_schedule(row) async for row in queries.list_schedules(connection, schedule_ids=schedule_ids)]


async def find_home(connection: Connection, schedule_id: UUID) -> str:
    """Return the location of a schedule's employee."""
    home: str | None = await queries.find_home(connection, schedule_id=schedule_id)
    return home or ""


async def lock_schedule(connection: Connection, schedule_id: UUID) -> None:
    """Lock a schedule until the transaction ends."""
    await queries.lock_schedule(connection, schedule_id=schedule_id)


async def add_schedule(connection: Connection, schedule_id: UUID, employee_id: UUID) -> bool:
    """Insert an empty schedule; return whether it was inserted: an employee has one at most."""
    return await queries.add_schedule(connection, schedule_id=schedule_id, employee_id=employee_id) is not None


async def update_schedule(connection: Connection, schedule_id: UUID, content: ScheduleContent) -> None:
    """Update a schedule and replace its workdays."""
    await queries.update_schedule(
        connection,
        schedule_id=schedule_id,
        is_only_explicitly_available=content.is_only_explicitly_available,
        can_be_booked=content.can_be_booked,
        max_meeting_time_per_day=content.max_meeting_time_per_day,
    )
    await queries.drop_workdays(connection, schedule_id=schedule_id)
    workdays = [write_workday(place, workday) for place, workday in enumerate(content.workdays)]
    await queries.add_workdays(connection, schedule_id=schedule_id, workdays=workdays)


async def delete_schedule(connection: Connection, schedule_id: UUID) -> None:
    """Delete a schedule and its workdays."""
    await queries.delete_schedule(connection, schedule_id=schedule_id)


def _read_schedule(row: Record) -> EmployeeSchedule:
    return EmployeeSchedule(
        id=row["id"],
        employee_id=row["employee_id"],
        is_only_explicitly_available=row["is_only_explicitly_available"],
        can_be_booked=row["can_be_booked"],
        workdays=[_read_workday(workday) for workday in row["workdays"]],
        max_meeting_time_per_day=read_interval(row["max_meeting_time_per_day"]),
    )


@lru_cache(maxsize=4096)  # thousands of employees have only a few different weeks
def _read_workday(stored: str) -> EmployeeWorkday:
    """Read a workday from the text that `list_schedules` makes of it."""
    is_available, weekday, from_time, to_time, meeting_types, location = stored.split(" ", 5)
    names = meeting_types.strip("{}")
    return EmployeeWorkday(
        is_available=is_available == "t",
        day_of_week=WEEKDAYS[int(weekday)],
        from_=TimeOfDay.parse(from_time),
        to=TimeOfDay.parse(to_time),
        available_meeting_types=[OfferedMeetingType(MeetingType(one)) for one in names.split(",") if one],
        location=location,
    )


def write_workday(place: int, workday: EmployeeWorkday) -> dict[str, object]:
    """Return a workday as the JSON that `add_workdays` reads."""
    return {
        "position": place,
        "is_available": workday.is_available,
        "day_of_week": workday.day_of_week.number,
        "from_time": workday.from_.isoformat(),
        "to_time": workday.to.isoformat(),
        "meeting_types": list(dict.fromkeys(offered.type for offered in workday.available_meeting_types)),
        "location": workday.location,
    }
