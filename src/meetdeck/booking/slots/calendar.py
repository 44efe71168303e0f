"""Converting a zone's local hours to UTC (docs/api/search.md#clock-changes).

A zone is cut into periods of constant offset; in each, local and UTC time differ by a constant. Clock changes need no
special case then: a wall instant in a gap falls between two periods, a repeated one into both.
"""

from datetime import UTC, time
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple
from zoneinfo import ZoneInfo

import numpy as np

from meetdeck.booking.slots.timestamps import DAY, FAR, HALF_HOUR, MICROSECOND, Instants, to_datetime

_SECOND = 1_000_000
_SAFE = (-62_135_596_800 * _SECOND + 2 * DAY, 253_402_300_800 * _SECOND - 2 * DAY)  # years 1 to 9999, in any zone


class Period(NamedTuple):
    """A period, from `begin` up to `end` (UTC instants), in which the local clock shows UTC + `offset`."""

    begin: int
    end: int
    offset: int


class ZoneClock:
    """The clock of one zone between two instants."""

    def __init__(self, zone: ZoneInfo, begin: int, end: int) -> None:
        self.periods = _periods_of(zone, begin // DAY, -(-end // DAY))

    def first_showing(self, wall: Instants) -> Instants:
        """Return when the clock first shows each wall instant; for one in a gap, the gap's end."""
        *earlier, last = self.periods
        found = np.maximum(wall - last.offset, last.begin)
        for begin, end, offset in reversed(earlier):
            instants = np.maximum(wall - offset, begin)
            found = np.where(instants < end, instants, found)
        return found

    def last_showing(self, wall: Instants) -> Instants:
        """Return when the clock last shows each wall instant; for one in a gap, the gap's end."""
        first, *later = self.periods
        found = np.minimum(wall - first.offset, first.end)
        for begin, end, offset in later:
            instants = np.minimum(wall - offset, end)
            found = np.where(instants >= begin, instants, found)
        return found

    def half_hours(self, begin: int, end: int) -> Instants:
        """Return every instant from `begin` to `end`, both included, at which the clock shows :00 or :30."""
        parts: list[Instants] = []
        for period in self.periods:
            wall = max(begin, period.begin) + period.offset
            first = -(-wall // HALF_HOUR) * HALF_HOUR - period.offset
            parts.append(np.arange(first, min(end + 1, period.end), HALF_HOUR, dtype=np.int64))
        return np.concatenate(parts)

    def days(self, begin: int, end: int) -> Instants:
        """Return the local dates (days since 1970-01-01) that overlap [begin, end], and one more on each side."""
        shown = [  # by period ends: a clock that goes back past midnight shows tomorrow before today's last hour
            (instant + period.offset) // DAY
            for period in self.periods
            if period.begin <= end and begin < period.end
            for instant in (max(begin, period.begin), min(end, period.end - 1))
        ]
        return np.arange(min(shown) - 1, max(shown) + 2, dtype=np.int64)

    def midnights(self, days: Instants) -> Instants:
        """Return when each local date (days since 1970-01-01) begins."""
        return self.first_showing(days * DAY)

    def hours(self, days: Instants, from_wall: Instants, to_wall: Instants) -> tuple[Instants, Instants]:
        """Return when the hours from `from_wall` to `to_wall` begin and end on each of the days (shapes broadcast).

        Both are lengths since midnight. A repeated hour counts in full both times. `to_wall` 0 is the day's end, where
        the next date begins, even if the clock shows midnight twice.
        """
        ends = np.where(to_wall == 0, self.midnights(days + 1), self.last_showing(days * DAY + to_wall))
        return self.first_showing(days * DAY + from_wall), ends


@lru_cache(maxsize=1024)  # one search asks several times for the same days of a zone
def _periods_of(zone: ZoneInfo, begin_day: int, end_day: int) -> tuple[Period, ...]:
    """Return the periods between two days (since 1970-01-01), found by reading the offset once a day.

    No zone changes its clocks twice within three days.
    """
    looks: list[int] = np.clip(np.arange(begin_day - 2, end_day + 3) * DAY, *_SAFE).tolist()
    offsets = [_offset_at(zone, look) for look in looks]
    changes = [
        _change_between(zone, *looks)
        for looks, (before, after) in zip(pairwise(looks), pairwise(offsets), strict=True)
        if before != after
    ]
    bounds = [-FAR, *changes, FAR]
    return tuple(Period(start, stop, _offset_at(zone, max(start, looks[0]))) for start, stop in pairwise(bounds))


def _change_between(zone: ZoneInfo, before: int, after: int) -> int:
    """Return the instant, to the second, from which the offset is that of `after`."""
    offset = _offset_at(zone, before)
    while after - before > _SECOND:
        middle = before + (after - before) // (2 * _SECOND) * _SECOND
        if _offset_at(zone, middle) == offset:
            before = middle
        else:
            after = middle
    return after


def _offset_at(zone: ZoneInfo, instant: int) -> int:
    moment = to_datetime(instant)
    return (moment.astimezone(zone).replace(tzinfo=UTC) - moment) // MICROSECOND


def since_midnight(moment: time) -> int:
    """Return a wall time as the length since midnight."""
    return (((moment.hour * 60) + moment.minute) * 60 + moment.second) * _SECOND + moment.microsecond
