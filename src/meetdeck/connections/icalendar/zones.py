"""The time zones of a file: Python's, Windows' names, and zones that the file defines itself (VTIMEZONE)."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, available_timezones

from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from meetdeck.connections.icalendar.problems import CalendarRefused, EntryRefused
from meetdeck.connections.icalendar.recurrence import Recurrence
from meetdeck.connections.icalendar.rules import Rule
from meetdeck.connections.icalendar.times import Region, Stamp, Zone

_KNOWN: Final = {name.casefold(): name for name in available_timezones()}
_WINDOWS: Final = {name.casefold(): region for name, region in WINDOWS_TO_OLSON.items()}
_MOST_ONSETS: Final = 100  # of an observance in a year
_UTC: Final = Region(UTC)


class Observance(NamedTuple):
    """A part of a VTIMEZONE, STANDARD or DAYLIGHT: an offset and the starts from which it applies."""

    start: datetime
    offset_before: timedelta
    offset: timedelta
    rules: Sequence[Rule] = ()
    dates: Sequence[datetime] = ()


class _Onset(NamedTuple):
    """A change of the clock, in the local time before it."""

    local: datetime
    offset_before: timedelta
    offset: timedelta


class DefinedZone:
    """A zone that a file defines. Before the first observance, the offset of the earliest one applies."""

    def __init__(self, observances: Sequence[Observance]) -> None:
        self._observances = sorted(observances, key=lambda one: one.start)
        self._known: dict[int, list[_Onset]] = {}
        self._series = [
            (one, [Recurrence(rule, Stamp(one.start, _UTC)) for rule in one.rules]) for one in self._observances
        ]

    def to_utc(self, local: datetime, /) -> datetime:
        """Return the moment of a local time; in a gap, with the offset before it; of two, the first."""
        onsets = self._list_onsets(local.year)
        found = bisect_right(onsets, local, key=lambda onset: onset.local)
        if not found:
            offset = self._observances[0].offset_before
        else:
            onset = onsets[found - 1]
            is_gap = local < onset.local + (onset.offset - onset.offset_before)
            offset = onset.offset_before if is_gap else onset.offset
        return (local - offset).replace(tzinfo=UTC)

    def to_local(self, moment: datetime, /) -> datetime:
        """Return the local time of a moment."""
        moment = moment.astimezone(UTC)
        plain = moment.replace(tzinfo=None)
        before = [one for one in self._list_onsets(plain.year) if one.local - one.offset_before <= plain]
        return plain + (before[-1].offset if before else self._observances[0].offset_before)

    def _list_onsets(self, year: int) -> list[_Onset]:
        """Return the changes in a year and the last ones before it, in order."""
        if year not in self._known:
            onsets = {
                _Onset(local, one.offset_before, one.offset)
                for one, series in self._series
                for local in _list_starts(one, series, year)
            }
            self._known[year] = sorted(onsets)
        return self._known[year]


def _list_starts(observance: Observance, series: Sequence[Recurrence], year: int) -> set[datetime]:
    """Return when an observance begins in a year and the year before, or its last start before these."""
    if year <= observance.start.year:
        begin, end = observance.start, _begin_year(year + 1)
        own = {observance.start, *observance.dates}
        return {one for one in own if one < end} | _follow(series, begin, end)
    begin, end = _begin_year(year - 1), _begin_year(year + 1)
    found = {one for one in observance.dates if begin <= one < end} | _follow(series, begin, end)
    if found:
        return found
    earlier = {one for one in (observance.start, *observance.dates) if one < begin}
    for rule in observance.rules:
        if isinstance(rule.until, date):
            last = rule.until.year
            earlier |= _follow(series, _begin_year(last - 1), min(begin, _begin_year(last + 1)))
    return {max(earlier)} if earlier else set()


def _follow(series: Sequence[Recurrence], begin: datetime, end: datetime) -> set[datetime]:
    try:
        return {start for one in series for start in one.list_starts(begin, end, _MOST_ONSETS)}
    except (EntryRefused, CalendarRefused):
        return set()


def _begin_year(year: int) -> datetime:
    return datetime(min(max(year, 1), 9_999), 1, 1)  # noqa: DTZ001 - local times have no zone


def find_zone(name: str, defined: Mapping[str, Zone]) -> Zone | None:
    """Return the zone of a TZID: Python's by this or Windows' name, else the file's own.

    Prefixed names, like `/freeassociation.sourceforge.net/Europe/Copenhagen`, are matched by their end.
    """
    plain = name.strip().strip('"')
    wanted = plain.casefold()
    if wanted in {"utc", "z", "gmt", "etc/utc"}:
        return _UTC
    parts = wanted.strip("/").split("/")
    for known in (wanted, "/".join(parts[-2:]), "/".join(parts[-3:])):
        if known in _KNOWN:
            return Region(ZoneInfo(_KNOWN[known]))
    if wanted in _WINDOWS:
        return Region(ZoneInfo(_WINDOWS[wanted]))
    return defined.get(plain)
