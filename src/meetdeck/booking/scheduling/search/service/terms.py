"""The terms on which service groups offer advisors in a search.

The rules: docs/api/advisors.md#candidates, #daily-limits, docs/api/groups.md#service-triggers.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from copy import copy
from datetime import timedelta
from functools import lru_cache
from uuid import UUID

import msgspec
from asyncpg import Record
from msgspec.structs import replace

from meetdeck.booking.configuration.organization_settings.schemas import AdvisorLevel
from meetdeck.booking.employee_types import EmployeeType
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.store import queries
from meetdeck.booking.slots.model import EVERY_TYPE, NO_TIME, MeetingType, to_place
from meetdeck.platform.database import Connection

Numbers = tuple[int, ...]


class GroupRules(msgspec.Struct, frozen=True, cache_hash=True):
    """A group's rules, and whether its trigger fits the search."""

    name: str
    is_fitting: bool
    meeting_types: frozenset[MeetingType]
    daily_limit: timedelta | None
    priority: int
    response_time: timedelta
    buffer_before: timedelta
    buffer_after: timedelta
    level_types: frozenset[MeetingType] = EVERY_TYPE
    physical_places: frozenset[str] | None = None
    """The locations of physical meetings by its level, None for any."""
    labels: tuple[str, ...] = ()
    """The levels of `advisorPriority` whose label the employee has."""
    group_id: UUID | None = None


class Terms(msgspec.Struct, frozen=True):
    """The terms on which an advisor is offered.

    Types are those in both `meeting_types` and `level_types`. Slots start in hours at `start_place`, and physical ones
    are at `physical_places`; None: anywhere.
    """

    meeting_types: frozenset[MeetingType] = EVERY_TYPE
    priority: int = 0
    response_time: timedelta = NO_TIME
    buffer_before: timedelta = NO_TIME
    buffer_after: timedelta = NO_TIME
    start_place: str | None = None
    level_types: frozenset[MeetingType] = EVERY_TYPE
    physical_places: frozenset[str] | None = None

    @property
    def offered_types(self) -> frozenset[MeetingType]:
        """Return the meeting types that trigger and level both allow."""
        return self.meeting_types & self.level_types

    def covers(self, other: "Terms") -> bool:
        """Return whether these terms offer everything that the other terms do, no later in the list."""
        return (
            self.offered_types >= other.offered_types
            and self.priority >= other.priority
            and self.response_time <= other.response_time
            and self.buffer_before <= other.buffer_before
            and self.buffer_after <= other.buffer_after
            and self.start_place in {None, other.start_place}
            and (
                self.physical_places is None
                or MeetingType.PHYSICAL not in other.offered_types
                or (other.physical_places is not None and self.physical_places >= other.physical_places)
            )
        )


class Ranks(msgspec.Struct, frozen=True, cache_hash=True):
    """The ranks of an advisor by `advisorPriority`; higher ones come first, 0 is not a level."""

    explicit: int = 0
    local: int = 0
    groups: tuple[tuple[str | None, int], ...] = ()
    """Labels of service groups, None for all, with their ranks."""
    place: str | None = None
    """The start of local slots, if the advisor works there."""

    def find_group_rank(self, group: "GroupRules") -> int:
        """Return the rank of an advisor whom a service group offers."""
        return max((rank for label, rank in self.groups if label is None or label in group.labels), default=0)


def rank_levels(levels: Sequence[AdvisorLevel]) -> Ranks:
    """Return the ranks of levels for a named advisor."""
    ranked = [(level, len(levels) - place) for place, level in enumerate(levels)]
    by_kind = {level.kind: rank for level, rank in reversed(ranked)}
    return Ranks(
        explicit=by_kind.get(EmployeeType.EXPLICIT, 0),
        local=by_kind.get(EmployeeType.LOCAL, 0),
        groups=tuple((level.label, rank) for level, rank in ranked if level.kind is EmployeeType.SERVICE_GROUP),
    )


class Consideration(msgspec.Struct, frozen=True, cache_hash=True):
    """The ways in which a search requests an advisor (docs/api/advisors.md)."""

    is_named: bool = False
    is_anybody: bool = False
    by_service_group: bool = False
    local_place: str | None = None
    """The customer's location, if the advisor works there and `Local` is requested."""
    ranks: Ranks | None = None
    """For a search for the best time slots; None in others."""


