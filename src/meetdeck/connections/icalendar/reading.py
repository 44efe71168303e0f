"""Reads an iCalendar file as the times at which its owner is busy."""

from collections import Counter as Counts
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta, tzinfo
from typing import Final, TypeVar

from meetdeck.connections.icalendar.events import Event, read_event
from meetdeck.connections.icalendar.lines import Component, read_components
from meetdeck.connections.icalendar.problems import CalendarRefused, EntryRefused, Problem
from meetdeck.connections.icalendar.rules import read_rule
from meetdeck.connections.icalendar.series import Counter, Family, list_times
from meetdeck.connections.icalendar.times import BusyTime, Kind, Region, Window, Zone
from meetdeck.connections.icalendar.values import Period, Zones, read_stamp, read_stamps
from meetdeck.connections.icalendar.zones import DefinedZone, Observance

MOST_BYTES: Final = 5_000_000
MOST_OCCURRENCES: Final = 3_500
"""The most in a window, before overlapping ones are merged."""
_MOST_ENTRIES: Final = 20_000
_MOST_RULES: Final = 5_000  # of all entries that may have occurrences in the window
_MOST_OBSERVANCES: Final = 100  # of a zone
_LONGEST_OFFSET: Final = timedelta(days=1)
_FREE: Final = frozenset({"FREE"})
_TENTATIVE: Final = "BUSY-TENTATIVE"

T = TypeVar("T")


@dataclass(frozen=True)
class Reading:
    """The times of a file by start; those of one kind do not overlap. And the number of skipped entries."""

    times: Sequence[BusyTime]
    left_out: Mapping[Problem, int]


def read_busy_times(data: bytes, window: Window, zone: tzinfo, *, tentative_blocks: bool = True) -> Reading:
    """Return the busy times of a file inside a window; dates and floating times are in the owner's `zone`.

    Raises CalendarRefused for an unreadable file. Unreadable entries are skipped.
    """
    if len(data) > MOST_BYTES:
        raise CalendarRefused(Problem.TOO_LARGE)
    root = read_components(data)
    if len(root.components) > _MOST_ENTRIES:
        raise CalendarRefused(Problem.TOO_MANY)
    left_out: Counts[Problem] = Counts()
    zones = _read_zones(root, zone, left_out)
    events = list(
        _try_each(root, "VEVENT", left_out, lambda one: read_event(one, zones, tentative_blocks=tentative_blocks))
    )
    times = [*_expand(events, window, left_out)]
    free = _FREE if tentative_blocks else _FREE | {_TENTATIVE}
    for shown in _try_each(root, "VFREEBUSY", left_out, lambda one: _read_free_busy(one, zones, window, free)):
        times += shown
    if len(times) > MOST_OCCURRENCES:
        raise CalendarRefused(Problem.TOO_MANY)
    return Reading(join(times), left_out)


def join(times: Sequence[BusyTime]) -> list[BusyTime]:
    """Return times by start, merging those of one kind that overlap or touch."""
    joined: list[BusyTime] = []
    for kind in Kind:
        last: BusyTime | None = None
        for one in sorted(one for one in times if one.kind is kind):
            if last is not None and one.starts_at <= last.ends_at:
                last = BusyTime(last.starts_at, max(last.ends_at, one.ends_at), kind)
                joined[-1] = last
            else:
                last = one
                joined.append(one)
    return sorted(joined)


def _try_each(root: Component, name: str, left_out: Counts[Problem], read: Callable[[Component], T]) -> Iterator[T]:
    for component in root.components:
        if component.name == name:
            try:
                yield read(component)
            except EntryRefused as refused:
                left_out[refused.problem] += 1


