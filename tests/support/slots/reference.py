"""The slot search once more, minute by minute and rule by rule: slow, and obviously right."""

from bisect import bisect_left
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from meetdeck.booking.slots.model import Candidate, MeetingType, Organization, Query, Room, WorkInterval

MINUTE = timedelta(minutes=1)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
MIDNIGHT = time(0)
BusyRow = tuple[int, datetime, datetime]
Span = tuple[datetime, datetime]
Item = tuple[datetime, datetime, MeetingType, UUID]


class Entries(NamedTuple):
    """Calendar entries: an employee's or room's key, beginning and end."""

    busy: Sequence[BusyRow] = ()
    extra_open: Sequence[BusyRow] = ()
    elsewhere: Sequence[BusyRow] = ()


NO_ENTRIES = Entries()


class Reference:
    """A search. Everything but busy time is in whole minutes."""

    def __init__(
        self,
        query: Query,
        organization: Organization,
        candidates: Sequence[Candidate],
        rooms: Sequence[Room],
        busy: Sequence[BusyRow],
        entries: Entries = NO_ENTRIES,
    ) -> None:
        self.query = query
        self.organization = organization
        self.candidates = candidates
        self.rooms = rooms
        self.busy = busy
        self.entries = entries
        self.worked: dict[tuple[ZoneInfo, tuple[WorkInterval, ...]], list[datetime]] = {}
        self.opened: dict[datetime, bool] = {}

    def search(self) -> list[Item]:
        query = self.query
        together = query.require_all and query.named
        searched = [each for each in self.candidates if not together or each.employee_id in query.named]
        if together and frozenset(each.employee_id for each in searched) != query.named:
            return []
        items: list[Item] = []
        for start in each_minute(query.starts_at, query.ends_at):
            end = start + query.duration
            if start.minute % 15 or not self.suits_everybody(start, end):  # no clock shows :00 or :30 in between
                continue
            found: list[tuple[int, int, int, Item]] = []
            for number, meeting_type in enumerate(MeetingType):
                offering = self.list_offering(searched, meeting_type, start, end)
                free = dict.fromkeys(each.employee_id for each in offering)
                if together and frozenset(free) != query.named:
                    continue
                for employee_id in free:
                    ways = searched if together else offering
                    mine = [each for each in ways if each.employee_id == employee_id]
                    best = max(each.priority for each in mine)
                    place = next(searched.index(each) for each in mine if each.priority == best)
                    found.append((-best, number, place, (start, end, meeting_type, employee_id)))
            if query.best:
                found = [self.find_best(found, number) for number in {number for _, number, *_ in found}]
                found = [(0, number, place, item) for _, number, place, item in found]
            items += [item for *_, item in sorted(found, key=lambda each: each[:3])]
        return items

    def list_offering(
        self, searched: Sequence[Candidate], meeting_type: MeetingType, start: datetime, end: datetime
    ) -> list[Candidate]:
        return [each for each in searched if self.offers(each, meeting_type, start, end)]

    def find_best(self, found: list[tuple[int, int, int, Item]], number: int) -> tuple[int, int, int, Item]:
        """Return the best of those who offer a type: by priority, then load, then a draw of id and start."""
        start = next(item[0] for *_, item in found)
        own_day = day_of(self.organization.zone, date_of(self.organization.zone, start))

        def rank(each: tuple[int, int, int, Item]) -> tuple[int, timedelta, int]:
            priority, _, _, (*_, employee_id) = each
            key = next(one.resource_key for one in self.candidates if one.employee_id == employee_id)
            return priority, self.sum_up(key, *own_day), draw_lot(employee_id, start)

        return min((each for each in found if each[1] == number), key=rank)

    def sum_up(self, resource_key: int, midnight: datetime, next_midnight: datetime) -> timedelta:
        parts = (
            min(until, next_midnight) - max(begin, midnight) for key, begin, until in self.busy if key == resource_key
        )
        return sum((max(part, timedelta(0)) for part in parts), timedelta(0))

    def suits_everybody(self, start: datetime, end: datetime) -> bool:
        query, organization = self.query, self.organization
        if start < query.now or start < query.starts_at or end > query.ends_at:
            return False
        minutes = each_minute(start, end)
        if any(date_of(organization.zone, minute) in organization.closing_days for minute in minutes):
            return False
        if not query.customer_initiated:
            return True
        if start < query.now + query.minimum_notice:
            return False
        return query.max_ahead is None or start <= query.now + query.max_ahead

    def is_open_to_customers(
        self, candidate: Candidate, meeting_type: MeetingType, start: datetime, end: datetime
    ) -> bool:
        """Return whether each minute is in the opening hours, or in extra hours of the type."""
        return not self.query.customer_initiated or all(
            self.is_open(minute) or self.has_extra_hours(candidate, meeting_type, minute)
            for minute in each_minute(start, end)
        )

    def has_extra_hours(self, candidate: Candidate, meeting_type: MeetingType, minute: datetime) -> bool:
        return any(begin <= minute < until for begin, until in self.list_extra_hours(candidate, meeting_type))

    def list_extra_hours(self, candidate: Candidate, meeting_type: MeetingType) -> list[Span]:
        if meeting_type not in {MeetingType.ONLINE, MeetingType.TELEPHONE}:
            return []
        return [(begin, until) for key, begin, until in self.entries.extra_open if key == candidate.resource_key]

    def is_elsewhere(self, candidate: Candidate, start: datetime, end: datetime) -> bool:
        return any(
            key == candidate.resource_key and any(begin <= minute < until for minute in each_minute(start, end))
            for key, begin, until in self.entries.elsewhere
        )

    def is_open(self, minute: datetime) -> bool:
        if minute not in self.opened:
            organization = self.organization
            self.opened[minute] = any(
                begin <= minute < end
                for begin, end in (
                    hours_on(organization.zone, day, organization.opening, organization.closing)
                    for day in days_near(minute)
                )
            )
        return self.opened[minute]

    def offers(self, candidate: Candidate, meeting_type: MeetingType, start: datetime, end: datetime) -> bool:
        query = self.query
        local = start.astimezone(candidate.zone)
        return (
            (query.meeting_types is None or meeting_type in query.meeting_types)
            and meeting_type in candidate.meeting_types
            and meeting_type in candidate.level_types
            and self.has_worked(candidate, start)
            and self.starts_in_place(candidate, meeting_type, start)
            and local.minute in {0, 30}
            and start >= query.now + candidate.response_time
            and self.is_open_to_customers(candidate, meeting_type, start, end)
            and not (meeting_type is MeetingType.PHYSICAL and self.is_elsewhere(candidate, start, end))
            and self.is_free_around(candidate, start, end)
            and not self.is_over_limit(candidate, start, end)
            and self.has_hours(candidate, meeting_type, start, end)
        )

    def has_worked(self, candidate: Candidate, start: datetime) -> bool:
        """Count the minutes at work, not on closing days, from now to the start."""
        query = self.query
        if not query.customer_initiated or not query.working_time_buffer:
            return True
        worked = self.list_worked_minutes(candidate.zone, candidate.intervals)
        return bisect_left(worked, start) * MINUTE >= query.working_time_buffer

    def list_worked_minutes(self, zone: ZoneInfo, intervals: tuple[WorkInterval, ...]) -> list[datetime]:
        if (zone, intervals) not in self.worked:
            days = {each.date() for each in each_minute(self.query.now - DAY, self.query.ends_at + DAY)}
            hours = [
                hours_on(zone, day, each.from_time, each.to_time)
                for day in days
                for each in intervals
                if each.weekday == day.weekday()
            ]
            self.worked[zone, intervals] = [
                minute
                for minute in each_minute(self.query.now, self.query.ends_at)
                if any(begin <= minute < until for begin, until in hours)
                and date_of(self.organization.zone, minute) not in self.organization.closing_days
            ]
        return self.worked[zone, intervals]

    def starts_in_place(self, candidate: Candidate, meeting_type: MeetingType, start: datetime) -> bool:
        place = candidate.start_place
        there = [
            each
            for each in candidate.intervals
            if meeting_type in each.meeting_types and place is not None and place_of(each.location) == place_of(place)
        ]
        places = candidate.physical_places
        if meeting_type is MeetingType.PHYSICAL and places is not None:
            there = [each for each in there if place_of(each.location) in set(map(place_of, places))]
        is_home = place is not None and place_of(candidate.home) == place_of(place)
        if is_home and self.has_extra_hours(candidate, meeting_type, start):
            return True
        return place is None or works_through(candidate.zone, there, start, start + MINUTE)

    def is_free_around(self, candidate: Candidate, start: datetime, end: datetime) -> bool:
        """Return whether the advisor is free for the slot and all of its buffers."""
        query, between = self.query, self.query.buffer_between_meetings
        return all(
            self.is_free(candidate.resource_key, start - before, end + after)
            for before, after in (
                (candidate.buffer_before, candidate.buffer_after),
                (between, between),
                (query.preparation_time, query.follow_up_time),
            )
        ) and self.is_clear(candidate.resource_key, start, end)

    def is_free(self, resource_key: int, start: datetime, end: datetime) -> bool:
        return not any(
            key == resource_key and begin < until and begin < end and start < until for key, begin, until in self.busy
        )

    def is_clear(self, resource_key: int, start: datetime, end: datetime) -> bool:
        """Return whether no entry of a calendar conflicts with the slot itself: buffers may be Busy."""
        return not any(
            key == resource_key and begin < until and begin < end and start < until
            for key, begin, until in self.entries.busy
        )

    def is_over_limit(self, candidate: Candidate, start: datetime, end: datetime) -> bool:
        if candidate.daily_limit is None:
            return False
        zone = self.organization.zone
        for day in {date_of(zone, minute) for minute in each_minute(start, end)}:
            midnight, next_midnight = day_of(zone, day)
            booked = self.sum_up(candidate.resource_key, midnight, next_midnight)
            if booked + self.query.duration > candidate.daily_limit:
                return True
        return False

    def has_hours(self, candidate: Candidate, meeting_type: MeetingType, start: datetime, end: datetime) -> bool:
        """Return whether hours last for all of the slot, with a room if these hours' place requires one."""
        query = self.query
        physical = meeting_type is MeetingType.PHYSICAL
        offering = [each for each in candidate.intervals if meeting_type in each.meeting_types]
        places = candidate.physical_places
        if physical and places is not None:
            offering = [each for each in offering if place_of(each.location) in set(map(place_of, places))]
        meeting_place = None if query.meeting_location is None else place_of(query.meeting_location)
        if physical and meeting_place is not None:
            offering = [each for each in offering if place_of(each.location) == meeting_place]
        with_room = {place_of(location) for location in query.room_required_locations} if physical else set[str]()
        open_air = [each for each in offering if not query.require_room and place_of(each.location) not in with_room]
        roomed = [each for each in offering if each not in open_air]
        extra, home = self.list_extra_hours(candidate, meeting_type), place_of(candidate.home)
        extra_open_air, extra_roomed = ([], extra) if query.require_room else (extra, [])
        for group in by_place(open_air) if physical else [open_air]:
            if works_through(candidate.zone, group, start, end, extra_open_air):
                return True
        anywhere = query.room_ids is not None or meeting_place is not None
        if anywhere and not physical:
            place = None if query.room_ids is not None else meeting_place
            return works_through(candidate.zone, roomed, start, end, extra_roomed) and self.has_room(
                meeting_type, place, start, end
            )
        for own_place in {*(place_of(each.location) for each in roomed), home}:
            group = [each for each in roomed if place_of(each.location) == own_place]
            place = None if query.room_ids is not None else own_place if meeting_place is None else meeting_place
            extra_there = extra_roomed if own_place == home else []
            if works_through(candidate.zone, group, start, end, extra_there) and self.has_room(
                meeting_type, place, start, end
            ):
                return True
        return False

    def has_room(self, meeting_type: MeetingType, place: str | None, start: datetime, end: datetime) -> bool:
        return any(
            room.capacity >= self.seats_of(meeting_type)
            and (self.query.room_ids is None or room.room_id in self.query.room_ids)
            and (place is None or place_of(room.location) == place)
            and self.is_free(room.resource_key, start, end)
            and self.is_clear(room.resource_key, start, end)
            for room in self.rooms
        )

    def seats_of(self, meeting_type: MeetingType) -> int:
        advisors = max(len(self.query.named), 1) if self.query.require_all else 1
        advisors += sum(group.count for group in self.query.also)
        return advisors + (self.query.attendees if meeting_type is MeetingType.PHYSICAL else 0)


