"""Reading the slot search's candidates with their hours, rooms, and calendars."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
import numpy as np
from asyncpg import Record
from msgspec.structs import replace

from meetdeck.booking.configuration.organization_settings.schemas import AdvisorLevel
from meetdeck.booking.defaults import LONGEST_ENTRY, LONGEST_OCCUPANCY, SHORT_ENTRY
from meetdeck.booking.employee_types import EmployeeType
from meetdeck.booking.scheduling.rules import OrganizationRules
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service.terms import Consideration, Memberships, Terms, rank_levels
from meetdeck.booking.scheduling.search.service.working_hours import read_week
from meetdeck.booking.scheduling.search.store import SearchConditions, TopicRules, queries
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.slots.group_meetings import BegunSlot
from meetdeck.booking.slots.model import Calendars, Candidate, MeetingType, Room, Spans, to_place
from meetdeck.booking.slots.timestamps import Instants
from meetdeck.platform.database import Connection

# PostgreSQL counts microseconds from 2000-01-01.
POSTGRES_EPOCH = int(datetime(2000, 1, 1, tzinfo=UTC).timestamp()) * 1_000_000
# A calendar entry as its table packs it.
PACKED_ENTRY = np.dtype([("resource_keys", ">i4"), ("starts_at", ">i8"), ("ends_at", ">i8")])
_NOTHING_TAKEN = {"resource_keys": b"", "starts_at": b"", "ends_at": b""}
# The parts of calendar entries beside short Busy ones: their status, whether they are long, and how long at most.
_PARTS = (
    (SlotStatus.BUSY, True, LONGEST_ENTRY),
    (SlotStatus.EXTRA_OPEN, False, SHORT_ENTRY),
    (SlotStatus.EXTRA_OPEN, True, LONGEST_ENTRY),
    (SlotStatus.WORKING_FROM_ELSEWHERE, False, SHORT_ENTRY),
    (SlotStatus.WORKING_FROM_ELSEWHERE, True, LONGEST_ENTRY),
)


async def read_conditions(connection: Connection, params: AvailableQuery) -> SearchConditions:
    """Return the conditions of a search; its topic, if any, exists."""
    row: Record = await queries.find_conditions(
        connection, topic_id=params.topic, customer_type_id=params.any_customer_type_id
    )
    topic = None
    if params.topic is not None:
        topic = TopicRules(
            row["duration_minutes"],
            row["preparation_time"],
            row["follow_up_time"],
            [MeetingType(one) for one in row["meeting_types"]],
            serves_type=row["serves_type"],
            customer_bookable=row["customer_bookable"],
            also_service_groups=row["also_service_groups"],
            seats=row["seats"],
            minimum_seats=row["minimum_seats"],
        )
    return SearchConditions(topic, frozenset(row["locations_that_require_rooms"]))


async def list_labelled(connection: Connection, params: AvailableQuery) -> list[UUID] | None:
    """Return the employees whose groups have the labels of a search, None without labels."""
    labels = sorted({label.strip().lower() for label in params.labels if label.strip()})
    if not labels:
        return None
    return [row["employee_id"] async for row in queries.list_labelled(connection, labels=labels)]


async def list_advisors(
    connection: Connection, params: AvailableQuery, among: Sequence[UUID] | None = None
) -> list[Record]:
    """Return the employees among some (None: all) whom a search may offer, with their hours, by name, in one query.

    Service groups are not considered yet (docs/api/advisors.md).
    """
    if params.is_for_named_alone:
        among = [each for each in params.explicit_employee_ids if among is None or each in among]
    rows = queries.list_candidates(
        connection,
        topic_id=params.topic,
        customer_type_id=params.any_customer_type_id,
        named=params.explicit_employee_ids,
        among=among,
    )
    return [row async for row in rows]


def make_candidates(
    advisors: Iterable[Record], params: AvailableQuery, rules: OrganizationRules, memberships: Memberships
) -> list[Candidate]:
    """Return the candidates among some advisors, one for each of the terms on which service groups offer them.

    The rules: docs/api/advisors.md, docs/api/groups.md.
    """
    considerations = Considerations(params, rules.advisor_priority)
    limited = is_limited(params, rules)
    return [
        candidate
        for row in advisors
        for candidate in _make_candidates(row, considerations, rules, memberships, limited=limited)
    ]


def is_limited(params: AvailableQuery, rules: OrganizationRules) -> bool:
    """Return whether daily limits apply to a search."""
    return params.is_customer_initiated or rules.daily_limit_for_employees


class Considerations:
    """The employees whom a query requests, read once for all of them (docs/api/advisors.md)."""

    def __init__(self, params: AvailableQuery, priority: Sequence[AdvisorLevel]) -> None:
        kinds = params.kinds
        place = (params.customer_location or "").strip()
        self._place = place
        self._explicit = frozenset(params.explicit_employee_ids)
        self._ranks = rank_levels(priority) if params.get_best_time_slots else None
        self._named = frozenset(params.explicit_employee_ids if not kinds or EmployeeType.EXPLICIT in kinds else ())
        self._local_place = place if EmployeeType.LOCAL in kinds and place else None
        self._anybody = Consideration(is_anybody=not kinds, by_service_group=EmployeeType.SERVICE_GROUP in kinds)

    def find(self, employee_id: UUID, locations: Collection[str]) -> Consideration:
        """Return the ways in which the query requests an employee whose hours are at these locations."""
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
    for terms in memberships.list_terms(employee_id, considerations.find(employee_id, list_places(row))):
        yield make_candidate(row, terms, rules, memberships, limited=limited)


def list_places(row: Record) -> list[str]:
    """Return the locations of an employee and of the employee's hours."""
    return [row["location"], *(each.location for each in read_week(tuple(row["workdays"]), row["location"]))]


