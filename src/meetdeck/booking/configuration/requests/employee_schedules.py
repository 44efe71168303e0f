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
    """Whether the employee is offered only to a search that names them."""
    can_be_booked: bool = True
    """Whether the employee can be booked; if not, no search offers them."""
    workdays: Annotated[list[EmployeeWorkday], Meta(max_length=500)] = []
    """The hours of each weekday; a weekday may come several times, and no two of one may overlap."""
    max_meeting_time_per_day: Duration | None = None
    """How much of a day may be booked, `1.00:00:00` at most; null: the limit of the service groups, else of the
    organization, holds.
    """


class NewSchedule(ScheduleContent, frozen=True, rename="camel", kw_only=True):
    """A schedule of an employee who has none."""

    employee_id: UUID
    """The employee of the schedule, who has none yet."""
