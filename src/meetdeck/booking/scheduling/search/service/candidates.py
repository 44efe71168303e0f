"""Reading the slot search's candidates with their hours, rooms, and busy time."""

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np
from asyncpg import Record
from msgspec.structs import replace

from meetdeck.booking.configuration.organization_settings.schemas import AdvisorLevel
from meetdeck.booking.defaults import LONGEST_ENTRY, LONGEST_OCCUPANCY, SHORT_ENTRY
from meetdeck.booking.employee_types import EmployeeType
from meetdeck.booking.scheduling.rules import OrganizationRules
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service.terms import Consideration, Memberships, rank_levels
from meetdeck.booking.scheduling.search.service.working_hours import read_week
from meetdeck.booking.scheduling.search.store import Conditions, TopicRules, queries
from meetdeck.booking.slots.model import Busy, Candidate, MeetingType, Room, to_place
from meetdeck.booking.slots.timestamps import Instants
from meetdeck.platform.db import Connection

# PostgreSQL counts microseconds from 2000-01-01.
_POSTGRES_EPOCH = int(datetime(2000, 1, 1, tzinfo=UTC).timestamp()) * 1_000_000
# A calendar entry as its table packs it.
_PACKED_ENTRY = np.dtype([("key", ">i4"), ("starts_at", ">i8"), ("ends_at", ">i8")])


async def read_conditions(connection: Connection, asked: AvailableQuery) -> Conditions:
    """Return the conditions of a search; its topic, if any, exists."""
    row: Record = await queries.find_conditions(
        connection, topic_id=asked.topic, customer_type_id=asked.any_customer_type_id
    )
    topic = None
    if asked.topic is not None:
        topic = TopicRules(
            row["duration_minutes"],
            [MeetingType(one) for one in row["meeting_types"]],
            serves_type=row["serves_type"],
            customer_bookable=row["customer_bookable"],
        )
    return Conditions(topic, frozenset(row["locations_that_require_rooms"]))


async def list_candidates(
    connection: Connection,
    asked: AvailableQuery,
    rules: OrganizationRules,
    memberships: Memberships,
    among: Sequence[UUID] | None = None,
) -> list[Candidate]:
    """Return the candidates among some employees (None: all), with their hours, in one query.

    By name, one item for each of the terms on which service groups offer them (docs/api.md#candidates,
    #daily-limits, #service-triggers, #routing, #service-levels).
    """
    if asked.is_for_named_alone:
        among = [each for each in asked.explicit_employee_ids if among is None or each in among]
    rows = queries.list_candidates(
        connection,
        topic_id=asked.topic,
        customer_type_id=asked.any_customer_type_id,
        named=asked.explicit_employee_ids,
        among=among,
    )
    considerations = Considerations(asked, rules.advisor_priority)
    limited = asked.is_customer_initiated or rules.daily_limit_for_employees
    return [
        candidate
        async for row in rows
        for candidate in _make_candidates(row, considerations, rules, memberships, limited=limited)
    ]


class Considerations:
    """The employees whom a query asks for, read once for all of them (docs/api.md#candidates)."""

    def __init__(self, asked: AvailableQuery, priority: Sequence[AdvisorLevel]) -> None:
        kinds = asked.kinds
        place = (asked.customer_location or "").strip()
        self._place = place
        self._explicit = frozenset(asked.explicit_employee_ids)
        self._ranks = rank_levels(priority) if asked.get_best_time_slots else None
        self._named = frozenset(asked.explicit_employee_ids if not kinds or EmployeeType.EXPLICIT in kinds else ())
        self._local_place = place if EmployeeType.LOCAL in kinds and place else None
        self._anybody = Consideration(is_anybody=not kinds, by_service_group=EmployeeType.SERVICE_GROUP in kinds)

    def find(self, employee_id: UUID, locations: Collection[str]) -> Consideration:
        """Return the ways in which the query asks for an employee whose hours are at these locations."""
        consideration = self._anybody
        if employee_id in self._named:
            consideration = replace(consideration, is_named=True)
        if self._local_place is not None and to_place(self._local_place) in map(to_place, locations):
            consideration = replace(consideration, local_place=self._local_place)
        if self._ranks is None:
            return consideration
        is_local = bool(self._place) and to_place(self._place) in map(to_place, locations)
        ranks = replace(
            self._ranks,
            explicit=self._ranks.explicit if employee_id in self._explicit else 0,
            place=self._place if is_local else None,
        )
        return replace(consideration, ranks=ranks)


def _make_candidates(
    row: Record, considerations: Considerations, rules: OrganizationRules, memberships: Memberships, *, limited: bool
) -> Iterator[Candidate]:
    employee_id: UUID = row["employee_id"]
    week = read_week(tuple(row["workdays"]), row["location"])
    limits: list[timedelta | None] = [
        row["max_meeting_time_per_day"],
        memberships.find_daily_limit(employee_id),
        rules.max_meeting_time_per_day,
    ]
    for terms in memberships.list_terms(
        employee_id, considerations.find(employee_id, [each.location for each in week])
    ):
        yield Candidate(
            employee_id=employee_id,
            resource_key=row["resource_key"],
            zone=ZoneInfo(row["time_zone"]) if row["time_zone"] else rules.zone,
            intervals=week,
            daily_limit=next((limit for limit in limits if limited and limit is not None), None),
            buffer_before=terms.buffer_before,
            buffer_after=terms.buffer_after,
            response_time=terms.response_time,
            meeting_types=terms.meeting_types,
            level_types=terms.level_types,
            physical_places=terms.physical_places,
            start_place=terms.start_place,
            priority=terms.priority,
        )


async def list_bookable_rooms(connection: Connection) -> list[Room]:
    """Return the rooms that meetings can take."""
    return [Room(**row) async for row in queries.list_bookable_rooms(connection)]


async def load_busy(
    connection: Connection, asked: AvailableQuery, begin: datetime, end: datetime, now: datetime
) -> Busy:
    """Return the busy time between two instants, calendar entries last, as columns that the database packs.

    The time of the caller's own token or meeting, and of ignored meetings, is left out.
    """
    row: Record = await queries.load_busy(
        connection,
        begin_at=begin,
        end_at=end,
        now=now,
        longest=LONGEST_OCCUPANCY,
        longest_entry=LONGEST_ENTRY,
        short_entry=SHORT_ENTRY,
        own_ids=asked.ignored_ids,
    )
    entries = np.frombuffer(row["entries"], dtype=_PACKED_ENTRY)
    taken = len(row["resource_keys"]) // 4
    return Busy(
        resource_keys=_unpack(row["resource_keys"], ">i4", entries["key"]),
        starts_at=_unpack(row["starts_at"], ">i8", entries["starts_at"]) + _POSTGRES_EPOCH,
        ends_at=_unpack(row["ends_at"], ">i8", entries["ends_at"]) + _POSTGRES_EPOCH,
        is_entry=np.arange(taken + len(entries)) >= taken if len(entries) else None,
    )


def _unpack(column: bytes, number: str, of_entries: np.ndarray[Any, Any]) -> Instants:
    """Return the numbers of a packed column, followed by those of the calendar entries."""
    return np.concatenate((np.frombuffer(column, dtype=number), of_entries)).astype(np.int64)
