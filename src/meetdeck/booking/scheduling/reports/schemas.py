"""Reports: their queries, and the rows that they answer."""

from datetime import date
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta, field

from meetdeck.booking import examples
from meetdeck.booking.scheduling.search.schemas import Exclusion
from meetdeck.booking.slots.model import MeetingType
from meetdeck.booking.slots.rules import Rule
from meetdeck.platform.durations import Duration
from meetdeck.platform.serialization import AnyCase


class ReportFormat(AnyCase):
    """How a report is written."""

    JSON = "json"
    CSV = "csv"


class Grouping(AnyCase):
    """What each row of a report is about."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    TOPIC = "topic"
    EMPLOYEE = "employee"
    LOCATION = "location"
    TYPE = "type"


PERIODS = frozenset({Grouping.DAY, Grouping.WEEK, Grouping.MONTH})


class HoursGrouping(AnyCase):
    """What each row of a report of hours is about."""

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
    last: Annotated[
        date, Meta(description="The last day, which belongs to it; at most 366 days.", examples=["2026-03-31"])
    ] = field(name="to")
    limit: Annotated[int, Meta(ge=1, le=10_000, description="The most rows; `totals` are of all.")] = 1_000
    format: Annotated[
        ReportFormat | None, Meta(description="`csv` as `Accept: text/csv`, for links that send no headers.")
    ] = None


class MeetingsReportQuery(ReportQuery, frozen=True, rename="camel", kw_only=True):
    """GET /reports/meetings."""

    by: Annotated[Grouping, Meta(description="What each row is about.")] = Grouping.DAY


class MeetingsRow(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The numbers of some meetings; lengths and lead times are of those that were not cancelled."""

    key: str
    """The first day of a period in the report, an id, a location or a meeting type; empty: of no topic, of no location
    that is known, of all."""
    name: str
    """What people call it; empty when nobody knows any more."""
    booked: int
    """The meetings that were booked for that time, cancelled or not."""
    cancelled: int
    """Those of them that were cancelled."""
    moved: int
    """Those of them that were given another time, once or more often."""
    booked_by_customer: int
    """Those of them that customers booked, without a portal."""
    booked_by_employee: int
    """Those of them that employees booked."""
    booked_by_portal: int
    """Those of them that customers and partners booked on portals."""
    total_length: Duration
    """How long the meetings last together."""
    average_length: Duration | None
    """How long one of them lasts on average; null without meetings."""
    lead_time_median: Duration | None
    """From booking to begin: half of the meetings were booked no longer ahead."""
    lead_time_p90: Annotated[Duration | None, Meta(description="90 of 100 meetings were booked no longer ahead.")] = (
        field(name="leadTimeP90")
    )


class MeetingsReport(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """How many meetings there were, how long before they were booked, and by whom."""

    first: date = field(name="from")
    """The first day."""
    last: date = field(name="to")
    """The last day."""
    by: Grouping
    """What each row is about."""
    time_zone: str
    """The organization's zone, in which days begin and end."""
    rows: list[MeetingsRow]
    """Periods in order, those without meetings too; all else with the most booked first."""
    rows_left_out: int
    """How many rows there are beyond `limit`."""
    totals: MeetingsRow
    """The numbers of all meetings, those of rows left out too."""


class UtilizationQuery(ReportQuery, frozen=True, rename="camel", kw_only=True):
    """GET /reports/utilization."""

    by: Annotated[HoursGrouping, Meta(description="What each row is about.")] = HoursGrouping.DAY


class UtilizationRow(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The hours of some advisors on some days."""

    key: str
    """The first day of a period in the report, an employee's id or a location; empty: of no location, of all."""
    name: str
    """What people call it."""
    bookable: Duration
    """Working hours and extra hours, less closing days and busy times in which nothing is booked."""
    booked: Duration
    """How much of it is taken by meetings and reservations."""
    outside_hours: Duration | None
    """What is booked beside these hours; null of a location."""
    share: float | None
    """`booked` of `bookable`, between 0 and 1; null where nothing is bookable."""


class UtilizationReport(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """How much of the time in which advisors can be booked is booked."""

    first: date = field(name="from")
    """The first day."""
    last: date = field(name="to")
    """The last day."""
    by: HoursGrouping
    """What each row is about."""
    time_zone: str
    """The organization's zone, in which days begin and end."""
    rows: list[UtilizationRow]
    """Periods in order; employees and locations with the most bookable time first."""
    rows_left_out: int
    """How many rows there are beyond `limit`."""
    totals: UtilizationRow
    """The hours of all advisors."""


class ForecastQuery(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """GET /reports/forecast."""

    days: Annotated[int, Meta(ge=1, le=92, description="How many days, from today on.")] = 60
    topic_ids: Annotated[
        list[UUID],
        Meta(max_length=50, description="Of these topics alone; none: of all.", examples=[[examples.TOPIC]]),
    ] = []
    limit: Annotated[int, Meta(ge=1, le=50, description="The most topics.")] = 10
    offset: Annotated[int, Meta(ge=0, le=100_000, description="How many topics are skipped before.")] = 0
    is_customer_initiated: Annotated[
        bool, Meta(description="true: the times that customers find, as in a search; false: those of employees.")
    ] = False
    format: Annotated[
        ReportFormat | None, Meta(description="`csv` as `Accept: text/csv`, for links that send no headers.")
    ] = None


class GapReason(msgspec.Struct, frozen=True):
    """How many advisors a rule keeps from having a free time."""

    rule: Rule
    """The rule that takes away the time that comes furthest, as explaining names it."""
    advisors: int
    """How many."""


class Gap(msgspec.Struct, frozen=True):
    """Days without a free time, for the same reasons."""

    dates: list[date]
    """The days, in order."""
    reasons: list[GapReason]
    """The rules, that of the most advisors first; empty: there are no advisors."""


class PlaceForecast(msgspec.Struct, frozen=True, rename="camel"):
    """The free times of a topic at a location, or without one."""

    location: str | None
    """Where one would meet; null: the meetings that are not physical."""
    meeting_types: list[MeetingType]
    """How one would meet."""
    advisors: int
    """How many advisors may be offered."""
    free_times: list[int]
    """How many half-hours each day has, from `from` on, at which a meeting can begin with anybody."""
    gaps: list[Gap]
    """The days without any, with the reasons."""


class TopicForecast(msgspec.Struct, frozen=True, rename="camel"):
    """The free times of a topic."""

    topic_id: UUID
    """The topic."""
    name: str
    """The topic's name."""
    exclusions: list[Exclusion]
    """Why the topic has no free times for anybody, such as that customers cannot book it."""
    places: list[PlaceForecast]
    """Without a location, then by location; empty: nobody serves the topic."""


class ForecastReport(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """How many free times there will be, and why there are none on some days."""

    first: date = field(name="from")
    """Today."""
    last: date = field(name="to")
    """The last day."""
    time_zone: str
    """The organization's zone, in which days begin and end."""
    topics: list[TopicForecast]
    """In the order of the topics' `order`, then by name."""
    topics_left_out: int
    """How many topics follow."""


class ForecastRow(msgspec.Struct, frozen=True, rename="camel"):
    """A day of a place of a topic, as CSV has it."""

    topic_id: str
    topic: str
    location: str
    day: date = field(name="date")
    free_times: int
    reasons: str
