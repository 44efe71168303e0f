"""Moments, lengths and busy times in the sense of iCalendar."""

from datetime import UTC, datetime, timedelta, tzinfo
from enum import StrEnum
from typing import NamedTuple, Protocol


class Kind(StrEnum):
    """The state in which an entry puts its owner; free entries have no kind."""

    BUSY = "Busy"
    ELSEWHERE = "WorkingFromElsewhere"


class Window(NamedTuple):
    """The time that is read, in UTC."""

    begins_at: datetime
    ends_at: datetime


class BusyTime(NamedTuple):
    """A time of an entry, in UTC."""

    starts_at: datetime
    ends_at: datetime
    kind: Kind


class Zone(Protocol):
    """A time zone: local times have no tzinfo, moments are in UTC."""

    def to_utc(self, local: datetime, /) -> datetime:
        """Return the moment of a local time; in a gap, with the offset before it; of two, the first."""
        ...

    def to_local(self, moment: datetime, /) -> datetime:
        """Return the local time of a moment."""
        ...


class Region(NamedTuple):
    """A zone from Python's database."""

    tzinfo: tzinfo

    def to_utc(self, local: datetime, /) -> datetime:
        """Return the moment of a local time."""
        return local.replace(tzinfo=self.tzinfo).astimezone(UTC)

    def to_local(self, moment: datetime, /) -> datetime:
        """Return the local time of a moment."""
        return moment.astimezone(self.tzinfo).replace(tzinfo=None)


class Stamp(NamedTuple):
    """A date or time of a file: the local time in its zone, midnight for a date."""

    local: datetime
    zone: Zone
    is_date: bool = False

    @property
    def moment(self) -> datetime:
        """Return the moment in UTC."""
        return self.zone.to_utc(self.local)


class Length(NamedTuple):
    """The length of an entry: whole days by the local clock, then exact time."""

    nominal: timedelta
    exact: timedelta = timedelta(0)

    @property
    def total(self) -> timedelta:
        """Return the approximate total length."""
        return self.nominal + self.exact

    def end_of(self, local: datetime, moment: datetime, zone: Zone) -> datetime:
        """Return the end, in UTC, of something that begins at this moment, which is this local time in the zone."""
        return (zone.to_utc(local + self.nominal) if self.nominal else moment) + self.exact
