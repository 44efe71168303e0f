"""Reading what the slot search goes through: candidates with their hours, rooms, and busy time."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from io import BytesIO
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np
from asyncpg import Record

from meetdeck.booking.scheduling.requests.time_slots import AvailableQuery, EmployeeType
from meetdeck.booking.scheduling.service_groups import ServiceRules, read_memberships
from meetdeck.booking.scheduling.store.candidates import TopicRules, queries
from meetdeck.booking.scheduling.store.rules import OrganizationRules
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
_SELECT_BUSY = (
    "select resource_key, starts_at, ends_at from occupancy"
    " where starts_at > $1 and starts_at < $2 and ends_at > $3 and (expires_at is null or expires_at > $4)"
)
# Named by key and start, so that the index answers still; tokens and ids of meetings are UUIDs of different makers.
_BUT_OWN = (
    " and (resource_key, starts_at) not in ("
    "select resource_key, starts_at from occupancy where time_slot_id in ("
    "select time_slot_id from time_slot where status = 'Reserved' and token = any ($5::uuid[])"
    " union all select time_slot_id from meeting where meeting_id = any ($5::uuid[])))"
)
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


async def list_candidates(
    connection: Connection,
    asked: AvailableQuery,
    rules: OrganizationRules,
    meeting_types: frozenset[MeetingType] | None,
) -> list[Candidate]:
    """Return who may be offered, with their hours, in three queries (docs/api.md 27, 29, 32, 45, 46).

    Those whose service groups have the highest priority come first, then by name. `meeting_types` are those that the
    search is for, None for all.
    """
    kinds = asked.employee_types or []
    by_kind = bool(kinds) and not asked.require_employee_participation
    by_service_group = EmployeeType.SERVICE_GROUP in kinds
    memberships = await read_memberships(connection, asked, meeting_types)
    found: list[tuple[Record, ServiceRules]] = []
    async for row in queries.list_candidates(
        connection,
        topic_id=asked.topic,
        customer_type_id=asked.any_customer_type_id,
        named=asked.explicit_employee_ids,
        by_kind=by_kind,
        explicit=EmployeeType.EXPLICIT in kinds,
        local=EmployeeType.LOCAL in kinds and bool(asked.customer_location),
        customer_location=asked.customer_location,
    ):
        service = memberships.find_rules(
            row["employee_id"],
            is_named=row["is_named"],
            is_of_kind=row["is_of_kind"],
            by_service_group=by_service_group,
        )
        if service is not None:
            found.append((row, service))
    found.sort(key=lambda each: -each[1].priority)
    hours = await _list_hours(connection, found)
    return [_make_candidate(row, service, hours[row["employee_id"]], rules) for row, service in found]


def _make_candidate(
    row: Record, service: ServiceRules, intervals: tuple[WorkInterval, ...], rules: OrganizationRules
) -> Candidate:
    limits: tuple[timedelta | None, ...] = (
        row["max_meeting_time_per_day"],
        service.daily_limit,
        rules.max_meeting_time_per_day,
    )
    return Candidate(
        employee_id=row["employee_id"],
        resource_key=row["resource_key"],
        zone=ZoneInfo(row["time_zone"]) if row["time_zone"] else rules.zone,
        intervals=intervals,
        daily_limit=next((limit for limit in limits if limit is not None), None),
        buffer_before=service.buffer_before,
        buffer_after=service.buffer_after,
        response_time=service.response_time,
    )


async def _list_hours(
    connection: Connection, candidates: Sequence[tuple[Record, ServiceRules]]
) -> dict[UUID, tuple[WorkInterval, ...]]:
    """Return each candidate's working hours, in the meeting types that service groups leave of them.

    A workday without a location is at the employee's own.
    """
    about = {row["employee_id"]: (row["location"], service.meeting_types) for row, service in candidates}
    hours: defaultdict[UUID, list[WorkInterval]] = defaultdict(list)
    async for row in queries.list_workdays(connection, employee_ids=list(about)):
        home, offered = about[row["employee_id"]]
        hours[row["employee_id"]].append(
            WorkInterval(
                weekday=row["day_of_week"],
                from_time=row["from_time"],
                to_time=row["to_time"],
                meeting_types=_read_types(tuple(row["meeting_types"])) & offered,
                location=row["location"] or home,
            )
        )
    shared: dict[tuple[WorkInterval, ...], tuple[WorkInterval, ...]] = {}  # equal schedules once: quicker to search
    return {employee_id: shared.setdefault(week := tuple(hours[employee_id]), week) for employee_id in about}


@lru_cache(maxsize=1024)  # thousands of workdays have but a few
def _read_types(names: tuple[str, ...]) -> frozenset[MeetingType]:
    return frozenset(MeetingType(one) for one in names)


async def list_bookable_rooms(connection: Connection) -> list[Room]:
    """Return the rooms that meetings can take."""
    return [Room(**row) async for row in queries.list_bookable_rooms(connection)]


async def list_locations_that_require_rooms(connection: Connection) -> frozenset[str]:
    """Return the locations whose physical meetings need a free room."""
    rows = queries.list_locations_that_require_rooms(connection)
    return frozenset([row["location"] async for row in rows])


async def load_busy(
    connection: Connection, asked: AvailableQuery, begin: datetime, end: datetime, now: datetime
) -> Busy:
    """Return everything that is taken between two instants, as columns: one COPY, read without making rows.

    What the caller's own token or meeting has taken is left out.
    """
    received = BytesIO()

    async def receive(chunk: bytes) -> None:
        received.write(chunk)

    own = [each for each in (asked.token, asked.existing_meeting_id) if each is not None]
    await connection.copy_from_query(
        _SELECT_BUSY + (_BUT_OWN if own else ""),
        begin - _LONGEST,
        end,
        begin,
        now,
        *([own] if own else []),
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
