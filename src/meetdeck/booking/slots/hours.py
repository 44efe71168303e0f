"""An advisor's working hours in UTC, for messages."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

import numpy as np

from meetdeck.booking.slots.calendar import ZoneClock, since_midnight
from meetdeck.booking.slots.intervals import Intervals
from meetdeck.booking.slots.model import EXTRA_TYPES, NO_SPANS, Candidate, MeetingType, Spans
from meetdeck.booking.slots.timestamps import to_datetime, to_instant

_WEEKDAY_OF_DAY_0 = 3  # 1970-01-01 was a Thursday


class WorkedHours(NamedTuple):
    """A day's hours of an interval of the schedule, in UTC, or extra hours."""

    begin: datetime
    end: datetime
    meeting_types: frozenset[MeetingType]
    location: str
    is_extra: bool = False


def list_worked(
    candidate: Candidate, begin: datetime, end: datetime, extra_open: Spans = NO_SPANS
) -> list[WorkedHours]:
    """Return the candidate's hours that overlap the time between two moments, by their beginning."""
    clock = ZoneClock(candidate.zone, to_instant(begin), to_instant(end))
    days = clock.days(to_instant(begin), to_instant(end))
    found = [*_list_extra(candidate, extra_open)]
    for interval in candidate.intervals:
        own = days[(days + _WEEKDAY_OF_DAY_0) % 7 == interval.weekday]
        begins, ends = clock.hours(
            own, np.array(since_midnight(interval.from_time)), np.array(since_midnight(interval.to_time))
        )
        found += [
            WorkedHours(to_datetime(first), to_datetime(last), interval.meeting_types, interval.location)
            for first, last in zip(begins.tolist(), ends.tolist(), strict=True)
            if first < last
        ]
    return sorted((each for each in found if each.begin < end and begin < each.end), key=lambda each: each[:2])


def _list_extra(candidate: Candidate, extra_open: Spans) -> Iterator[WorkedHours]:
    """Yield the candidate's extra hours, joined where they overlap or touch."""
    mine = extra_open.resource_keys == candidate.resource_key
    for begin, end in zip(*Intervals.join(extra_open.starts_at[mine], extra_open.ends_at[mine]), strict=True):
        yield WorkedHours(to_datetime(int(begin)), to_datetime(int(end)), EXTRA_TYPES, candidate.home, is_extra=True)


def is_covered(worked: Iterable[WorkedHours], begin: datetime, end: datetime) -> bool:
    """Return whether the hours, joined where they touch, cover the time from one moment to the other."""
    spans = np.array([(to_instant(each.begin), to_instant(each.end)) for each in worked], dtype=np.int64).reshape(-1, 2)
    joined = Intervals.join(spans[:, 0], spans[:, 1])
    return bool(joined.find_covered(np.array([to_instant(begin)]), np.array([to_instant(end)]))[0])
