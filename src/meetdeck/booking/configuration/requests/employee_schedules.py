"""What employee schedules are made of. A POST's body, and what a PATCH must come to, are checked alike."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.booking.configuration.model.employee_schedules import EmployeeWorkday
from meetdeck.platform.durations import Duration


class ScheduleContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """What a schedule says of an employee's time."""

    is_only_explicitly_available: bool = False
    can_be_booked: bool = True
    workdays: Annotated[list[EmployeeWorkday], Meta(max_length=500)] = []
    max_meeting_time_per_day: Duration | None = None


class NewSchedule(ScheduleContent, frozen=True, rename="camel", kw_only=True):
    """A schedule of an employee who has none."""

    employee_id: UUID
