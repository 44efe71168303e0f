"""Messages of the explanations: the closing day, meeting, limit … that takes a start away."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.booking.scheduling.explanations.service.exclusions import describe_levels, describe_triggers, join_names
from meetdeck.booking.scheduling.explanations.store import EmployeeFacts, TakenTime, Trigger
from meetdeck.booking.scheduling.search.service.availability import SearchInput
from meetdeck.booking.scheduling.search.service.terms import ServiceGroup
from meetdeck.booking.slots.explain import Verdict, find_day
from meetdeck.booking.slots.hours import WorkedHours, is_covered
from meetdeck.booking.slots.model import MEETING_TYPES, MeetingType, WorkInterval, to_place
from meetdeck.booking.slots.rules import Rule
from meetdeck.booking.slots.timestamps import to_datetime

_DAY = timedelta(days=1)
_WHOLE = "the whole slot must lie within."


class MessageFacts(msgspec.Struct, frozen=True):
    """The facts that messages are written of; `names` are those of the named employees."""

    facts: EmployeeFacts
    groups: Sequence[ServiceGroup]
    """The service groups that may offer the employee."""
    triggers: Sequence[Trigger]
    taken: Sequence[TakenTime]
    names: dict[UUID, str]


class Messages:
    """Writes a sentence for each rule. Times are the organization's; working hours are by the employee's own clock."""

    def __init__(self, found: SearchInput, worked: Sequence[WorkedHours], facts: MessageFacts) -> None:
        self._query = found.query
        self._organization = found.organization
        self._rooms = found.rooms
        self._candidates = found.candidates
        self._worked = worked
        self._facts = facts.facts
        self._groups = facts.groups
        self._triggers = facts.triggers
        self._taken = facts.taken
        self._names = facts.names

    def explain(self, verdict: Verdict) -> str:
        """Return the sentence for a verdict, empty for an available start."""
        return _SENTENCES[verdict.rule](self, verdict) if verdict.rule is not None else ""

    def describe_past(self, _: Verdict) -> str:
        """Write the current time."""
        return f"It is {self._show(self._query.now)} already."

    def describe_outside(self, _: Verdict) -> str:
        """Write the searched time."""
        begin, end = self._show(self._query.starts_at), self._show(self._query.ends_at)
        return f"The search is from {begin} to {end}, and {_WHOLE}"

    def describe_notice(self, _: Verdict) -> str:
        """Write the organization's minimum notice."""
        notice = self._query.minimum_notice
        return f"Customers book {_show_length(notice)} ahead at least: from {self._show(self._query.now + notice)} on."

    def describe_ahead(self, _: Verdict) -> str:
        """Write the longest time that customers can book ahead."""
        most = self._query.max_ahead or timedelta(0)
        return f"Customers book {_show_length(most)} ahead at most: up to {self._show(self._query.now + most)}."

    def describe_opening(self, _: Verdict) -> str:
        """Write the opening hours."""
        opening, closing = self._organization.opening, self._organization.closing
        hours = f"{opening:%H:%M} to {_show_end(closing)}"
        return f"Customers meet when the organization is open, from {hours}, and {_WHOLE}"

    def describe_closing_day(self, verdict: Verdict) -> str:
        """Write the closing days of the slot."""
        closed = [day for day in self._days_of(verdict) if day in self._organization.closing_days]
        shown = join_names([f"{day:%A} {day}" for day in closed])
        return f"{shown} {'is a closing day' if len(closed) == 1 else 'are closing days'} of the organization."

    def describe_hours(self, verdict: Verdict) -> str:
        """Write the working hours on the days of the slot, in any meeting type."""
        zone = verdict.candidate.zone
        works: list[str] = []
        rests: list[str] = []
        for day in _dates_between(verdict.starts_at, verdict.ends_at, zone):
            spans = _join([each for each in verdict.candidate.intervals if each.weekday == day.weekday()])
            shown = join_names([f"{begin:%H:%M} to {_show_end(end)}" for begin, end in spans])
            (works if spans else rests).append(f"on {day:%A}s{f' from {shown}' if spans else ''}")
        not_then = f"{self._facts.name} does not work {join_names(list(dict.fromkeys(rests)))}."
        if not works:
            return not_then
        said = (
            f"{self._facts.name} works {join_names(list(dict.fromkeys(works)))}{self._show_clock(zone)}, and {_WHOLE}"
        )
        return f"{said} {not_then}" if rests else said

    def describe_type(self, verdict: Verdict) -> str:
        """Write the meeting types of the hours during the slot; some of these hours may have the type, too."""
        then = self._hours_then(verdict)
        name, wanted = self._facts.name, verdict.meeting_type
        if any(wanted in each.interval.meeting_types for each in then):
            zone = verdict.candidate.zone
            parts = join_names([f"{_show_hours(each, zone)} for {_show_types([each])}" for each in then])
            clock = self._show_clock(zone)
            return f"Not all hours of {name} during the slot are for {wanted} meetings: {parts}{clock}."
        if not any(each.interval.meeting_types for each in then):
            return f"The hours of {name} then are for no meetings."
        return f"The hours of {name} then are for {_show_types(then)} meetings, not for {wanted} ones."

    def describe_trigger(self, verdict: Verdict) -> str:
        """Write the meeting types in which service groups offer the employee."""
        mine = [each for each in self._candidates if each.employee_id == verdict.candidate.employee_id]
        offered = _name_types(frozenset[MeetingType]().union(*(each.meeting_types for each in mine)))
        return (
            f"Service groups offer {self._facts.name} for {offered} meetings in this search, not for"
            f" {verdict.meeting_type} ones: {describe_triggers(self._triggers)}."
        )

    def describe_level(self, verdict: Verdict) -> str:
        """Write the meetings that the service levels of the employee's groups leave."""
        return (
            f"The service levels of {self._facts.name} allow no {verdict.meeting_type} meeting then:"
            f" {describe_levels(self._triggers)}."
        )

    def describe_location(self, verdict: Verdict) -> str:
        """Write where the employee works, and where physical meetings are wanted; each meeting stays at one place."""
        offering = [each for each in self._hours_then(verdict) if verdict.meeting_type in each.interval.meeting_types]
        there, asked = _list_places(offering), self._query.meeting_location
        if asked is None or to_place(asked) in set(map(to_place, there)):
            kept = "one place" if asked is None else asked.strip()
            return f"A physical meeting stays at {kept}, and {self._facts.name} works {_name_places(there)} then."
        return f"{self._facts.name} works {_name_places(there)} then, not {_name_places([asked])}."

    def describe_local(self, verdict: Verdict) -> str:
        """Write where the employee is when the slot starts, and where the customer is."""
        first = [
            each
            for each in self._hours_then(verdict)
            if each.begin <= verdict.starts_at and verdict.meeting_type in each.interval.meeting_types
        ]
        return (
            f"employeeTypes asks for Local, and {self._facts.name} works {_name_places(_list_places(first))} when the"
            f" slot starts, not {_name_places([verdict.candidate.start_place or ''])}."
        )

    def describe_lead(self, _: Verdict) -> str:
        """Write the organization's working-time buffer."""
        length = _show_length(self._query.working_time_buffer)
        return (
            f"Customers are offered {self._facts.name} after {length} of their own working hours from"
            f" {self._show(self._query.now)} on; closing days do not count."
        )

    def describe_response(self, verdict: Verdict) -> str:
        """Write the response time, its groups, and the time from which the employee is offered."""
        length = verdict.candidate.response_time
        names = join_names([each.name for each in self._groups if each.is_fitting and each.response_time == length])
        ready = self._show(self._query.now + length)
        return f"The response time of {names} is {_show_length(length)}: {self._facts.name} is offered from {ready} on."

    def describe_busy(self, verdict: Verdict) -> str:
        """Write the meetings and reservations in the way, buffers included, and the Busy time."""
        own, least = verdict.candidate, self._query.buffer_between_meetings
        before, after = max(own.buffer_before, least), max(own.buffer_after, least)
        begin, end = verdict.starts_at - before, verdict.ends_at + after
        booked = [each for each in self._taken if not each.is_entry and each.starts_at < end and begin < each.ends_at]
        entries = [each for each in self._taken if each.is_entry and _overlaps(each, verdict)]
        met = [self._name(each) for each in (*booked, *entries)]
        buffers: dict[str, list[str]] = {}
        for length, by_groups, side in ((before, own.buffer_before, "before"), (after, own.buffer_after, "after")):
            if length and booked:
                wanting = "Their service groups want" if by_groups == length else "The organization wants"
                buffers.setdefault(wanting, []).append(f"{_show_length(length)} {side}")
        wanted = [f" {wanting} {join_names(sides)} a meeting to be free." for wanting, sides in buffers.items()]
        return f"{self._facts.name} is taken: {join_names(met)}.{''.join(wanted)}"

    def describe_limit(self, verdict: Verdict) -> str:
        """Write the time booked on the day, and the limit that the meeting would exceed."""
        limit = verdict.candidate.daily_limit or timedelta(0)
        booked = {day: self._sum_up(day) for day in self._days_of(verdict)}
        fullest = max(booked, key=booked.__getitem__)
        return (
            f"Booked or reserved on {fullest:%A} {fullest}: {_show_length(booked[fullest])}."
            f" With {_show_length(self._query.duration)} more it would exceed {_show_length(limit)} a day,"
            f" the limit of {self._name_limit(limit)}."
        )

    def describe_room(self, verdict: Verdict) -> str:
        """Write the rooms that were considered."""
        query = self._query
        places = [] if query.room_ids is not None else self._list_room_places(verdict)
        where = "among specificRooms" if query.room_ids is not None else _name_places(places)
        if query.room_ids is None and not places:
            then = _name_places(_list_places(self._hours_then(verdict)))
            return f"A room at one place is needed for all of the slot, and {self._facts.name} works {then} then."
        fitting = [
            room
            for room in self._rooms
            if room.capacity >= query.seats
            and (
                room.room_id in query.room_ids
                if query.room_ids is not None
                else to_place(room.location) in set(map(to_place, places))
            )
        ]
        if not fitting:
            return f"A room that seats {query.seats} is needed, and none {where} can be booked."
        return f"A room that seats {query.seats} is needed, and all such rooms {where} ({len(fitting)}) are taken."

    def describe_participants(self, verdict: Verdict) -> str:
        """Write the named employees who cannot take part."""
        names = join_names([self._names.get(each, str(each)) for each in verdict.missing])
        return f"Everybody named has to take part, and the search does not offer {names} then."

    def describe_choice(self, verdict: Verdict) -> str:
        """Write the advisor who is offered instead."""
        name = self._names.get(verdict.chosen, str(verdict.chosen)) if verdict.chosen is not None else "another"
        return (
            f"getBestTimeSlots offers one advisor for each time, and that is {name}: by advisorPriority, then by who is"
            " booked least on that day, then by lot."
        )

    def _show(self, moment: datetime) -> str:
        local = moment.astimezone(self._organization.zone)
        is_there_twice = local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset()
        return f"{local:%Y-%m-%d %H:%M %Z}" if is_there_twice else f"{local:%Y-%m-%d %H:%M}"

    def _show_clock(self, zone: ZoneInfo) -> str:
        """Return the time zone of working hours where it is not the organization's."""
        return f" ({zone.key})" if zone != self._organization.zone else ""

    def _name(self, taken: TakenTime) -> str:
        times = f"from {self._show(taken.starts_at)} to {self._show(taken.ends_at)}"
        if taken.is_entry:
            return f"Busy {times}"
        if taken.meeting_id is not None:
            title = f" “{taken.title}”" if taken.title else ""
            return f"the meeting{title} ({taken.meeting_id}) {times}"
        until = f" (held until {self._show(taken.expires_at)})" if taken.expires_at is not None else ""
        return f"a reservation {times}{until}"

    def _hours_then(self, verdict: Verdict) -> list[WorkedHours]:
        """Return the hours that overlap the slot."""
        return [each for each in self._worked if each.begin < verdict.ends_at and verdict.starts_at < each.end]

    def _list_room_places(self, verdict: Verdict) -> list[str]:
        """Return the places for a room: the wanted one, else those whose hours of the type hold the whole slot."""
        if self._query.meeting_location is not None:
            return [self._query.meeting_location]
        offering = [each for each in self._hours_then(verdict) if verdict.meeting_type in each.interval.meeting_types]
        return [
            place
            for place in _list_places(offering)
            if is_covered(
                [each for each in offering if to_place(each.interval.location) == to_place(place)],
                verdict.starts_at,
                verdict.ends_at,
            )
        ]

    def _days_of(self, verdict: Verdict) -> Iterator[date]:
        """Yield the organization's local dates that a slot touches."""
        begin, end = verdict.starts_at, verdict.ends_at
        for day in _dates_between(begin - _DAY, end + _DAY, UTC):
            first, next_first = map(to_datetime, find_day(self._organization, day))
            if first < end and begin < next_first:
                yield day

    def _sum_up(self, day: date) -> timedelta:
        begin, end = map(to_datetime, find_day(self._organization, day))
        booked = (each for each in self._taken if not each.is_entry)
        parts = (min(each.ends_at, end) - max(each.starts_at, begin) for each in booked)
        return sum((part for part in parts if part > timedelta(0)), timedelta(0))

    def _name_limit(self, limit: timedelta) -> str:
        """Return the owner of the limit that applies: the employee, else a service group, else the organization."""
        if self._facts.daily_limit is not None:
            return self._facts.name
        names = [each.name for each in self._groups if each.daily_limit == limit]
        return join_names(names) if names else "the organization"


