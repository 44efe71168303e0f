"""Employee schedules: when and where advisors work (docs/api/employees-and-topics.md)."""

from collections.abc import Mapping
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.booking.slots.model import MeetingType
from meetdeck.booking.texts import Line
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values import AnyCase, Duration, TimeOfDay

_DAY_SECONDS = 24 * 60 * 60


class Weekday(AnyCase):
    """A day of the week, by name."""

    MONDAY = "Monday"
    TUESDAY = "Tuesday"
    WEDNESDAY = "Wednesday"
    THURSDAY = "Thursday"
    FRIDAY = "Friday"
    SATURDAY = "Saturday"
    SUNDAY = "Sunday"

    @property
    def number(self) -> int:
        """Return the day's index in the week: Monday is 0."""
        return WEEKDAYS.index(self)


WEEKDAYS = tuple(Weekday)


class OfferedMeetingType(msgspec.Struct, frozen=True):
    """A way to meet that an advisor offers."""

    type: MeetingType
    """The possible meeting types."""


def offer_usual_types() -> list[OfferedMeetingType]:
    """Return the meeting types of a schedule by default: all but Offsite (docs/api/advisors.md#routing)."""
    return [OfferedMeetingType(one) for one in MeetingType if one is not MeetingType.OFFSITE]


class EmployeeWorkday(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Hours of one weekday by the employee's clock; a weekday may have several. Not available: no hours at all."""

    day_of_week: Weekday
    """The day of the week."""
    from_: TimeOfDay = msgspec.field(name="from")
    """When the hours begin, by the employee's clock."""
    to: Annotated[TimeOfDay, Meta(description="00:00:00 is the day's end; 24:00:00 is read as the same.")]
    is_available: bool = True
    """True if there are hours at all; if not, the day is off."""
    available_meeting_types: Annotated[list[OfferedMeetingType], Meta(max_length=100)] = msgspec.field(
        default_factory=offer_usual_types
    )
    """The possible meeting types in these hours."""
    location: Annotated[Line, Meta(description="Empty: the employee's own.")] = ""

    @property
    def seconds(self) -> tuple[int, int]:
        """Return the begin and end of the hours, in seconds since midnight."""
        return _to_seconds(self.from_), _to_seconds(self.to) or _DAY_SECONDS

    def __str__(self) -> str:
        """Return the workday as people write it: `Monday 09:00:00 to 12:00:00`."""
        return f"{self.day_of_week.value} {self.from_.isoformat()} to {self.to.isoformat()}"


class EmployeeSchedule(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The hours at which an employee can be booked; null limits are those of service groups or the organization."""

    id: UUID
    """The schedule's id; it never changes."""
    employee_id: UUID
    """The employee of the schedule; it cannot be changed."""
    is_only_explicitly_available: bool
    """True if the employee is offered only to searches that name them."""
    can_be_booked: bool
    """True if the employee can be booked; if not, no search offers them."""
    workdays: list[EmployeeWorkday]
    """The hours of each weekday; a weekday may be repeated, and its hours must not overlap."""
    max_meeting_time_per_day: Duration | None
    """The maximum booked time of a day, at most `1.00:00:00`; null: as service groups or the organization allow."""


def find_faults_of_hours(workdays: Mapping[int, EmployeeWorkday]) -> list[Fault]:
    """Return the faults of workdays that end before they begin or overlap, whether or not they are available.

    The key is the index of the workday in the schedule.
    """
    ordered = {place: each for place, each in workdays.items() if each.seconds[0] < each.seconds[1]}
    faults = [
        Fault(f"/workdays/{place}/to", _describe_end(workdays[place])) for place in workdays if place not in ordered
    ]
    last: dict[Weekday, tuple[int, EmployeeWorkday]] = {}  # of the workdays so far, the one that ends last
    for place, workday in sorted(ordered.items(), key=lambda placed: placed[1].seconds):
        other_place, other = last.setdefault(workday.day_of_week, (place, workday))
        if place != other_place and workday.seconds[0] < other.seconds[1]:
            faults += [_describe_overlap(other_place, place, workday), _describe_overlap(place, other_place, other)]
        if workday.seconds[1] > other.seconds[1]:
            last[workday.day_of_week] = (place, workday)
    return faults


def _describe_end(workday: EmployeeWorkday) -> str:
    """Return the sentence for an end that is not after the beginning, with the way to write hours over midnight."""
    begin, end, day = workday.from_.isoformat(), workday.to.isoformat(), workday.day_of_week
    detail = phrase("{end} is not after {begin}.", end=end, begin=begin)
    if begin == end:
        return detail
    next_day = WEEKDAYS[(day.number + 1) % len(WEEKDAYS)]
    return (
        f"{detail} Hours over midnight are two workdays: {day.value} {begin} to 24:00:00, and {next_day.value} 00:00:00"
        f" to {end}."
    )


def _describe_overlap(place: int, other_place: int, other: EmployeeWorkday) -> Fault:
    return Fault(
        f"/workdays/{place}",
        phrase("Overlaps with /workdays/{other_place}, {other}.", other_place=other_place, other=other),
    )


def _to_seconds(shown: TimeOfDay) -> int:
    return (shown.hour * 60 + shown.minute) * 60 + shown.second


class ScheduleContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The body of an employee's schedule."""

    is_only_explicitly_available: bool = False
    """True if the employee is offered only to searches that name them."""
    can_be_booked: bool = True
    """True if the employee can be booked; if not, no search offers them."""
    workdays: Annotated[list[EmployeeWorkday], Meta(max_length=500)] = []
    """The hours of each weekday; a weekday may be repeated, and its hours must not overlap."""
    max_meeting_time_per_day: Duration | None = None
    """The maximum booked time of a day, at most `1.00:00:00`; null: as service groups or the organization allow."""


class NewSchedule(ScheduleContent, frozen=True, rename="camel", kw_only=True):
    """A schedule of an employee without one."""

    employee_id: UUID
    """The employee of the schedule, who must have none yet."""


class SchedulesQuery(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """GET /config/employee-schedules."""

    employee_ids: Annotated[
        Annotated[list[UUID], Meta(max_length=1000)] | None,
        Meta(description="The schedules of these employees, if they have one; an extension."),
    ] = None
