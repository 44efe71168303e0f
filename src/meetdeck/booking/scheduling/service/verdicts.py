"""What took a start away, in words: which closing day, which meeting, whose limit."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from meetdeck.booking.scheduling.service.availability import SearchInput
from meetdeck.booking.scheduling.service.exclusions import name_all
from meetdeck.booking.scheduling.service_groups import ServiceGroup
from meetdeck.booking.scheduling.store.explanations import EmployeeFacts, Taken
from meetdeck.booking.slots.explain import Verdict
from meetdeck.booking.slots.model import MEETING_TYPES, Candidate, WorkInterval, to_place
from meetdeck.booking.slots.rules import Rule

_DAY = timedelta(days=1)
_WHOLE = "the whole slot must lie within."


class Words:
    """Says what each rule went by. Times are the organization's; working hours are by the employee's own clock."""

    def __init__(
        self,
        found: SearchInput,
        candidate: Candidate,
        facts: EmployeeFacts,
        groups: Sequence[ServiceGroup],
        taken: Sequence[Taken],
        names: dict[UUID, str],
    ) -> None:
        self._query = found.query
        self._organization = found.organization
        self._rooms = found.rooms
        self._candidate = candidate
        self._facts = facts
        self._groups = groups
        self._taken = taken
        self._names = names

    def explain(self, verdict: Verdict) -> str:
        """Return one sentence; an empty one for what is available."""
        return _SENTENCES[verdict.rule](self, verdict) if verdict.rule is not None else ""

    def say_past(self, _: Verdict) -> str:
        """Say what time it is."""
        return f"It is {self._show(self._query.now)} already."

    def say_outside(self, _: Verdict) -> str:
        """Say which time is searched."""
        begin, end = self._show(self._query.starts_at), self._show(self._query.ends_at)
        return f"The search is from {begin} to {end}, and {_WHOLE}"

    def say_notice(self, _: Verdict) -> str:
        """Say how long before customers must book."""
        notice = self._query.minimum_notice
        return f"Customers book {_show_length(notice)} ahead at least: from {self._show(self._query.now + notice)} on."

    def say_ahead(self, _: Verdict) -> str:
        """Say how long before customers can book."""
        most = self._query.max_ahead or timedelta(0)
        return f"Customers book {_show_length(most)} ahead at most: up to {self._show(self._query.now + most)}."

    def say_opening(self, _: Verdict) -> str:
        """Say when the organization is open."""
        opening, closing = self._organization.opening, self._organization.closing
        hours = f"{opening:%H:%M} to {_show_end(closing)}"
        return f"Customers meet when the organization is open, from {hours}, and {_WHOLE}"

    def say_closing_day(self, verdict: Verdict) -> str:
        """Say which closing day it is."""
        closed = [day for day in _days_of(verdict, self._organization.zone) if day in self._organization.closing_days]
        return f"{name_all([f'{day:%A} {day}' for day in closed])} is a closing day of the organization."

    def say_hours(self, verdict: Verdict) -> str:
        """Say what the working hours are that day."""
        hours = self._hours_on(verdict)
        day = f"{verdict.starts_at.astimezone(self._candidate.zone):%A}"
        if not hours:
            return f"{self._facts.name} does not work on {day}s."
        shown = name_all([f"{each.from_time:%H:%M} to {_show_end(each.to_time)}" for each in hours])
        zone = f" ({self._candidate.zone.key})" if self._candidate.zone != self._organization.zone else ""
        if not any(each.meeting_types for each in hours):
            return f"{self._facts.name} works on {day}s from {shown}{zone}, but in no way to meet that can be offered."
        return f"{self._facts.name} works on {day}s from {shown}{zone}, and {_WHOLE}"

    def say_type(self, verdict: Verdict) -> str:
        """Say which meeting types the hours have."""
        offered = frozenset[str]().union(*(each.meeting_types for each in self._hours_on(verdict)))
        shown = name_all([each.value for each in MEETING_TYPES if each in offered])
        return f"The hours of {self._facts.name} then are for {shown} meetings, not for {verdict.meeting_type} ones."

    def say_location(self, verdict: Verdict) -> str:
        """Say where the employee works."""
        places = _name_places({each.location for each in self._hours_on(verdict)})
        return f"{self._facts.name} works at {places} then, not at {self._query.meeting_location}."

    def say_response(self, _: Verdict) -> str:
        """Say from when on the employee is offered, and by whose rule."""
        length = self._candidate.response_time
        names = name_all([each.name for each in self._groups if each.is_fitting and each.response_time == length])
        ready = self._show(self._query.now + length)
        return f"The response time of {names} is {_show_length(length)}: {self._facts.name} is offered from {ready} on."

    def say_busy(self, verdict: Verdict) -> str:
        """Say what takes the time, buffers included."""
        before, after = self._candidate.buffer_before, self._candidate.buffer_after
        begin, end = verdict.starts_at - before, verdict.ends_at + after
        met = [self._name(each) for each in self._taken if each.starts_at < end and begin < each.ends_at]
        buffers = [f"{_show_length(each)} {side}" for each, side in ((before, "before"), (after, "after")) if each]
        wanted = f" Their service groups want {name_all(buffers)} a meeting to be free." if buffers else ""
        return f"{self._facts.name} is taken: {name_all(met)}.{wanted}"

    def say_limit(self, verdict: Verdict) -> str:
        """Say how much is booked, and whose limit the meeting would exceed."""
        limit = self._candidate.daily_limit or timedelta(0)
        booked = {day: self._sum_up(day) for day in _days_of(verdict, self._organization.zone)}
        fullest = max(booked, key=booked.__getitem__)
        return (
            f"Booked or reserved on {fullest:%A} {fullest}: {_show_length(booked[fullest])}."
            f" With {_show_length(self._query.duration)} more it would exceed {_show_length(limit)} a day,"
            f" the limit of {self._name_limit()}."
        )

    def say_room(self, verdict: Verdict) -> str:
        """Say which rooms were looked at."""
        query = self._query
        places = {query.meeting_location or each.location for each in self._hours_on(verdict)}
        where = "among specificRooms" if query.room_ids is not None else f"at {_name_places(places)}"
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
            return f"A room that seats {query.seats} is needed, and there is none {where} that can be booked."
        return f"A room that seats {query.seats} is needed, and all such rooms {where} ({len(fitting)}) are taken."

    def say_participants(self, verdict: Verdict) -> str:
        """Say who else cannot take part."""
        names = name_all([self._names.get(each, str(each)) for each in verdict.missing])
        return f"Everybody named has to take part, and the search does not offer {names} then."

    def _show(self, moment: datetime) -> str:
        local = moment.astimezone(self._organization.zone)
        is_there_twice = local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset()
        return f"{local:%Y-%m-%d %H:%M %Z}" if is_there_twice else f"{local:%Y-%m-%d %H:%M}"

    def _name(self, taken: Taken) -> str:
        times = f"from {self._show(taken.starts_at)} to {self._show(taken.ends_at)}"
        if taken.meeting_id is not None:
            title = f" “{taken.title}”" if taken.title else ""
            return f"the meeting{title} ({taken.meeting_id}) {times}"
        until = f" (held until {self._show(taken.expires_at)})" if taken.expires_at is not None else ""
        return f"a reservation {times}{until}"

    def _hours_on(self, verdict: Verdict) -> list[WorkInterval]:
        weekday = verdict.starts_at.astimezone(self._candidate.zone).weekday()
        return [each for each in self._candidate.intervals if each.weekday == weekday]

    def _sum_up(self, day: date) -> timedelta:
        zone = self._organization.zone
        begin, end = (datetime.combine(each, time(0), zone).astimezone(UTC) for each in (day, day + _DAY))
        parts = (min(each.ends_at, end) - max(each.starts_at, begin) for each in self._taken)
        return sum((part for part in parts if part > timedelta(0)), timedelta(0))

    def _name_limit(self) -> str:
        """Return whose limit counts: the employee's own, else a service group's, else the organization's."""
        if self._facts.daily_limit is not None:
            return self._facts.name
        names = [each.name for each in self._groups if each.daily_limit == self._candidate.daily_limit]
        return name_all(names) if names else "the organization"