_SENTENCES: dict[Rule, Callable[[Messages, Verdict], str]] = {
    Rule.PAST: Messages.describe_past,
    Rule.OUTSIDE_SEARCH: Messages.describe_outside,
    Rule.MINIMUM_NOTICE: Messages.describe_notice,
    Rule.TOO_FAR_AHEAD: Messages.describe_ahead,
    Rule.OPENING_HOURS: Messages.describe_opening,
    Rule.CLOSING_DAY: Messages.describe_closing_day,
    Rule.WORKING_HOURS: Messages.describe_hours,
    Rule.MEETING_TYPE: Messages.describe_type,
    Rule.SERVICE_TRIGGER: Messages.describe_trigger,
    Rule.SERVICE_LEVEL: Messages.describe_level,
    Rule.LOCATION: Messages.describe_location,
    Rule.LOCAL: Messages.describe_local,
    Rule.WORKING_TIME_BUFFER: Messages.describe_lead,
    Rule.RESPONSE_TIME: Messages.describe_response,
    Rule.BUSY: Messages.describe_busy,
    Rule.DAILY_LIMIT: Messages.describe_limit,
    Rule.ROOM: Messages.describe_room,
    Rule.PARTICIPANTS: Messages.describe_participants,
    Rule.ANOTHER_CHOSEN: Messages.describe_choice,
}


