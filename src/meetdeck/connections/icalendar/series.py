"""Computes the occurrences of events in a window, with all changes and exclusions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import Final, NamedTuple

from meetdeck.connections.icalendar.events import Event
from meetdeck.connections.icalendar.problems import CalendarRefused, EntryRefused, Problem
from meetdeck.connections.icalendar.recurrence import Recurrence
from meetdeck.connections.icalendar.rules import Rule
from meetdeck.connections.icalendar.times import BusyTime, Kind, Length, Stamp, Window
from meetdeck.connections.icalendar.values import Period

_MARGIN: Final = timedelta(days=2)
"""More than any zone's offset: local times are compared with moments."""
_MOST_VERSIONS: Final = 100
_FIRST: Final = datetime(1, 1, 3, tzinfo=UTC)
_LAST: Final = datetime(9999, 12, 29, tzinfo=UTC)


class _Version(NamedTuple):
    """A version of a series from a moment on: its shift, length and kind, from its event or a later change."""

    since: datetime
    shift: timedelta
    length: Length
    kind: Kind | None


@dataclass
class Counter:
    """Counts the occurrences that a file may still have, and the rules followed."""

    left: int
    rules: int

    def find(self, rule: Rule, start: Stamp, begin: datetime, end: datetime) -> list[datetime]:
        """Return a rule's local starts from `begin` to before `end`. Raises EntryRefused, CalendarRefused."""
        self.rules -= 1
        if self.rules < 0:
            raise CalendarRefused(Problem.TOO_MANY)
        found = Recurrence(rule, start).list_starts(begin, end, self.left)
        self.left -= len(found)
        return found


@dataclass(frozen=True)
class Family:
    """The events of one UID: usually one, or a series with its changes."""

    events: Sequence[Event]

    @cached_property
    def changes(self) -> dict[datetime, Event]:
        """The changes, by the moments of the occurrences that they replace."""
        return {event.replaces.moment: event for event in self.events if event.replaces}

    @cached_property
    def excluded(self) -> set[datetime]:
        """The moments that its EXDATEs exclude."""
        return {one.moment for event in self.events for one in event.excluded if not one.is_date}

    @cached_property
    def excluded_days(self) -> set[date]:
        """The days that its EXDATEs exclude."""
        return {one.local.date() for event in self.events for one in event.excluded if one.is_date}

    def excludes(self, start: Stamp) -> bool:
        """Return whether an occurrence is excluded."""
        return start.local.date() in self.excluded_days or start.moment in self.excluded


def list_times(event: Event, family: Family, window: Window, counter: Counter) -> Iterator[BusyTime]:
    """Yield the times of an event that touch the window, without occurrences that changes replace.

    Raises EntryRefused, CalendarRefused.
    """
    if event.replaces is None and event.is_series:
        yield from _list_series(event, family.changes, window, counter)
    elif event.replaces is not None:
        if not family.excludes(event.replaces):
            yield from _cut(event.start.moment, event.end, event.kind, window)
    elif event.start.moment not in family.changes:
        yield from _cut(event.start.moment, event.end, event.kind, window)


def _list_series(
    master: Event, changes: Mapping[datetime, Event], window: Window, counter: Counter
) -> Iterator[BusyTime]:
    versions = list(_list_versions(master, changes))
    if len(versions) > _MOST_VERSIONS:
        raise EntryRefused(Problem.MALFORMED)
    zone = master.start.zone
    for number, version in enumerate(versions):
        if version.kind is None:
            continue
        until = versions[number + 1].since if number + 1 < len(versions) else _LAST
        begin = max(version.since, _shift(window.begins_at, -version.length.total - version.shift - _MARGIN))
        end = min(until, _shift(window.ends_at, _MARGIN - version.shift))
        if begin >= end:
            continue
        for local, length in _list_occurrences(master, Window(begin, end), counter):
            moment = zone.to_utc(local)
            if moment in changes or not version.since <= moment < until:
                continue
            moved = local + version.shift if version.shift else local
            begins_at = zone.to_utc(moved) if version.shift else moment
            lasts = version.length if length is None or number else length
            yield from _cut(begins_at, lasts.end_of(moved, begins_at, zone), version.kind, window)


def _list_versions(master: Event, changes: Mapping[datetime, Event]) -> Iterator[_Version]:
    yield _Version(_FIRST, timedelta(0), master.length, master.kind)
    for since in sorted(moment for moment, one in changes.items() if one.is_for_all_after):
        one = changes[since]
        yield _Version(since, one.start.local - one.start.zone.to_local(since), one.length, one.kind)


def _list_occurrences(master: Event, span: Window, counter: Counter) -> Iterator[tuple[datetime, Length | None]]:
    """Yield the local starts of a series around a span, each once; a period's start has its length."""
    start = master.start
    begin = start.zone.to_local(_shift(span.begins_at, -_MARGIN))
    end = start.zone.to_local(_shift(span.ends_at, _MARGIN))
    found: dict[datetime, Length | None] = {}
    if begin <= start.local < end:
        found[start.local] = None
    for rule in master.rules:
        found |= dict.fromkeys(counter.find(rule, start, begin, end))
    for given in master.dates:
        at, length = (given.start, given.length) if isinstance(given, Period) else (given, None)
        local = at.local if start.is_date or at.zone == start.zone else start.zone.to_local(at.moment)
        if begin <= local < end:
            found[local] = length
    excluded, days = _list_excluded(master, begin, end, counter)
    for local, length in found.items():
        if local not in excluded and (not days or local.date() not in days):
            yield local, length


def _list_excluded(master: Event, begin: datetime, end: datetime, counter: Counter) -> tuple[set[datetime], set[date]]:
    """Return the excluded local starts, and the days that are excluded completely."""
    start = master.start
    excluded = {one for rule in master.excluded_rules for one in counter.find(rule, start, begin, end)}
    days: set[date] = set()
    for one in master.excluded:
        local = one.local if one.is_date or one.zone == start.zone else start.zone.to_local(one.moment)
        if one.is_date or start.is_date:
            days.add(local.date())
        else:
            excluded.add(local)
    return excluded, days


def _cut(begins_at: datetime, ends_at: datetime, kind: Kind | None, window: Window) -> Iterator[BusyTime]:
    """Yield the part of a time inside the window, if any."""
    if kind is not None and begins_at < window.ends_at and ends_at > window.begins_at and begins_at < ends_at:
        yield BusyTime(max(begins_at, window.begins_at), min(ends_at, window.ends_at), kind)


def _shift(moment: datetime, by: timedelta) -> datetime:
    """Return a moment shifted by a length, limited to the last representable moment."""
    if by < timedelta(0):
        return moment + by if moment - _FIRST > -by else _FIRST
    return moment + by if _LAST - moment > by else _LAST
