"""Parses the values of properties: dates, times, periods and durations, with their zones."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from icalendar import vDate, vDatetime, vDuration

from meetdeck.connections.icalendar.lines import Property
from meetdeck.connections.icalendar.problems import EntryRefused, Problem
from meetdeck.connections.icalendar.times import Length, Region, Stamp, Zone
from meetdeck.connections.icalendar.zones import find_zone

_UTC: Final = Region(UTC)
_MOST_VALUES: Final = 5_000  # of a property
_YEARS: Final = range(2, 9_999)
"""Years in which every zone can represent each moment."""


class Period(NamedTuple):
    """A period's start and length."""

    start: Stamp
    length: Length

    @property
    def end(self) -> datetime:
        """Return when it ends, in UTC."""
        return self.length.end_of(self.start.local, self.start.moment, self.start.zone)


@dataclass(frozen=True)
class Zones:
    """The zones that a file defines, and the owner's zone, which dates and floating times use."""

    defined: Mapping[str, Zone]
    own: Zone

    def find(self, name: str) -> Zone:
        """Return a zone by its TZID; the owner's zone for an unknown one."""
        return find_zone(name, self.defined) or self.own


def read_stamp(given: Property, zones: Zones) -> Stamp:
    """Return the date or time of a property. Raises EntryRefused."""
    return _read_stamp(given.value.strip(), given.parameters, zones)


def read_stamps(given: Property, zones: Zones) -> Iterator[Stamp | Period]:
    """Yield the dates, times and periods of a property. Raises EntryRefused."""
    values = given.value.split(",", _MOST_VALUES)
    if len(values) > _MOST_VALUES:
        raise EntryRefused(Problem.MALFORMED)
    for value in values:
        if "/" in value:
            yield _read_period(value, given.parameters, zones)
        elif value.strip():
            yield _read_stamp(value.strip(), given.parameters, zones)


def _read_period(value: str, parameters: Mapping[str, str], zones: Zones) -> Period:
    begin, _, rest = (part.strip() for part in value.partition("/"))
    start = _read_stamp(begin, parameters, zones)
    if rest[:1].upper() in {"P", "+", "-"}:
        return Period(start, read_length(rest))
    return Period(start, measure(start, _read_stamp(rest, parameters, zones)))


def _read_stamp(value: str, parameters: Mapping[str, str], zones: Zones) -> Stamp:
    local, is_date, is_utc = _read_time(value)
    if is_date:
        return Stamp(local, zones.own, is_date=True)
    if is_utc:
        return Stamp(local, _UTC)
    name = parameters.get("TZID")
    return Stamp(local, zones.find(name) if name else zones.own)


@lru_cache(1_000)
def _read_time(value: str) -> tuple[datetime, bool, bool]:
    """Return a local time, whether it is a date, and whether it is in UTC. Raises EntryRefused."""
    if len(value) >= 15 and value[13:15] == "60":  # noqa: PLR2004 - a leap second, behind YYYYMMDDTHHMM
        value = f"{value[:13]}59{value[15:]}"
    try:
        if len(value) == len("YYYYMMDD"):
            local, is_date = datetime.combine(vDate.from_ical(value), time(0)), True
        else:
            local, is_date = vDatetime.from_ical(value), False
    except (ValueError, OverflowError):
        raise EntryRefused(Problem.MALFORMED) from None
    if local.year not in _YEARS:
        raise EntryRefused(Problem.MALFORMED)
    return local.replace(tzinfo=None), is_date, local.tzinfo is not None


def read_length(text: str) -> Length:
    """Return a duration: days by the local clock, hours exactly. Raises EntryRefused."""
    try:
        length = vDuration.from_ical(text.strip().upper())
        _ = datetime(2, 1, 1) + length  # noqa: DTZ001 - OverflowError when it is longer than time
    except (ValueError, OverflowError):
        raise EntryRefused(Problem.MALFORMED) from None
    if length < timedelta(0):
        raise EntryRefused(Problem.MALFORMED)
    return Length(timedelta(days=length.days), timedelta(seconds=length.seconds))


def measure(start: Stamp, end: Stamp) -> Length:
    """Return the length from start to end: by the local clock if both have one, else exactly; 0 if it is negative."""
    if start.zone == end.zone:
        return Length(max(end.local - start.local, timedelta(0)))
    return Length(timedelta(0), max(end.moment - start.moment, timedelta(0)))