def _dates_between(begin: datetime, end: datetime, zone: tzinfo) -> Iterator[date]:
    """Yield the dates that a clock shows from one moment to just before the other."""
    shown = [moment.astimezone(zone).date() for moment in (begin, end - timedelta(microseconds=1))]
    day, last = min(shown), max(shown)  # a clock may go back over midnight
    while day <= last:
        yield day
        day += _DAY


def _join(intervals: Iterable[WorkInterval]) -> list[tuple[time, time]]:
    """Return the hours of one weekday, joined where they touch, in any meeting type."""
    spans: list[tuple[time, time]] = []
    for begin, end in sorted((each.from_time, each.to_time) for each in intervals):
        if spans and (spans[-1][1] == time(0) or begin <= spans[-1][1]):
            first, reached = spans[-1]
            spans[-1] = first, time(0) if time(0) in {reached, end} else max(reached, end)
        else:
            spans.append((begin, end))
    return spans


def _list_places(hours: Iterable[WorkedHours]) -> list[str]:
    """Return the places of hours, each once, as it is written first."""
    places = {to_place(each.interval.location): each.interval.location for each in reversed(list(hours))}
    return sorted(places.values())


def _show_types(hours: Iterable[WorkedHours]) -> str:
    types = frozenset[MeetingType]().union(*(each.interval.meeting_types for each in hours))
    return _name_types(types) if types else "no meetings"


def _overlaps(taken: TakenTime, verdict: Verdict) -> bool:
    return taken.starts_at < verdict.ends_at and verdict.starts_at < taken.ends_at


def _name_types(meeting_types: Collection[MeetingType]) -> str:
    return join_names([each.value for each in MEETING_TYPES if each in meeting_types])


def _show_hours(worked: WorkedHours, zone: ZoneInfo) -> str:
    return f"{worked.begin.astimezone(zone):%H:%M} to {worked.end.astimezone(zone):%H:%M}"


def _show_length(length: timedelta) -> str:
    """Return a length as people write it: `1 day and 30 minutes`, `nothing` for none."""
    minutes, seconds = divmod(length.seconds, 60)
    parts = {"day": length.days, "hour": minutes // 60, "minute": minutes % 60, "second": seconds}
    said = [f"{count} {unit}{'s' if count > 1 else ''}" for unit, count in parts.items() if count]
    return join_names(said or ["nothing"])


def _name_places(locations: Iterable[str]) -> str:
    return join_names([f"at {each.strip()}" if each.strip() else "without a location" for each in locations])


def _show_end(moment: time) -> str:
    return f"{moment:%H:%M}" if moment != time(0) else "24:00"
