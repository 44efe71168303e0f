"""The input and output of the slot search.

Datetimes are aware; durations are elapsed time and never negative. Locations are compared as places: letter case and
surrounding blanks do not matter, and an empty location is the one place of a firm that names none.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import Self
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np
from msgspec import Struct, structs

from meetdeck.booking.slots.seats import count_seats
from meetdeck.booking.slots.timestamps import Codes, Indexes, Instants, to_datetime, to_instant

NO_TIME = timedelta(0)
SpanRow = tuple[int, datetime, datetime]
"""A resource's key, beginning and end."""

LONGEST_SEARCH = timedelta(days=3660)  # far below overflow; callers may request less


class MeetingType(StrEnum):
    """The way in which advisor and customer meet (spec, Meeting: `type`)."""

    PHYSICAL = "Physical"
    ONLINE = "Online"
    TELEPHONE = "Telephone"
    OFFSITE = "Offsite"

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        """Return the member of a value in any case (spec, meetingTypes: lower-case values)."""
        return next((each for each in cls if each.lower() == str(value).lower()), None)

    @property
    def bit(self) -> int:
        """Return the type's bit in a set of types written as one small number."""
        return _BITS[self]


MEETING_TYPES = tuple(MeetingType)
_BITS = {each: 1 << place for place, each in enumerate(MEETING_TYPES)}
EVERY_TYPE = frozenset(MEETING_TYPES)
EXTRA_TYPES = frozenset({MeetingType.ONLINE, MeetingType.TELEPHONE})
"""The meeting types in extra hours."""


def to_bits(meeting_types: Iterable[MeetingType]) -> int:
    """Return a set of meeting types as one small number."""
    return sum(_BITS[each] for each in set(meeting_types))


class WorkInterval(Struct, frozen=True, cache_hash=True):
    """Hours of one weekday in the employee's zone; a weekday may have several.

    `to_time` 00:00 is the day's end. An interval that ends before it begins contains no time.
    """

    weekday: int  # 0 = Monday
    from_time: time
    to_time: time
    meeting_types: frozenset[MeetingType]
    location: str = ""


class Candidate(Struct, frozen=True):
    """An advisor whose time is searched, on certain terms.

    `daily_limit` is the one that applies (docs/api/advisors.md), None without one. The advisor must be free from
    `start - buffer_before` to `end + buffer_after`; buffers occupy nothing themselves. Nothing is offered before now
    plus `response_time` (docs/api/advisors.md), in types that are not both in `meeting_types` and `level_types`,
    physically at other places than `physical_places` (None: anywhere), or, with a `start_place`, in hours at another
    place. An advisor who is offered on several terms is several candidates; what any of them offers is offered, once,
    with the highest `priority`. Extra hours are at `home`. Candidates with equal schedules may share one `intervals`
    tuple: it makes the search quicker, not different.
    """

    employee_id: UUID
    resource_key: int
    zone: ZoneInfo
    intervals: tuple[WorkInterval, ...]
    daily_limit: timedelta | None = None
    buffer_before: timedelta = NO_TIME
    buffer_after: timedelta = NO_TIME
    response_time: timedelta = NO_TIME
    meeting_types: frozenset[MeetingType] = EVERY_TYPE
    level_types: frozenset[MeetingType] = EVERY_TYPE
    physical_places: frozenset[str] | None = None
    start_place: str | None = None
    priority: int = 0
    home: str = ""


class Room(Struct, frozen=True):
    """A room that can be booked; `capacity` counts seats."""

    room_id: UUID
    resource_key: int
    location: str
    capacity: int


class Organization(Struct, frozen=True):
    """The organization's clock and calendar: opening hours each day (`closing` 00:00 is the day's end), closed days."""

    zone: ZoneInfo
    opening: time
    closing: time
    closing_days: frozenset[date] = frozenset()


