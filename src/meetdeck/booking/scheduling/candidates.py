"""Reading what the slot search goes through: candidates with their hours, rooms, and busy time."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
from asyncpg import Record

from meetdeck.booking.scheduling.requests.time_slots import AvailableQuery, EmployeeType
from meetdeck.booking.scheduling.service_groups import ServiceRules, read_memberships
from meetdeck.booking.scheduling.store.candidates import Conditions, TopicRules, queries
from meetdeck.booking.scheduling.store.rules import OrganizationRules
from meetdeck.booking.scheduling.working_hours import read_week
from meetdeck.booking.slots.model import Busy, Candidate, MeetingType, Room
from meetdeck.platform.db import Connection

# PostgreSQL counts microseconds from 2000-01-01.
_POSTGRES_EPOCH = int(datetime(2000, 1, 1, tzinfo=UTC).timestamp()) * 1_000_000
# No occupancy lasts longer; it lets the search read its window from the index by start alone.
_LONGEST = timedelta(days=31)


async def read_conditions(connection: Connection, asked: AvailableQuery) -> Conditions:
    """Return what is known of a search before anybody is looked at; of a topic that exists, if there is one."""
    row: Record = await queries.find_conditions(
        connection, topic_id=asked.topic, customer_type_id=asked.any_customer_type_id
    )
    topic = None
    if asked.topic is not None:
        topic = TopicRules(
            row["duration_minutes"], [MeetingType(one) for one in row["meeting_types"]], row["serves_type"]
        )
    return Conditions(topic, frozenset(row["locations_that_require_rooms"]))


async def list_candidates(
    connection: Connection,
    asked: AvailableQuery,
    rules: OrganizationRules,
    meeting_types: frozenset[MeetingType] | None,
) -> list[Candidate]:
    """Return who may be offered, with their hours, in two queries (docs/api.md 27, 29, 32, 45, 46).

    Those whose service groups have the highest priority come first, then by name. `meeting_types` are those that the
    search is for, None for all.
    """
    kinds = asked.employee_types or []
    by_service_group = EmployeeType.SERVICE_GROUP in kinds
    customer_location = (asked.customer_location or "").strip()
    memberships = await read_memberships(connection, asked, meeting_types)
    found: list[tuple[int, Candidate]] = []
    async for row in queries.list_candidates(
        connection,
        topic_id=asked.topic,
        customer_type_id=asked.any_customer_type_id,
        named=asked.explicit_employee_ids,
        by_kind=bool(kinds) and not asked.require_employee_participation,
        explicit=EmployeeType.EXPLICIT in kinds,
        local=EmployeeType.LOCAL in kinds and bool(customer_location),
        customer_location=customer_location,
    ):
        service = memberships.find_rules(
            row["employee_id"],
            is_named=row["is_named"],
            is_of_kind=row["is_of_kind"],
            by_service_group=by_service_group,
        )
        if service is not None:
            found.append((service.priority, _make_candidate(row, service, rules)))
    found.sort(key=lambda each: -each[0])
    return [candidate for _, candidate in found]


def _make_candidate(row: Record, service: ServiceRules, rules: OrganizationRules) -> Candidate:
    daily_limit: timedelta | None = row["max_meeting_time_per_day"]
    if daily_limit is None:
        daily_limit = service.daily_limit if service.daily_limit is not None else rules.max_meeting_time_per_day
    return Candidate(
        employee_id=row["employee_id"],
        resource_key=row["resource_key"],
        zone=ZoneInfo(row["time_zone"]) if row["time_zone"] else rules.zone,
        intervals=read_week(tuple(row["workdays"]), row["location"], service.meeting_types),
        daily_limit=daily_limit,
        buffer_before=service.buffer_before,
        buffer_after=service.buffer_after,
        response_time=service.response_time,
    )


async def list_bookable_rooms(connection: Connection) -> list[Room]:
    """Return the rooms that meetings can take."""
    return [Room(**row) async for row in queries.list_bookable_rooms(connection)]


async def load_busy(
    connection: Connection, asked: AvailableQuery, begin: datetime, end: datetime, now: datetime
) -> Busy:
    """Return everything that is taken between two instants, as columns, which the database packs: no rows are made.

    What the caller's own token or meeting has taken is left out.
    """
    row: Record = await queries.load_busy(
        connection,
        begin_at=begin,
        end_at=end,
        now=now,
        longest=_LONGEST,
        own_ids=[each for each in (asked.token, asked.existing_meeting_id) if each is not None],
    )
    return Busy(
        resource_keys=np.frombuffer(row["resource_keys"], dtype=">i4").astype(np.int64),
        starts_at=np.frombuffer(row["starts_at"], dtype=">i8").astype(np.int64) + _POSTGRES_EPOCH,
        ends_at=np.frombuffer(row["ends_at"], dtype=">i8").astype(np.int64) + _POSTGRES_EPOCH,
    )
