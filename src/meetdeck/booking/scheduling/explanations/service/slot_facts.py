"""The facts about a slot that explanations are written from: hours, entries, places and booked time."""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, timedelta
from uuid import UUID

import msgspec

from meetdeck.booking.scheduling.explanations.service.wording import list_dates, list_places
from meetdeck.booking.scheduling.explanations.store import CalendarTime, EmployeeFacts, Trigger
from meetdeck.booking.scheduling.search.service.searching import SearchInput
from meetdeck.booking.scheduling.search.service.terms import GroupRules
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.slots.explain import Verdict, find_day
from meetdeck.booking.slots.hours import WorkedHours, is_covered
from meetdeck.booking.slots.model import to_place
from meetdeck.booking.slots.timestamps import to_datetime

_DAY = timedelta(days=1)


class MessageFacts(msgspec.Struct, frozen=True):
    """The facts about an employee that messages are written from; `names` are those of the named employees."""

    facts: EmployeeFacts
    groups: Sequence[GroupRules]
    """The service groups that may offer the employee."""
    triggers: Sequence[Trigger]
    calendar: Sequence[CalendarTime]
    """The employee's meetings, reservations and calendar entries."""
    names: dict[UUID, str]


class SlotFacts:
    """Finds the facts about a slot of one search. Days and booked time are by the organization's clock."""

    def __init__(self, found: SearchInput, worked: Sequence[WorkedHours], facts: MessageFacts) -> None:
        self._query = found.query
        self._organization = found.organization
        self._rooms = found.rooms
        self._candidates = found.candidates
        self._worked = worked
        self._facts = facts.facts
        self._groups = facts.groups
        self._triggers = facts.triggers
        self._taken = [each for each in facts.calendar if each.entry is None]
        self._entries = [each for each in facts.calendar if each.entry is not None]
        self._names = facts.names

    def list_hours(self, verdict: Verdict) -> list[WorkedHours]:
        """Return the hours that overlap the slot."""
        return [each for each in self._worked if each.begin < verdict.ends_at and verdict.starts_at < each.end]

    def list_entries(self, verdict: Verdict, status: SlotStatus) -> list[CalendarTime]:
        """Return the calendar entries of a status that overlap the slot."""
        mine = [each for each in self._entries if each.entry is status]
        return [each for each in mine if each.starts_at < verdict.ends_at and verdict.starts_at < each.ends_at]

    def list_room_places(self, verdict: Verdict) -> list[str]:
        """Return the places for a room: the wanted one, else those whose hours of the type hold the whole slot."""
        if self._query.meeting_location is not None:
            return [self._query.meeting_location]
        offering = [each for each in self.list_hours(verdict) if verdict.meeting_type in each.meeting_types]
        return [
            place
            for place in list_places(offering)
            if is_covered(
                [each for each in offering if to_place(each.location) == to_place(place)],
                verdict.starts_at,
                verdict.ends_at,
            )
        ]

    def list_days(self, verdict: Verdict) -> Iterator[date]:
        """Yield the organization's local dates that a slot touches."""
        begin, end = verdict.starts_at, verdict.ends_at
        for day in list_dates(begin - _DAY, end + _DAY, UTC):
            first, next_first = map(to_datetime, find_day(self._organization, day))
            if first < end and begin < next_first:
                yield day

    def sum_booked(self, day: date) -> timedelta:
        """Return how long the employee is booked or reserved on a day."""
        begin, end = map(to_datetime, find_day(self._organization, day))
        times = {(each.starts_at, each.ends_at) for each in self._taken}  # customers who share a time take it once
        parts = (min(ends_at, end) - max(starts_at, begin) for starts_at, ends_at in times)
        return sum((part for part in parts if part > timedelta(0)), timedelta(0))
