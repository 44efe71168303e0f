"""Removes the events that this installation wrote from the times read from a calendar; pure.

getSchedule returns no ids, so events are recognized by time: each written event removes one item with exactly its start
and end. A second item with the same time belongs to another event, and stays.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from meetdeck.connections.icalendar import BusyTime, Kind

GONE_FOR: Final = timedelta(minutes=10)
"""The time for which a moved or cancelled event may still be reported."""


class WrittenTime(NamedTuple):
    """A time that was written for a meeting; `gone_at` is when the event was moved or cancelled.

    `is_guests`: the mailbox is a guest's. Guests may decline, so a missing time is not a difference.
    """

    owner_id: UUID
    starts_at: datetime
    ends_at: datetime
    gone_at: datetime | None = None
    is_guests: bool = False


class OtherTimes(NamedTuple):
    """The times of other events, and the meetings whose event is missing from its time."""

    times: list[BusyTime]
    missing: frozenset[UUID]


def find_other_times(
    read: Iterable[BusyTime], written: Iterable[WrittenTime], window: tuple[datetime, datetime], now: datetime
) -> OtherTimes:
    """Return the times in a calendar that this installation did not write, within the window that was read."""
    times = sorted(read)
    there = Counter((time.starts_at, time.ends_at) for time in times if time.kind is Kind.BUSY)
    ours = Counter[tuple[datetime, datetime]]()
    missing = set[UUID]()
    for one in sorted(written, key=lambda one: one.gone_at is not None):  # current events are matched first
        if one.gone_at is not None and now - one.gone_at >= GONE_FOR:
            continue
        span = (one.starts_at, one.ends_at)
        if there[span] > ours[span]:
            ours[span] += 1
        elif one.gone_at is None and not one.is_guests and one.starts_at < window[1] and one.ends_at > window[0]:
            missing.add(one.owner_id)
    return OtherTimes([*_subtract(times, ours)], frozenset(missing))


def _subtract(times: Iterable[BusyTime], ours: Counter[tuple[datetime, datetime]]) -> Iterable[BusyTime]:
    """Yield the times, omitting one for each of our own with the same span."""
    left = ours.copy()
    for time in times:
        span = (time.starts_at, time.ends_at)
        if time.kind is Kind.BUSY and left[span] > 0:
            left[span] -= 1
        else:
            yield time
