"""Chooses the mailboxes to request next, and the days to request; pure.

Each mailbox has two horizons: the next two weeks, and the weeks after. The mailbox whose reading is latest in relation
to its interval comes first, so none waits forever, and recently searched ones are read more often.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple, Self
from uuid import UUID

MOST_AT_ONCE: Final = 20
"""Mailboxes in a request."""
NEAR: Final = timedelta(days=15)
FAR: Final = timedelta(days=61)
"""The ends of the horizons, from the beginning of the day: together less than 62 days, the most for one request."""
RECENTLY: Final = timedelta(minutes=10)
"""The time for which a mailbox has priority after it was searched for."""
_EVERY: Final = timedelta(seconds=60)
_EVERY_SOUGHT: Final = timedelta(seconds=20)
_EVERY_FAR: Final = timedelta(minutes=15)
_NEVER: Final = float("inf")
_TAKEN_ALONG: Final = 0.5  # share of its interval: one that is almost due fills a request


class Horizon(StrEnum):
    """The days that are read: the next two weeks, or the weeks after."""

    NEAR = "Near"
    FAR = "Far"

    def find_window(self, now: datetime) -> tuple[datetime, datetime]:
        """Return begin and end of the days, in UTC."""
        day = now.replace(hour=0, minute=0, second=0, microsecond=0)
        return (day, day + NEAR) if self is Horizon.NEAR else (day + NEAR, day + FAR)

    @classmethod
    def find_of(cls, moment: datetime, now: datetime) -> Self | None:
        """Return the horizon that contains a moment; None if it is not read."""
        return next((each for each in cls if each.contains(moment, now)), None)

    def contains(self, moment: datetime, now: datetime) -> bool:
        """Return whether a moment is in its days."""
        begin, end = self.find_window(now)
        return begin <= moment < end


class LastReadings(NamedTuple):
    """The times when a mailbox was last read for each horizon, and last searched for; None: never."""

    id: UUID
    near_at: datetime | None
    far_at: datetime | None
    sought_at: datetime | None = None

    def find_read_at(self, horizon: Horizon) -> datetime | None:
        """Return when a horizon was read."""
        return self.near_at if horizon is Horizon.NEAR else self.far_at


class Batch(NamedTuple):
    """The mailboxes of one request."""

    horizon: Horizon
    ids: tuple[UUID, ...]


def plan_batches(
    readings: Iterable[LastReadings], running: frozenset[tuple[Horizon, UUID]], now: datetime, most: int
) -> list[Batch]:
    """Return the most urgent requests, at most `most`. `running` are the requests in progress."""
    late = sorted(
        (-lateness, reading.id.int, horizon, reading.id)
        for reading in readings
        for horizon in Horizon
        if (horizon, reading.id) not in running and (lateness := find_lateness(reading, horizon, now)) >= _TAKEN_ALONG
    )
    open_: dict[Horizon, list[UUID]] = {}
    batches = list[tuple[Horizon, list[UUID]]]()
    for negative, _, horizon, id_ in late:
        if horizon not in open_ and negative <= -1 and len(batches) < most:
            open_[horizon] = []
            batches.append((horizon, open_[horizon]))
        if (ids := open_.get(horizon)) is not None:
            ids.append(id_)
            if len(ids) == MOST_AT_ONCE:
                del open_[horizon]
    return [Batch(horizon, tuple(ids)) for horizon, ids in batches]


def find_next_due(readings: Iterable[LastReadings], now: datetime) -> datetime | None:
    """Return when the next mailbox is due, now at the earliest; None without mailboxes."""
    waits = [
        max(timedelta(0), find_interval(reading, horizon, now) - (now - read_at))
        if (read_at := reading.find_read_at(horizon)) is not None
        else timedelta(0)
        for reading in readings
        for horizon in Horizon
    ]
    return now + min(waits) if waits else None


def find_lateness(reading: LastReadings, horizon: Horizon, now: datetime) -> float:
    """Return the time since a reading as a multiple of its interval; it is due from 1 on."""
    read_at = reading.find_read_at(horizon)
    return _NEVER if read_at is None else (now - read_at) / find_interval(reading, horizon, now)


def find_interval(reading: LastReadings, horizon: Horizon, now: datetime) -> timedelta:
    """Return the interval at which a mailbox should be read."""
    if horizon is Horizon.FAR:
        return _EVERY_FAR
    return _EVERY_SOUGHT if is_sought(reading.sought_at, now) else _EVERY


def is_sought(sought_at: datetime | None, now: datetime) -> bool:
    """Return whether a mailbox was searched for recently."""
    return sought_at is not None and now - sought_at < RECENTLY