_SENTENCES: dict[Rule, Callable[[Words, Verdict], str]] = {
    Rule.PAST: Words.say_past,
    Rule.OUTSIDE_SEARCH: Words.say_outside,
    Rule.MINIMUM_NOTICE: Words.say_notice,
    Rule.TOO_FAR_AHEAD: Words.say_ahead,
    Rule.OPENING_HOURS: Words.say_opening,
    Rule.CLOSING_DAY: Words.say_closing_day,
    Rule.WORKING_HOURS: Words.say_hours,
    Rule.MEETING_TYPE: Words.say_type,
    Rule.LOCATION: Words.say_location,
    Rule.RESPONSE_TIME: Words.say_response,
    Rule.BUSY: Words.say_busy,
    Rule.DAILY_LIMIT: Words.say_limit,
    Rule.ROOM: Words.say_room,
    Rule.PARTICIPANTS: Words.say_participants,
}


def _days_of(verdict: Verdict, zone: ZoneInfo) -> Iterator[date]:
    """Yield the local dates that a slot touches."""
    day, last = (
        each.astimezone(zone).date() for each in (verdict.starts_at, verdict.ends_at - timedelta(microseconds=1))
    )
    while day <= last:
        yield day
        day += _DAY


def _show_length(length: timedelta) -> str:
    """Return a length as people say it: `1 day and 30 minutes`, `nothing` of none."""
    minutes, seconds = divmod(length.seconds, 60)
    parts = {"day": length.days, "hour": minutes // 60, "minute": minutes % 60, "second": seconds}
    said = [f"{count} {unit}{'s' if count > 1 else ''}" for unit, count in parts.items() if count]
    return name_all(said or ["nothing"])


def _name_places(locations: Iterable[str]) -> str:
    return name_all([each or "no location" for each in sorted(locations)])


def _show_end(moment: time) -> str:
    return f"{moment:%H:%M}" if moment != time(0) else "24:00"
