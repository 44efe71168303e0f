"""Reports: their queries, and the rows that they answer."""

from datetime import date, datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType, field

from meetdeck.booking import examples
from meetdeck.booking.scheduling.meetings.schemas.meetings import Attendance
from meetdeck.booking.scheduling.search.schemas import Exclusion
from meetdeck.booking.slots.model import MeetingType
from meetdeck.booking.slots.rules import Rule
from meetdeck.platform.values import AnyCase, Duration, ReportFormat


class Grouping(AnyCase):
    """Criteria by which a report groups meetings into rows."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    TOPIC = "topic"
    EMPLOYEE = "employee"
    LOCATION = "location"
    TYPE = "type"


PERIODS = frozenset({Grouping.DAY, Grouping.WEEK, Grouping.MONTH})


class HoursGrouping(AnyCase):
    """Criteria by which a report groups hours into rows."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    EMPLOYEE = "employee"
    LOCATION = "location"


class ReportQuery(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The days of a report and its form."""

    first: Annotated[
        date, Meta(description="The first day, a local date of the organization.", examples=["2026-03-02"])
    ] = field(name="from")
    last: Annotated[date, Meta(description="The last day, inclusive; at most 366 days.", examples=["2026-03-31"])] = (
        field(name="to")
    )
    limit: Annotated[int, Meta(ge=1, le=10_000, description="The maximum number of rows; `totals` include all.")] = (
        1_000
    )
    format: Annotated[
        ReportFormat | None, Meta(description="`csv` instead of `Accept: text/csv`, for links, which send no headers.")
    ] = None


class MeetingsReportQuery(ReportQuery, frozen=True, rename="camel", kw_only=True):
    """GET /reports/meetings."""

    by: Annotated[Grouping, Meta(description="The grouping of the rows.")] = Grouping.DAY


class MeetingsCount(AnyCase):
    """The numbers of a report whose meetings can be listed."""

    BOOKED = "booked"
    BOOKINGS_MADE = "bookingsMade"
    CANCELLED = "cancelled"
    MOVED = "moved"
    ATTENDED = "attended"
    NO_SHOWS = "noShows"
    BOOKED_BY_CUSTOMER = "bookedByCustomer"
    BOOKED_BY_EMPLOYEE = "bookedByEmployee"
    BOOKED_BY_PORTAL = "bookedByPortal"
    TIMES_TAKEN = "timesTaken"

    @property
    def member(self) -> str:
        """Return the name of the number among the members of a row."""
        return self.name.lower()


class CountedMeetingsQuery(MeetingsReportQuery, frozen=True, rename="camel", kw_only=True):
    """GET /reports/meetings/counted."""

    count: Annotated[MeetingsCount, Meta(description="The number of the report.")]
    key: Annotated[str | None, Meta(description="The `key` of a row, `-` for an empty one; left out: the totals.")] = (
        None
    )


class CountedMeeting(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A meeting that a number of a report counts."""

    id: UUID
    """The meeting's id."""
    title: str
    """The title in calendars; may be empty."""
    start_date: datetime
    """When it begins."""
    end_date: datetime
    """When it ends."""
    employee_id: UUID
    """The advisor."""
    customer_id: str
    """The customer, by the id that your systems know."""
    customer_name: str
    """The name of the first person from outside; empty: there is none."""
    is_cancelled: bool
    """True if it was cancelled."""
    attendance: Attendance | UnsetType = UNSET
    """The attendance of the customer; null until it is recorded."""


class CountedMeetings(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The meetings that a number of a report counts, by their begin."""

    total: int
    """The number."""
    items: list[CountedMeeting]
    """The first of them, `limit` at most."""


class MeetingsRow(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The numbers of some meetings; lengths and lead times are of those that were not cancelled."""

    key: str
    """The first day of a period, an id, a location or a meeting type; empty: no topic, no location, or the total."""
    name: str
    """The name of the day, topic, employee or location; empty for a deleted one."""
    booked: int
    """The meetings that begin on these days, cancelled or not."""
    bookings_made: int
    """The meetings that were booked on these days, whenever they begin, cancelled or not."""
    cancelled: int
    """Meetings that begin on these days and were cancelled."""
    moved: int
    """Meetings that begin on these days and were moved at least once."""
    attended: int
    """Meetings in `booked` that were not cancelled and whose customer came, as far as recorded."""
    no_shows: int
    """Meetings in `booked` that were not cancelled and whose customer did not come, as far as recorded."""
    booked_by_customer: int
    """Meetings in `booked` that customers booked without a portal."""
    booked_by_employee: int
    """Meetings in `booked` that employees booked."""
    booked_by_portal: int
    """Meetings in `booked` that customers and partners booked on portals."""
    times_taken: int
    """The times of advisors that those take that were not cancelled: customers who share one count once."""
    total_length: Duration
    """The sum of the lengths of these times."""
    average_length: Duration | None
    """The average length of a meeting; null without meetings."""
    lead_time_median: Duration | None
    """From booking to begin: half of the meetings were booked no longer ahead."""
    lead_time_p90: Annotated[Duration | None, Meta(description="90 of 100 meetings were booked no longer ahead.")] = (
        field(name="leadTimeP90")
    )


class MeetingsReport(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Numbers of meetings by day, topic, employee, location or type, with lead times and ways of booking."""

    first: date = field(name="from")
    """The first day."""
    last: date = field(name="to")
    """The last day."""
    by: Grouping
    """The criterion that groups the rows."""
    time_zone: str
    """The organization's zone, in which days begin and end."""
    rows: list[MeetingsRow]
    """Periods in order, including those without meetings; other rows with the most booked first."""
    rows_left_out: int
    """The number of rows beyond `limit`."""
    totals: MeetingsRow
    """The totals, including rows left out."""


class UtilizationQuery(ReportQuery, frozen=True, rename="camel", kw_only=True):
    """GET /reports/utilization."""

    by: Annotated[HoursGrouping, Meta(description="The grouping of the rows.")] = HoursGrouping.DAY


class UtilizationRow(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The hours of some advisors on some days."""

    key: str
    """The first day of a period, an employee's id or a location; empty: no location, or the total."""
    name: str
    """The name of the day, employee or location."""
    bookable: Duration
    """Working hours and extra hours, without closing days and busy times in which nothing is booked."""
    booked: Duration
    """The part of these hours that meetings and reservations take."""
    outside_hours: Duration | None
    """Booked time outside of these hours; null for a location."""
    share: float | None
    """`booked` divided by `bookable`, between 0 and 1; null if nothing is bookable."""


class UtilizationReport(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Booked hours of advisors beside those in which they can be booked."""

    first: date = field(name="from")
    """The first day."""
    last: date = field(name="to")
    """The last day."""
    by: HoursGrouping
    """The criterion that groups the rows."""
    time_zone: str
    """The organization's zone, in which days begin and end."""
    rows: list[UtilizationRow]
    """Periods in order; employees and locations with the most bookable time first."""
    rows_left_out: int
    """The number of rows beyond `limit`."""
    totals: UtilizationRow
    """The hours of all advisors."""


class ForecastQuery(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """GET /reports/forecast."""

    days: Annotated[int, Meta(ge=1, le=92, description="The number of days, from today on.")] = 60
    topic_ids: Annotated[
        list[UUID],
        Meta(max_length=50, description="Only these topics; none: all.", examples=[[examples.TOPIC]]),
    ] = []
    limit: Annotated[int, Meta(ge=1, le=50, description="The maximum number of topics.")] = 10
    offset: Annotated[int, Meta(ge=0, le=100_000, description="The number of topics to skip.")] = 0
    is_customer_initiated: Annotated[
        bool, Meta(description="true: the times that customers find in a search; false: those that employees find.")
    ] = False
    format: Annotated[
        ReportFormat | None, Meta(description="`csv` instead of `Accept: text/csv`, for links, which send no headers.")
    ] = None


class GapReason(msgspec.Struct, frozen=True):
    """A rule, and the number of advisors whose last possible time it removes."""

    rule: Rule
    """The rule that removes the time that gets furthest, as explanations name it."""
    advisors: int
    """The number of advisors."""


class Gap(msgspec.Struct, frozen=True):
    """Days without a free time, for the same reasons."""

    dates: list[date]
    """The days, in order."""
    reasons: list[GapReason]
    """The rules, that of the most advisors first; empty: there are no advisors."""


class PlaceForecast(msgspec.Struct, frozen=True, rename="camel"):
    """The free times of a topic at a location, or without one."""

    location: str | None
    """The place of the meetings; empty: advisors without a location; null: they are not physical."""
    meeting_types: list[MeetingType]
    """The meeting types there."""
    advisors: int
    """The number of advisors that a search may offer."""
    free_times: list[int]
    """For each day, from `from` on, the number of half-hours at which a meeting can begin with at least one advisor."""
    gaps: list[Gap]
    """Days without a free time, with the reasons."""
    search: str
    """The address of the search for these times, once for each meeting type: its starts by date are `freeTimes`."""


class TopicForecast(msgspec.Struct, frozen=True, rename="camel"):
    """The free times of a topic."""

    topic_id: UUID
    """The topic."""
    name: str
    """The topic's name."""
    exclusions: list[Exclusion]
    """Rules that leave the whole topic without free times, such as that customers cannot book it."""
    places: list[PlaceForecast]
    """First without a location, then by location; empty: nobody serves the topic."""


class ForecastReport(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Future free times by topic and location, and the reasons for days without any."""

    first: date = field(name="from")
    """Today."""
    last: date = field(name="to")
    """The last day."""
    time_zone: str
    """The organization's zone, in which days begin and end."""
    topics: list[TopicForecast]
    """In the order of the topics' `order`, then by name."""
    topics_left_out: int
    """The number of topics that follow."""


class ForecastRow(msgspec.Struct, frozen=True, rename="camel"):
    """A line of the forecast as CSV: a topic at a location on a day."""

    topic_id: str
    topic: str
    location: str
    day: date = field(name="date")
    free_times: int
    reasons: str
    meeting_types: str
    search: str