class Memberships:
    """The service groups of each employee, directly or through competence groups, in a search somewhere."""

    def __init__(self) -> None:
        self._groups: list[GroupRules] = []
        self._elsewhere: list[tuple[GroupRules, frozenset[str]]] = []
        self._people: list[tuple[UUID, ...]] = []
        self._own: defaultdict[UUID, list[int]] = defaultdict(list)
        self._through: defaultdict[UUID, list[int]] = defaultdict(list)
        # Thousands of advisors are in only a few sets of groups: found once for each set, by the groups' numbers.
        self._limits: dict[Numbers, timedelta | None] = {}
        self._terms: dict[tuple[Numbers, Numbers, Consideration], tuple[Terms, ...]] = {}

    def add(
        self,
        group: GroupRules,
        member_ids: Sequence[UUID],
        through_ids: Sequence[UUID],
        trigger_places: frozenset[str] = frozenset(),
    ) -> None:
        """Add a group with its members, those of its competence groups, and the places that its trigger names."""
        for employee_id in member_ids:
            self._own[employee_id].append(len(self._groups))
        for employee_id in through_ids:
            self._through[employee_id].append(len(self._groups))
        self._groups.append(group)
        self._elsewhere.append((group, trigger_places))
        self._people.append((*member_ids, *through_ids))

    def at(self, locations: Collection[str]) -> "Memberships":
        """Return the memberships of a search anywhere for some locations: triggers for others do not fit."""
        if not locations:
            return self
        places = frozenset(map(to_place, locations))
        there = copy(self)
        there._terms = {}  # noqa: SLF001 - its own
        there._groups = [  # noqa: SLF001 - its own
            replace(group, is_fitting=group.is_fitting and (not wanted or bool(places & wanted)))
            for group, wanted in self._elsewhere
        ]
        return there

    @property
    def fitting(self) -> tuple[bool, ...]:
        """Return which of the groups' triggers fit: searches with the same ones route alike."""
        return tuple(group.is_fitting for group in self._groups)

    def list_own(self, employee_id: UUID) -> Sequence[GroupRules]:
        """Return the groups that the employee is a member of."""
        return [self._groups[number] for number in self._own.get(employee_id, ())]

    def list_offering(self, employee_id: UUID) -> Sequence[GroupRules]:
        """Return the groups that may offer the employee: the direct ones, else those through competence groups."""
        return self.list_own(employee_id) or self._list_through(employee_id)

    def _list_through(self, employee_id: UUID) -> Sequence[GroupRules]:
        return [self._groups[number] for number in self._through.get(employee_id, ())]

    def find_group(self, named: str) -> int | None:
        """Return the number of the group of this id or name; of several of one name, the one of the highest priority.

        None without such a group.
        """
        by_id = (number for number, group in enumerate(self._groups) if str(group.group_id) == named.lower())
        by_name = [number for number, group in enumerate(self._groups) if group.name == named]
        return next(by_id, max(by_name, key=lambda number: self._groups[number].priority, default=None))

    def get_group(self, number: int) -> GroupRules:
        """Return the rules of a group."""
        return self._groups[number]

    def list_people(self, number: int) -> Sequence[UUID]:
        """Return the employees whom a group offers if its trigger fits; none if it does not."""
        return self._people[number] if self._groups[number].is_fitting else ()

    def find_terms(self, number: int, employee_id: UUID) -> Terms:
        """Return the terms on which a group offers an employee; buffers of the employee's own groups apply, too."""
        return _make_terms(self._groups[number], tuple(self.list_own(employee_id)))

    def find_daily_limit(self, employee_id: UUID) -> timedelta | None:
        """Return the most permissive limit of the employee's own groups, whether or not their triggers fit.

        Groups without a limit are ignored.
        """
        numbers = tuple(self._own.get(employee_id, ()))
        if numbers not in self._limits:
            limits = (self._groups[number].daily_limit for number in numbers)
            self._limits[numbers] = max((limit for limit in limits if limit is not None), default=None)
        return self._limits[numbers]

    def list_terms(self, employee_id: UUID, consideration: Consideration) -> Sequence[Terms]:
        """Return all terms on which the advisor is offered, the highest priority first; empty: not offered.

        Each group whose trigger fits offers its advisors on terms of its own. Members of groups are offered by one of
        them, or by name; all others also without a group, in the meeting types that no group offers. Buffers of the
        groups that the advisor is a member of always apply. Named advisors have no response time.
        """
        key = tuple(self._own.get(employee_id, ())), tuple(self._through.get(employee_id, ())), consideration
        terms = self._terms.get(key)
        if terms is None:
            own = tuple(self.list_own(employee_id))
            groups = own or tuple(self._list_through(employee_id))
            terms = self._terms[key] = _list_terms(own, groups, consideration)
        return terms


async def read_memberships(
    connection: Connection,
    params: AvailableQuery,
    meeting_types: frozenset[MeetingType] | None,
    among: Sequence[UUID] | None,
    labels: Sequence[str] = (),
) -> Memberships:
    """Return the service groups of some employees (None: all), in one query.

    `meeting_types` are those searched for, None for all; `labels` the relevant ones.
    """
    rows = queries.list_service_groups(
        connection,
        topic_id=params.topic,
        customer_type_id=params.any_customer_type_id,
        meeting_types=list(meeting_types) if meeting_types is not None else None,
        among=among,
        labels=labels,
    )
    memberships = Memberships()
    async for row in rows:
        trigger_places = frozenset(map(to_place, row["trigger_locations"]))
        memberships.add(_read_group(row), row["member_ids"], row["through_ids"], trigger_places)
    places = [(place or "").strip() for place in (params.customer_location, params.meeting_location)]
    return memberships.at([place for place in places if place])


