"""The SQL of explanations, beyond the search's own queries."""

from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.booking.defaults import LONGEST_ENTRY, LONGEST_OCCUPANCY, SHORT_ENTRY
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


class EmployeeFacts(msgspec.Struct, frozen=True):
    """An employee, with the names of groups, topic and customer types of a search."""

    name: str
    active: bool
    has_schedule: bool
    can_be_booked: bool
    is_only_when_named: bool
    daily_limit: timedelta | None
    locations: list[str]
    customer_types: list[str]
    own_groups: list[str]
    groups_above: list[str]
    groups_of_topic: list[str]
    serves_customer_type: bool
    serves_topic: bool
    topic: str
    customer_types_of_topic: list[str]
    customer_type: str


class Trigger(msgspec.Struct, frozen=True):
    """The trigger of a service group, by names; an empty list fits every search."""

    name: str
    customer_types: list[str]
    topics: list[str]
    meeting_types: list[str]
    locations: list[str]


class CalendarTime(msgspec.Struct, frozen=True):
    """A time in a calendar: of a meeting, a reservation until `expires_at`, or, with its status, a calendar entry.

    `source` of an entry: `api`, `calendar` when it was read from one, or `unread` for all of the time while the
    calendar, which was read last at `read_at`, is stale.
    """

    starts_at: datetime
    ends_at: datetime
    expires_at: datetime | None
    meeting_id: UUID | None
    title: str | None
    entry: SlotStatus | None = None
    source: Literal["api", "calendar", "unread"] = "api"
    connection_id: UUID | None = None
    connection_name: str | None = None
    read_at: datetime | None = None


async def get_employee(connection: Connection, params: AvailableQuery, employee_id: UUID) -> EmployeeFacts:
    """Return an employee who exists, as a search sees them."""
    row: Record = await queries.find_employee(
        connection, topic_id=params.topic, customer_type_id=params.any_customer_type_id, employee_id=employee_id
    )
    return EmployeeFacts(**row)


async def list_triggers(connection: Connection, employee_id: UUID) -> list[Trigger]:
    """Return the triggers of the service groups that may offer an employee."""
    return [Trigger(**row) async for row in queries.list_triggers(connection, employee_id=employee_id)]


async def list_calendar(
    connection: Connection, params: AvailableQuery, employee_id: UUID, span: tuple[datetime, datetime], now: datetime
) -> list[CalendarTime]:
    """Return an employee's meetings, reservations and entries in a span, without those that the search ignores."""
    rows = queries.list_calendar(
        connection,
        longest=LONGEST_OCCUPANCY,
        longest_entry=LONGEST_ENTRY,
        short_entry=SHORT_ENTRY,
        employee_id=employee_id,
        own_ids=params.ignored_ids,
        starts_at=span[0],
        ends_at=span[1],
        now=now,
    )
    return [msgspec.convert(dict(row), CalendarTime) async for row in rows]
