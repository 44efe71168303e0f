"""Reading what the slot search goes through: candidates with their hours, rooms, and busy time."""

from collections import defaultdict
from datetime import UTC, datetime, timedelta
from io import BytesIO
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np
from asyncpg import Record

from meetdeck.booking.scheduling.requests import AvailableQuery, EmployeeType
from meetdeck.booking.scheduling.store import OrganizationRules, TopicRules, queries
from meetdeck.booking.slots.model import Busy, Candidate, MeetingType, Room, WorkInterval
from meetdeck.platform.db import Connection

# One row of a binary COPY: the number of fields, then length and value of each (PostgreSQL: COPY, Binary Format).
_BUSY_ROW = np.dtype(
    [
        ("fields", ">i2"),
        ("key_length", ">i4"),
        ("resource_key", ">i4"),
        ("start_length", ">i4"),
        ("starts_at", ">i8"),
        ("end_length", ">i4"),
        ("ends_at", ">i8"),
    ]
)
_COPY_HEADER_BYTES = 19
_COPY_TRAILER_BYTES = 2
# PostgreSQL counts microseconds from 2000-01-01.
_POSTGRES_EPOCH = int(datetime(2000, 1, 1, tzinfo=UTC).timestamp()) * 1_000_000
# No occupancy lasts longer; it lets the search read its window from the index by start alone.
_LONGEST = timedelta(days=31)


async def find_topic_rules(
    connection: Connection, topic_id: UUID | None, customer_type_id: UUID | None
) -> TopicRules | None:
    """Return what the topic says, None without one."""
    if topic_id is None:
        return None
    row: Record = await queries.find_topic(connection, topic_id=topic_id, customer_type_id=customer_type_id)
    return TopicRules(row["duration_minutes"], [MeetingType(one) for one in row["meeting_types"]], row["serves_type"])


async def list_candidates(connection: Connection, asked: AvailableQuery, rules: OrganizationRules) -> list[Candidate]:
    """Return who may be offered, with their hours, in two queries (docs/api.md 27, 45)."""
    kinds = asked.employee_types or []
    rows: list[Record] = [
        row
        async for row in queries.list_candidates(
            connection,
            topic_id=asked.topic,
            customer_type_id=asked.any_customer_type_id,
            named=asked.explicit_employee_ids,
            organization_limit=rules.max_meeting_time_per_day,
            by_kind=bool(kinds) and not asked.require_employee_participation,
            explicit=EmployeeType.EXPLICIT in kinds,
            local=EmployeeType.LOCAL in kinds and bool(asked.customer_location),
            by_service_group=EmployeeType.SERVICE_GROUP in kinds,
            customer_location=asked.customer_location,
        )
    ]
    hours = await _list_hours(connection, {row["employee_id"]: row["location"] for row in rows})
    return [
        Candidate(
            employee_id=row["employee_id"],
            resource_key=row["resource_key"],
            zone=ZoneInfo(row["time_zone"]) if row["time_zone"] else rules.zone,
            intervals=hours[row["employee_id"]],
            daily_limit=row["daily_limit"],
        )
        for row in rows
    ]


async def _list_hours(connection: Connection, homes: dict[UUID, str]) -> dict[UUID, tuple[WorkInterval, ...]]:
    """Return each employee's working hours; a workday without a location is at the employee's own."""
    hours: defaultdict[UUID, list[WorkInterval]] = defaultdict(list)
    async for row in queries.list_workdays(connection, employee_ids=list(homes)):
        hours[row["employee_id"]].append(
            WorkInterval(
                weekday=row["day_of_week"],
                from_time=row["from_time"],
                to_time=row["to_time"],
                meeting_types=frozenset(MeetingType(one) for one in row["meeting_types"]),
                location=row["location"] or homes[row["employee_id"]],
            )
        )
    shared: dict[tuple[WorkInterval, ...], tuple[WorkInterval, ...]] = {}  # equal schedules once: quicker to search
    return {employee_id: shared.setdefault(week := tuple(hours[employee_id]), week) for employee_id in homes}


async def list_bookable_rooms(connection: Connection) -> list[Room]:
    """Return the rooms that meetings can take."""
    return [Room(**row) async for row in queries.list_bookable_rooms(connection)]


async def list_locations_that_require_rooms(connection: Connection) -> frozenset[str]:
    """Return the locations whose physical meetings need a free room."""
    rows = queries.list_locations_that_require_rooms(connection)
    return frozenset([row["location"] async for row in rows])


async def load_busy(connection: Connection, begin: datetime, end: datetime, *, now: datetime) -> Busy:
    """Return everything that is taken between two instants, as columns: one COPY, read without making rows."""
    received = BytesIO()

    async def receive(chunk: bytes) -> None:
        received.write(chunk)

    await connection.copy_from_query(
        "select resource_key, starts_at, ends_at from occupancy"
        " where starts_at > $1 and starts_at < $2 and ends_at > $3 and (expires_at is null or expires_at > $4)",
        begin - _LONGEST,
        end,
        begin,
        now,
        output=receive,
        format="binary",
    )
    content = received.getbuffer()[_COPY_HEADER_BYTES : len(received.getbuffer()) - _COPY_TRAILER_BYTES]
    rows = np.frombuffer(content, dtype=_BUSY_ROW)
    return Busy(
        resource_keys=rows["resource_key"].astype(np.int64),
        starts_at=rows["starts_at"].astype(np.int64) + _POSTGRES_EPOCH,
        ends_at=rows["ends_at"].astype(np.int64) + _POSTGRES_EPOCH,
    )
