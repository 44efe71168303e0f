"""What service groups say about a search: who is offered, in which meeting types, and how (docs/api.md 27, 29, 32)."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta
from functools import lru_cache
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.booking.scheduling.requests.time_slots import AvailableQuery, EmployeeType
from meetdeck.booking.scheduling.store.candidates import queries
from meetdeck.booking.slots.model import MEETING_TYPES, NO_TIME, MeetingType
from meetdeck.platform.db import Connection

EVERY_TYPE = frozenset(MEETING_TYPES)


class ServiceGroup(msgspec.Struct, frozen=True, cache_hash=True):
    """A group's rules, and whether its trigger fits the search."""

    name: str
    is_fitting: bool
    meeting_types: frozenset[MeetingType]
    daily_limit: timedelta | None
    priority: int
    response_time: timedelta
    buffer_before: timedelta
    buffer_after: timedelta


class ServiceRules(msgspec.Struct, frozen=True):
    """What all groups of one advisor say together: of each rule the strictest, of priorities the highest.

    A daily limit always counts, the rest of a group when its trigger fits.
    """

    meeting_types: frozenset[MeetingType] = EVERY_TYPE
    daily_limit: timedelta | None = None
    priority: int = 0
    response_time: timedelta = NO_TIME
    buffer_before: timedelta = NO_TIME
    buffer_after: timedelta = NO_TIME


class Memberships:
    """Who is in which service groups, themselves or through competence groups."""

    def __init__(self) -> None:
        self._own: defaultdict[UUID, list[ServiceGroup]] = defaultdict(list)
        self._through: defaultdict[UUID, list[ServiceGroup]] = defaultdict(list)

    def add(self, group: ServiceGroup, member_ids: Sequence[UUID], through_ids: Sequence[UUID]) -> None:
        """Add a group with its members, and those of its competence groups."""
        for employee_id in member_ids:
            self._own[employee_id].append(group)
        for employee_id in through_ids:
            self._through[employee_id].append(group)

    def list_own(self, employee_id: UUID) -> Sequence[ServiceGroup]:
        """Return the groups that the employee is a member of."""
        return self._own.get(employee_id, ())

    def list_through(self, employee_id: UUID) -> Sequence[ServiceGroup]:
        """Return the groups that reach the employee, who is in none, through competence groups."""
        return self._through.get(employee_id, ())

    def find_rules(
        self, employee_id: UUID, *, is_named: bool, is_of_kind: bool, by_service_group: bool
    ) -> ServiceRules | None:
        """Return what the advisor's service groups say; None when the advisor is not to be offered.

        Who is named needs no trigger. An own member of groups is offered when the trigger of one of them fits; who is
        in none is offered as being `is_of_kind`, or `by_service_group` through competence groups.
        """
        return _find_rules(
            tuple(self.list_own(employee_id)),
            tuple(self.list_through(employee_id)),
            is_named=is_named,
            is_of_kind=is_of_kind,
            by_service_group=by_service_group,
        )


async def read_memberships(
    connection: Connection, asked: AvailableQuery, meeting_types: frozenset[MeetingType] | None
) -> Memberships:
    """Return who is in which service groups, in one query; `meeting_types` are those searched for, None for all."""
    places = [(place or "").strip() for place in (asked.customer_location, asked.meeting_location)]
    rows = queries.list_service_groups(
        connection,
        topic_id=asked.topic,
        customer_type_id=asked.any_customer_type_id,
        meeting_types=list(meeting_types) if meeting_types is not None else None,
        places=[place for place in places if place],
        by_service_group=EmployeeType.SERVICE_GROUP in (asked.employee_types or []),
    )
    memberships = Memberships()
    async for row in rows:
        memberships.add(_read_group(row), row["member_ids"], row["through_ids"])
    return memberships


def _read_group(row: Record) -> ServiceGroup:
    return ServiceGroup(
        name=row["name"],
        is_fitting=row["is_fitting"],
        meeting_types=frozenset(MeetingType(one) for one in row["trigger_meeting_types"]) or EVERY_TYPE,
        daily_limit=row["max_meeting_time_per_day"],
        priority=row["priority"],
        response_time=row["response_time"],
        buffer_before=row["buffer_before"],
        buffer_after=row["buffer_after"],
    )


@lru_cache(maxsize=1024)  # thousands of advisors are in but a few sets of groups
def _find_rules(
    own: tuple[ServiceGroup, ...],
    through: tuple[ServiceGroup, ...],
    *,
    is_named: bool,
    is_of_kind: bool,
    by_service_group: bool,
) -> ServiceRules | None:
    if is_named or (is_of_kind and not own):
        return _unite(own, EVERY_TYPE)
    asked_for = own if is_of_kind or by_service_group else ()
    offering = [group for group in (asked_for or through) if group.is_fitting]
    if not offering:
        return None
    return _unite(own, frozenset[MeetingType]().union(*(group.meeting_types for group in offering)))


def _unite(groups: Sequence[ServiceGroup], meeting_types: frozenset[MeetingType]) -> ServiceRules:
    fitting = [group for group in groups if group.is_fitting]
    return ServiceRules(
        meeting_types=meeting_types,
        daily_limit=min((group.daily_limit for group in groups if group.daily_limit is not None), default=None),
        priority=max((group.priority for group in fitting), default=0),
        response_time=max((group.response_time for group in fitting), default=NO_TIME),
        buffer_before=max((group.buffer_before for group in fitting), default=NO_TIME),
        buffer_after=max((group.buffer_after for group in fitting), default=NO_TIME),
    )