def _read_group(row: Record) -> GroupRules:
    types, locations = row["level_meeting_types"], row["level_locations"]
    level_types = EVERY_TYPE if types is None else frozenset(MeetingType(one) for one in types)
    is_anywhere = types is None and locations is None
    return GroupRules(
        name=row["name"],
        is_fitting=row["is_fitting"],
        meeting_types=frozenset(MeetingType(one) for one in row["trigger_meeting_types"]) or EVERY_TYPE,
        daily_limit=row["max_meeting_time_per_day"],
        priority=row["priority"],
        response_time=row["response_time"],
        buffer_before=row["buffer_before"],
        buffer_after=row["buffer_after"],
        level_types=level_types if is_anywhere or locations else level_types - {MeetingType.PHYSICAL},
        physical_places=frozenset(locations) if locations else None,
        labels=tuple(row["labels"]),
        group_id=row["service_group_id"],
    )


@lru_cache(maxsize=1024)  # thousands of advisors are in only a few sets of groups
def _list_terms(
    own: tuple[GroupRules, ...], groups: tuple[GroupRules, ...], consideration: Consideration
) -> tuple[Terms, ...]:
    ranks = consideration.ranks
    by_groups = [
        replace(_make_terms(group, own), priority=group.priority if ranks is None else ranks.find_group_rank(group))
        for group in groups
        if group.is_fitting
    ]
    own_before, own_after = _find_own_buffers(own)
    alone = Terms(
        meeting_types=EVERY_TYPE.difference(*(each.meeting_types for each in by_groups)),
        buffer_before=own_before,
        buffer_after=own_after,
    )
    as_anybody = by_groups if own else [*by_groups, alone]
    found: list[Terms] = []
    if consideration.is_named:
        found += [
            replace(each, response_time=NO_TIME, level_types=EVERY_TYPE, physical_places=None)
            for each in (*by_groups, alone)
        ]
    if consideration.is_anybody:
        found += as_anybody
    if consideration.by_service_group:
        found += by_groups
    if consideration.local_place is not None:
        found += [replace(each, start_place=consideration.local_place) for each in as_anybody]
    return _simplify(found if ranks is None else _rank(found, ranks))


@lru_cache(maxsize=1024)
def _make_terms(group: GroupRules, own: tuple[GroupRules, ...]) -> Terms:
    """Return the terms of a group for a member of some groups."""
    own_before, own_after = _find_own_buffers(own)
    return Terms(
        meeting_types=group.meeting_types,
        priority=group.priority,
        response_time=group.response_time,
        buffer_before=max(own_before, group.buffer_before),
        buffer_after=max(own_after, group.buffer_after),
        level_types=group.level_types,
        physical_places=group.physical_places,
    )


def _find_own_buffers(own: Sequence[GroupRules]) -> tuple[timedelta, timedelta]:
    """Return the longest buffers of the groups that an employee is a member of."""
    before = max((group.buffer_before for group in own), default=NO_TIME)
    return before, max((group.buffer_after for group in own), default=NO_TIME)


def _rank(terms: Sequence[Terms], ranks: Ranks) -> list[Terms]:
    """Return the terms with the rank of a named advisor if it is higher, and local ones of their own."""
    ranked = [replace(each, priority=max(each.priority, ranks.explicit)) for each in terms]
    if ranks.place is None:
        return ranked
    local = [replace(each, start_place=ranks.place, priority=max(each.priority, ranks.local)) for each in ranked]
    return [*ranked, *local]


def _simplify(found: Sequence[Terms]) -> tuple[Terms, ...]:
    """Join terms that differ only in their meeting types, and drop those covered by others; the first of equals stays.

    A meeting type that triggers allow and no term offers is removed by levels, so explanations blame these.
    """
    joined: dict[Terms, frozenset[MeetingType]] = {}
    for each in found:
        key = replace(each, meeting_types=frozenset[MeetingType]())
        joined[key] = joined.get(key, frozenset()) | each.meeting_types
    kept: list[Terms] = []
    for key, types in joined.items():
        each = replace(key, meeting_types=types)
        if each.offered_types and not any(other.covers(each) for other in kept):
            kept = [*(other for other in kept if not each.covers(other)), each]
    nothing = frozenset[MeetingType]()
    levelled = nothing.union(*joined.values()).difference(*(each.offered_types for each in kept))
    kept.sort(key=lambda each: -each.priority)
    return tuple(
        replace(each, meeting_types=each.meeting_types | levelled, level_types=each.level_types - levelled)
        for each in kept
    )