class AlsoGroup(Struct, frozen=True):
    """A group of which a joint meeting needs `count` more people, each of whom may be a candidate once."""

    name: str
    count: int
    people: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Times of employees and rooms, as columns of equal length.

    Row i is a time of the resource `resource_keys[i]`, from `starts_at[i]` up to `ends_at[i]` (microseconds since the
    UTC epoch). Among busy times, the last `entries` rows are those of calendar entries. Otherwise rows are in any
    order; they may overlap, belong to others, extend outside the search or be empty.
    """

    resource_keys: Instants
    starts_at: Instants
    ends_at: Instants
    entries: int = 0

    def __post_init__(self) -> None:
        if not len(self.resource_keys) == len(self.starts_at) == len(self.ends_at) >= self.entries:
            raise ValueError("the columns differ in length; give one key, start and end for each row")

    def __len__(self) -> int:
        return len(self.starts_at)

    @classmethod
    def from_rows(cls, rows: Iterable[SpanRow], entries: Iterable[SpanRow] = ()) -> Self:
        """Return the times of (resource key, start, end) rows; passing the columns themselves is quicker."""
        booked, noted = list(rows), list(entries)
        columns = np.array(
            [(key, to_instant(start), to_instant(end)) for key, start, end in booked + noted], dtype=np.int64
        )
        keys, starts, ends = columns.reshape(-1, 3).T
        return cls(keys, starts, ends, len(noted))

    def keep(self, resource_keys: Sequence[int]) -> Self:
        """Return the times of some resources."""
        kept = np.isin(self.resource_keys, resource_keys)
        entries = int(np.count_nonzero(kept[len(self) - self.entries :]))
        return type(self)(self.resource_keys[kept], self.starts_at[kept], self.ends_at[kept], entries)

    def with_booked(self, rows: Iterable[SpanRow]) -> Self:
        """Return the times together with more booked ones."""
        booked = self.from_rows(rows)
        return type(self)(
            np.concatenate((booked.resource_keys, self.resource_keys)),
            np.concatenate((booked.starts_at, self.starts_at)),
            np.concatenate((booked.ends_at, self.ends_at)),
            self.entries,
        )

    def without_entries(self) -> Self:
        """Return the times of meetings and reservations."""
        booked = slice(len(self) - self.entries)
        return type(self)(self.resource_keys[booked], self.starts_at[booked], self.ends_at[booked])


NO_SPANS = Spans.from_rows(())


class Calendars(Struct, frozen=True, eq=False):
    """The calendar times that a search uses beside schedules (docs/api/calendar-entries.md).

    `busy`: employees and rooms are taken, by a meeting, a live reservation or a calendar entry, which has no buffers
    around it and counts for no limit. `extra_open`: employees have more hours, in `EXTRA_TYPES`. `elsewhere`: they meet
    nobody physically.
    """

    busy: Spans = NO_SPANS
    extra_open: Spans = NO_SPANS
    elsewhere: Spans = NO_SPANS

    @classmethod
    def from_rows(
        cls,
        taken: Iterable[SpanRow],
        entries: Iterable[SpanRow] = (),
        *,
        extra_open: Iterable[SpanRow] = (),
        elsewhere: Iterable[SpanRow] = (),
    ) -> Self:
        """Return the times of (resource key, start, end) rows."""
        return cls(Spans.from_rows(taken, entries), Spans.from_rows(extra_open), Spans.from_rows(elsewhere))

    def with_booked(self, rows: Sequence[SpanRow]) -> Self:
        """Return the times as they would be after booking some more."""
        return type(self)(self.busy.with_booked(rows), self.extra_open, self.elsewhere) if rows else self

    def keep(self, resource_keys: Sequence[int]) -> Self:
        """Return the times of some resources, so that searches for them read less."""
        return type(self)(*(each.keep(resource_keys) for each in (self.busy, self.extra_open, self.elsewhere)))


class Query(Struct, frozen=True, kw_only=True):
    """The query of a search (spec, `GET /time-slots/available`).

    The rules: docs/api/advisors.md, docs/api/search.md, docs/api/rooms-and-seats.md.

    Whole slots are in [`starts_at`, `ends_at`] and start at `now` or later. `meeting_types` None means all.
    `require_all` with `named` means that all named employees must be free (requireEmployeeParticipation). `max_ahead`
    and `minimum_notice` apply when `customer_initiated`. `attendees` is the number of people from outside, including
    the customer; `room_ids` None means any room; `room_required_locations` are those whose physical meetings need a
    free room. Each advisor must be free from `buffer_between_meetings` before the slot to as long after it, by the
    topic's `preparation_time` before and `follow_up_time` after it, and by the candidate's own: the longest counts.
    Customers find an advisor after `working_time_buffer` of the advisor's own hours. `best` requests one advisor for
    each time. Of each group in `also`, so many more people must be free, all of them different, none of whom is the
    advisor or one of the named who meet together.
    """

    now: datetime
    starts_at: datetime
    ends_at: datetime
    duration: timedelta
    meeting_types: frozenset[MeetingType] | None = None
    require_all: bool = False
    named: frozenset[UUID] = frozenset()
    customer_initiated: bool = False
    minimum_notice: timedelta = NO_TIME
    max_ahead: timedelta | None = None
    buffer_between_meetings: timedelta = NO_TIME
    preparation_time: timedelta = NO_TIME
    follow_up_time: timedelta = NO_TIME
    require_room: bool = False
    room_ids: frozenset[UUID] | None = None
    meeting_location: str | None = None
    attendees: int = 1
    room_required_locations: frozenset[str] = frozenset()
    working_time_buffer: timedelta = NO_TIME
    best: bool = False
    attending: tuple[int, ...] = ()
    """The resource keys of people who take part besides: they must be free, whatever their hours and limits are."""
    also: tuple[AlsoGroup, ...] = ()

    def __post_init__(self) -> None:
        """Raise ValueError for an impossible query; callers' input was validated before."""
        if self.duration <= NO_TIME or self.duration % timedelta(minutes=1):
            raise ValueError(f"a meeting lasts whole minutes, at least one; got {self.duration}")
        for name, moment in (("now", self.now), ("starts_at", self.starts_at), ("ends_at", self.ends_at)):
            if moment.tzinfo is None:
                raise ValueError(f"{name} {moment} has no time zone; give an aware datetime")
        if self.ends_at - self.starts_at > LONGEST_SEARCH:
            raise ValueError(f"a search spans at most {LONGEST_SEARCH.days} days; end it sooner than {self.ends_at}")

    @property
    def people(self) -> tuple[Candidate, ...]:
        """Return the people of the groups who are also needed; a person in several groups occurs several times."""
        return tuple(person for group in self.also for person in group.people)

    def with_people(self, employee_ids: Collection[UUID]) -> "Query":
        """Return the query with no other people in its groups than some."""
        groups = (
            structs.replace(group, people=tuple(one for one in group.people if one.employee_id in employee_ids))
            for group in self.also
        )
        return structs.replace(self, also=tuple(groups))

    @property
    def buffers(self) -> tuple[timedelta, timedelta]:
        """Return how long before and after a slot every advisor must be free."""
        least = self.buffer_between_meetings
        return max(least, self.preparation_time), max(least, self.follow_up_time)

    def count_seats(self, meeting_type: MeetingType) -> int:
        """Return how many seats a room for a meeting of the type must have."""
        employees = len(self.named) if self.require_all and self.named else 1
        employees += sum(group.count for group in self.also)
        return count_seats(employees, self.attendees, is_physical=meeting_type is MeetingType.PHYSICAL)