def _expand(events: Sequence[Event], window: Window, left_out: Counts[Problem]) -> Iterator[BusyTime]:
    """Yield the times of all events. Raises CalendarRefused for too many."""
    counter = Counter(MOST_OCCURRENCES, _MOST_RULES)
    by_uid: dict[str, list[Event]] = {}
    for number, event in enumerate(events):
        by_uid.setdefault(event.uid or f"\n{number}", []).append(event)
    for versions in by_uid.values():
        for found in _expand_family(Family(_keep_newest(versions)), window, counter):
            if isinstance(found, BusyTime):
                yield found
            else:
                left_out[found] += 1


def _expand_family(family: Family, window: Window, counter: Counter) -> Iterator[BusyTime | Problem]:
    """Yield the times of the events of a UID, and the problems of some. Raises CalendarRefused."""
    for event in family.events:
        try:
            yield from list_times(event, family, window, counter)
        except EntryRefused as refused:
            yield refused.problem
        except OverflowError:
            yield Problem.MALFORMED


def _keep_newest(events: Sequence[Event]) -> list[Event]:
    """Return the events of a UID without superseded versions, by their sequence."""
    if len(events) == 1:
        return [*events]
    keys = [one.replaces.moment if one.replaces else None for one in events]
    newest: dict[object, int] = {}
    for key, event in zip(keys, events, strict=True):
        newest[key] = max(newest.get(key, 0), event.sequence)
    return [one for key, one in zip(keys, events, strict=True) if one.sequence == newest[key]]


def _read_free_busy(component: Component, zones: Zones, window: Window, free: frozenset[str]) -> list[BusyTime]:
    """Return the times of a VFREEBUSY that are not of a `free` kind. Raises EntryRefused."""
    times: list[BusyTime] = []
    for given in component.find_all("FREEBUSY"):
        if given.parameters.get("FBTYPE", "BUSY").upper() in free:
            continue
        for one in read_stamps(given, zones):
            if not isinstance(one, Period):
                raise EntryRefused(Problem.MALFORMED)
            begin, end = one.start.moment, one.end
            if begin < window.ends_at and end > window.begins_at and begin < end:
                times.append(BusyTime(max(begin, window.begins_at), min(end, window.ends_at), Kind.BUSY))
    return times


def _read_zones(root: Component, own: tzinfo, left_out: Counts[Problem]) -> Zones:
    """Return the zones of a file; unreadable definitions are skipped."""
    none = Zones({}, Region(own))
    return Zones(dict(_try_each(root, "VTIMEZONE", left_out, lambda one: _read_zone(one, none))), Region(own))


def _read_zone(component: Component, zones: Zones) -> tuple[str, Zone]:
    name = component.find("TZID")
    parts = component.components
    if name is None or not 1 <= len(parts) <= _MOST_OBSERVANCES:
        raise EntryRefused(Problem.MALFORMED)
    return name.value.strip().strip('"'), DefinedZone([_read_observance(one, zones) for one in parts])


def _read_observance(component: Component, zones: Zones) -> Observance:
    begin = component.find("DTSTART")
    if begin is None:
        raise EntryRefused(Problem.MALFORMED)
    dates = [one for given in component.find_all("RDATE") for one in read_stamps(given, zones)]
    return Observance(
        read_stamp(begin, zones).local,
        _read_offset(component.find_text("TZOFFSETFROM")),
        _read_offset(component.find_text("TZOFFSETTO")),
        [read_rule(one.value) for one in component.find_all("RRULE")],
        [one.local for one in dates if not isinstance(one, Period)],
    )


def _read_offset(text: str) -> timedelta:
    """Return an offset like +0100. Raises EntryRefused."""
    digits = text[1:]
    if text[:1] not in {"+", "-"} or not digits.isdecimal() or not digits.isascii() or len(digits) not in {4, 6}:
        raise EntryRefused(Problem.MALFORMED)
    hours, minutes, seconds = (int(digits[at : at + 2] or 0) for at in (0, 2, 4))
    offset = timedelta(hours=hours, minutes=minutes, seconds=seconds)
    if offset >= _LONGEST_OFFSET:
        raise EntryRefused(Problem.MALFORMED)
    return -offset if text[0] == "-" else offset