def make_candidate(
    row: Record, terms: Terms, rules: OrganizationRules, memberships: Memberships, *, limited: bool
) -> Candidate:
    """Return an employee as a candidate on some terms; with `limited`, under the daily limit that applies."""
    limits: list[timedelta | None] = [
        row["max_meeting_time_per_day"],
        memberships.find_daily_limit(row["employee_id"]),
        rules.max_meeting_time_per_day,
    ]
    return Candidate(
        employee_id=row["employee_id"],
        resource_key=row["resource_key"],
        zone=ZoneInfo(row["time_zone"]) if row["time_zone"] else rules.zone,
        intervals=read_week(tuple(row["workdays"]), row["location"]),
        daily_limit=next((limit for limit in limits if limited and limit is not None), None),
        buffer_before=terms.buffer_before,
        buffer_after=terms.buffer_after,
        response_time=terms.response_time,
        meeting_types=terms.meeting_types,
        level_types=terms.level_types,
        physical_places=terms.physical_places,
        start_place=terms.start_place,
        priority=terms.priority,
        home=row["location"],
    )


def list_physical_locations(advisor: Record) -> set[str]:
    """Return the locations of an advisor's hours for physical meetings, as written; empty: without a location."""
    week = read_week(tuple(advisor["workdays"]), advisor["location"])
    return {each.location for each in week if MeetingType.PHYSICAL in each.meeting_types}


async def list_begun(
    connection: Connection, params: AvailableQuery, begin: datetime, end: datetime, now: datetime
) -> list[BegunSlot]:
    """Return the times for a search's topic that customers other than the caller already share."""
    rows = queries.list_begun(
        connection, topic_id=params.topic, begin_at=begin, end_at=end, now=now, own_ids=params.ignored_ids
    )
    return [msgspec.convert(dict(row), BegunSlot) async for row in rows]


async def list_companions(connection: Connection, meeting_id: UUID | None) -> list[tuple[UUID, UUID]]:
    """Return the people of service groups who come along to a meeting, as pairs of group and person; none for None."""
    if meeting_id is None:
        return []
    rows = queries.list_companions(connection, meeting_id=meeting_id)
    return [(row["service_group_id"], row["employee_id"]) async for row in rows]


async def list_resource_keys(connection: Connection, resource_ids: Sequence[UUID]) -> list[int]:
    """Return the keys of some employees or rooms; none of deleted ones."""
    return [row["resource_key"] async for row in queries.list_resource_keys(connection, resource_ids=resource_ids)]


async def list_bookable_rooms(connection: Connection) -> list[Room]:
    """Return the rooms that meetings can take."""
    return [Room(**row) async for row in queries.list_bookable_rooms(connection)]


async def load_calendars(
    connection: Connection,
    params: AvailableQuery,
    begin: datetime,
    end: datetime,
    now: datetime,
    *,
    as_offered: bool = True,
) -> Calendars:
    """Return the calendars between two instants, in one query, as columns that the database packs.

    The time of the caller's own token or meeting, and of ignored meetings, is left out. As they are offered,
    resources whose calendar was not read lately are busy all the time, where the firm wants it.
    """
    row: Record = await queries.load_calendars(
        connection,
        begin_at=begin,
        end_at=end,
        now=now,
        longest=LONGEST_OCCUPANCY,
        short_entry=SHORT_ENTRY,
        statuses=[status.value for status, _, _ in _PARTS],
        are_long=[is_long for _, is_long, _ in _PARTS],
        longest_entries=[longest for _, _, longest in _PARTS],
        own_ids=params.ignored_ids,
    )
    entries: list[bytes] = [row["short_busy"], *row["entries"]]
    busy, extra_open, elsewhere = (short + long for short, long in zip(entries[::2], entries[1::2], strict=True))
    taken = _unite_shared(row) if row["has_shared"] else row
    return Calendars(
        _unpack(taken, busy + row["unread"] if as_offered else busy),
        _unpack(_NOTHING_TAKEN, extra_open),
        _unpack(_NOTHING_TAKEN, elsewhere),
    )


def _unite_shared(taken: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return packed columns with each row once: only those of a shared time are the same."""
    columns = {name: np.frombuffer(taken[name], dtype=PACKED_ENTRY[name]) for name in _NOTHING_TAKEN}
    _, first = np.unique(np.stack([*columns.values()]).astype(np.int64), axis=1, return_index=True)
    kept = np.sort(first)
    return {name: column[kept].tobytes() for name, column in columns.items()}


def _unpack(taken: Mapping[str, Any], entries: bytes) -> Spans:
    """Return the times of packed columns, followed by those of packed calendar entries."""
    noted = np.frombuffer(entries, dtype=PACKED_ENTRY)
    keys, starts, ends = (_join(taken[name], noted[name]) for name in _NOTHING_TAKEN)
    starts += POSTGRES_EPOCH
    ends += POSTGRES_EPOCH
    return Spans(keys, starts, ends, len(noted))


def _join(column: bytes, noted: np.ndarray[Any, Any]) -> Instants:
    """Return the numbers of a packed column, followed by those of entries, by copying each once."""
    booked = np.frombuffer(column, dtype=noted.dtype)
    numbers = np.empty(len(booked) + len(noted), dtype=np.int64)
    numbers[: len(booked)] = booked
    numbers[len(booked) :] = noted
    return numbers