class Slot(Struct, frozen=True):
    """A free slot: one advisor, one meeting type."""

    starts_at: datetime
    ends_at: datetime
    meeting_type: MeetingType
    employee_id: UUID


@dataclass(frozen=True, slots=True, eq=False)
class Slots:
    """Free slots, compact: `offers[i, j]` is the set of meeting types that column j offers at the i-th start.

    `starts_at` (ascending, microseconds since the UTC epoch) and `duration` (microseconds) give the times,
    `MeetingType.bit` the sets. Column j is of the employee `employee_ids[j]`, who may have several, with the priority
    `priorities[j]`. No slot is in two columns. Iteration and `encode` are ordered by start, then the highest priority,
    then meeting type, then column.
    """

    starts_at: Instants
    duration: int
    employee_ids: tuple[UUID, ...]
    priorities: tuple[int, ...]
    offers: Codes

    def __len__(self) -> int:
        return int(np.bitwise_count(self.offers).sum(dtype=np.int64))

    def __iter__(self) -> Iterator[Slot]:
        types, columns = self.list_items()
        bits = np.array([each.bit for each in MEETING_TYPES], dtype=np.uint8)[types]
        items: list[tuple[int, int]] = list(zip(types.tolist(), columns.tolist(), strict=True))
        for start, offers in zip(self.starts_at.tolist(), self.offers, strict=True):
            begin, end = to_datetime(start), to_datetime(start + self.duration)
            for item in np.flatnonzero(offers[columns] & bits).tolist():
                place, column = items[item]
                yield Slot(begin, end, MEETING_TYPES[place], self.employee_ids[column])

    def keep_first(self, most: int) -> "Slots":
        """Return the first `most` columns of each start and meeting type, in the order of iteration."""
        order = np.argsort(-np.array(self.priorities, dtype=np.int64), kind="stable")
        kept = np.zeros_like(self.offers)
        for row, offers in zip(kept, self.offers, strict=True):
            ordered = offers[order]
            for each in MEETING_TYPES:
                row[order[np.flatnonzero(ordered & each.bit)[:most]]] |= each.bit
        return replace(self, offers=kept)

    def list_items(self) -> tuple[Indexes, Indexes]:
        """Return the items that some start has, in order: the index in MEETING_TYPES of each, and its column."""
        offered = np.bitwise_or.reduce(self.offers, axis=0)
        by_type = [np.flatnonzero(offered & each.bit) for each in MEETING_TYPES]
        types = np.repeat(np.arange(len(by_type)), [len(each) for each in by_type])
        columns = np.concatenate(by_type)
        if len(set(self.priorities)) > 1:
            order = np.lexsort((columns, types, -np.array(self.priorities)[columns]))
            types, columns = types[order], columns[order]
        return types, columns


def to_place(location: str) -> str:
    """Return a location in the normal form in which places are compared."""
    return location.strip().casefold()