def by_place(intervals: Sequence[WorkInterval]) -> list[list[WorkInterval]]:
    places = {place_of(each.location) for each in intervals}
    return [[each for each in intervals if place_of(each.location) == place] for place in places]


def works_through(
    zone: ZoneInfo, intervals: Sequence[WorkInterval], start: datetime, end: datetime, extra: Sequence[Span] = ()
) -> bool:
    hours = [
        *extra,
        *(
            hours_on(zone, day, each.from_time, each.to_time)
            for day in {near for moment in (start, end) for near in days_near(moment)}
            for each in intervals
            if each.weekday == day.weekday()
        ),
    ]
    return all(any(begin <= minute < until for begin, until in hours) for minute in each_minute(start, end))


def draw_lot(employee_id: UUID, start: datetime) -> int:
    """Return 63 bits of splitmix64's finalizer of the id and the microseconds since 1970."""
    high, low = divmod(employee_id.int, 2**64)
    return scramble(scramble(high ^ scramble(low)) ^ ((start - EPOCH) // timedelta(microseconds=1))) // 2


def scramble(number: int) -> int:
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    number = (number ^ number >> 27) * 0x94D049BB133111EB % 2**64
    return number ^ number >> 31


def place_of(location: str) -> str:
    return location.strip().casefold()


@cache
def each_minute(start: datetime, end: datetime) -> tuple[datetime, ...]:
    """Return the minutes of [start, end); the first is the first whole one."""
    first = start.replace(second=0, microsecond=0)
    first += MINUTE if first < start else timedelta(0)
    return tuple(first + number * MINUTE for number in range(-((first - end) // MINUTE)))


def days_near(moment: datetime) -> list[date]:
    return [moment.date() + number * DAY for number in (-1, 0, 1)]


@cache
def clock_around(zone: ZoneInfo, day: date) -> tuple[tuple[datetime, datetime], ...]:
    """Return each UTC minute of a local day, and somewhat more, with what the zone's clock shows then (naive)."""
    begin = datetime.combine(day, MIDNIGHT, UTC) - timedelta(hours=16)
    minutes = each_minute(begin, begin + timedelta(hours=56))
    return tuple((minute, minute.astimezone(zone).replace(tzinfo=None)) for minute in minutes)


@cache
def hours_on(zone: ZoneInfo, day: date, from_time: time, to_time: time) -> tuple[datetime, datetime]:
    """Return when hours begin and end on a day: first time shown or gap's end, last time shown or gap's end."""
    opening = datetime.combine(day, from_time)
    clock = clock_around(zone, day)
    begin = next(minute for minute, shown in clock if shown >= opening)
    if to_time == MIDNIGHT:
        return begin, day_of(zone, day)[1]
    closing = datetime.combine(day, to_time)
    showing = [minute for minute, shown in clock if shown == closing]
    return begin, showing[-1] if showing else next(minute for minute, shown in clock if shown > closing)


@cache
def day_of(zone: ZoneInfo, day: date) -> tuple[datetime, datetime]:
    """Return when a local date begins, and when the next one does."""
    clock = clock_around(zone, day)
    midnights = (datetime.combine(each, MIDNIGHT) for each in (day, day + DAY))
    first, second = (next(minute for minute, shown in clock if shown >= midnight) for midnight in midnights)
    return first, second


@cache
def date_of(zone: ZoneInfo, moment: datetime) -> date:
    """Return the local date that has begun, while the next has not, even if a clock goes back to it."""
    return next(day for day in days_near(moment) if day_of(zone, day)[0] <= moment < day_of(zone, day)[1])
