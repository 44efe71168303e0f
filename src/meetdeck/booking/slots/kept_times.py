"""Calendars of a period that are kept between searches, and brought up to date by resource.

Columns are sorted by start, so that a shorter period is a slice. Arrays are never changed, since searches in progress
may use them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from meetdeck.booking.slots.model import Calendars, Spans
from meetdeck.booking.slots.occupancy import find_positions
from meetdeck.booking.slots.timestamps import DAY, Indexes, Instants, to_instant

NEVER = np.iinfo(np.int64).max
"""The end of a time that is not a reservation."""


@dataclass(frozen=True, slots=True, eq=False)
class KeptTimes:
    """Times of resources, sorted by start.

    `expires_at` is when a reservation ends, `NEVER` for all others; None: there are no reservations. No time is longer
    than `longest`.
    """

    resource_keys: npt.NDArray[np.int32]
    starts_at: Instants
    ends_at: Instants
    expires_at: Instants | None = None
    longest: int = 0

    @classmethod
    def sort(
        cls,
        resource_keys: npt.NDArray[np.signedinteger[Any]],
        starts_at: Instants,
        ends_at: Instants,
        expires_at: Instants | None = None,
    ) -> Self:
        """Return the times of columns in any order."""
        if not len(starts_at):
            return cls(resource_keys.astype(np.int32), starts_at, ends_at)
        order = np.argsort(starts_at, kind="stable")
        starts, ends = starts_at[order], ends_at[order]
        return cls(
            resource_keys[order].astype(np.int32),
            starts,
            ends,
            expires_at[order] if expires_at is not None else None,
            int((ends - starts).max(initial=0)),
        )

    @property
    def size(self) -> int:
        """Return the number of bytes."""
        return len(self.starts_at) * (20 if self.expires_at is None else 28)

    def list_expiries(self) -> Instants:
        """Return when each time ends to be a reservation."""
        return np.full(len(self.starts_at), NEVER) if self.expires_at is None else self.expires_at

    def select(self, begin: int, end: int, now: int) -> tuple[Instants, Instants, Instants]:
        """Return the columns of all times that touch a period, among others, but of no ended reservation."""
        part = slice(
            int(np.searchsorted(self.starts_at, begin - self.longest)), int(np.searchsorted(self.starts_at, end))
        )
        columns = self.resource_keys[part].astype(np.int64), self.starts_at[part], self.ends_at[part]
        if self.expires_at is None:
            return columns
        live = self.expires_at[part] > now
        return columns if live.all() else (columns[0][live], columns[1][live], columns[2][live])

    def count_ended(self, now: int) -> int:
        """Return the number of reservations that have ended."""
        return 0 if self.expires_at is None else int(np.count_nonzero(self.expires_at <= now))

    def list_ended(self, after: int, until: int) -> list[int]:
        """Return the resources with a reservation that ended between two instants."""
        if self.expires_at is None:
            return []
        keys: list[int] = self.resource_keys[(self.expires_at > after) & (self.expires_at <= until)].tolist()
        return keys

    def replace(self, resource_keys: Instants, present: "KeptTimes") -> "KeptTimes":
        """Return the times with the present ones of some resources in the place of those that were kept.

        If these are the same, it is the same object.
        """
        if not len(resource_keys) or not len(self.starts_at) + len(present.starts_at):
            return self
        is_replaced = find_positions(resource_keys, self.resource_keys) >= 0
        replaced = np.flatnonzero(is_replaced)
        if self._are_alike(replaced, present):
            return self
        left = np.flatnonzero(~is_replaced)
        places = np.searchsorted(self.starts_at[left], present.starts_at, side="right")
        rows = np.insert(left, places, np.arange(len(present.starts_at)) + len(self.starts_at))

        def merge(kept: npt.NDArray[Any], new: npt.NDArray[Any]) -> npt.NDArray[Any]:
            return np.concatenate((kept, new)).take(rows)

        expires = None
        if self.expires_at is not None or present.expires_at is not None:
            expires = merge(self.list_expiries(), present.list_expiries())
        return type(self)(
            merge(self.resource_keys, present.resource_keys),
            merge(self.starts_at, present.starts_at),
            merge(self.ends_at, present.ends_at),
            expires if expires is not None and (expires != NEVER).any() else None,
            max(self.longest, present.longest),
        )

    def _are_alike(self, rows: Indexes, present: "KeptTimes") -> bool:
        """Return whether some of the times are the present ones."""
        if len(rows) != len(present.starts_at):
            return False
        pairs = [
            (self.resource_keys[rows], present.resource_keys),
            (self.starts_at[rows], present.starts_at),
            (self.ends_at[rows], present.ends_at),
        ]
        if self.expires_at is not None or present.expires_at is not None:
            pairs.append((self.list_expiries()[rows], present.list_expiries()))
        return all((mine == other).all() for mine, other in pairs)


@dataclass(frozen=True, slots=True, eq=False)
class KeptCalendars:
    """Everything in calendars between two instants, ended reservations included.

    Busy entries are kept in two parts, by whether they are longer than a day: only a few are.
    """

    begin: int
    end: int
    booked: KeptTimes
    busy: KeptTimes
    long_busy: KeptTimes
    extra_open: KeptTimes
    elsewhere: KeptTimes

    @classmethod
    def of_entries(
        cls, begin: int, end: int, booked: KeptTimes, busy: KeptTimes, extra_open: KeptTimes, elsewhere: KeptTimes
    ) -> Self:
        """Return the calendars of times that are sorted; those of Busy entries are not yet in two parts."""
        if not len(busy.starts_at):
            return cls(begin, end, booked, busy, busy, extra_open, elsewhere)
        is_long = busy.ends_at - busy.starts_at > DAY
        short, long = (
            KeptTimes.sort(busy.resource_keys[some], busy.starts_at[some], busy.ends_at[some])
            for some in (~is_long, is_long)
        )
        return cls(begin, end, booked, short, long, extra_open, elsewhere)

    @property
    def parts(self) -> Sequence[KeptTimes]:
        """Return all times, in the order of the fields."""
        return self.booked, self.busy, self.long_busy, self.extra_open, self.elsewhere

    @property
    def size(self) -> int:
        """Return the number of bytes."""
        return sum(each.size for each in self.parts)

    def covers(self, begin: datetime, end: datetime) -> bool:
        """Return whether these calendars contain a period."""
        return self.begin <= to_instant(begin) and to_instant(end) <= self.end

    def replace(self, resource_keys: Sequence[int], present: "KeptCalendars") -> "KeptCalendars":
        """Return the calendars with the present ones of some resources; the same object if these are the same."""
        keys = np.array(resource_keys, dtype=np.int64)
        parts = [kept.replace(keys, new) for kept, new in zip(self.parts, present.parts, strict=True)]
        if all(kept is new for kept, new in zip(self.parts, parts, strict=True)):
            return self
        return type(self)(self.begin, self.end, *parts)

    def read(self, begin: datetime, end: datetime, now: datetime, unread: Iterable[int]) -> Calendars:
        """Return the calendars of a period; resources that are `unread` are busy in all of it."""
        period = to_instant(begin), to_instant(end), to_instant(now)
        booked = self.booked.select(*period)
        keys = np.fromiter(unread, dtype=np.int64)
        whole = keys, np.full(len(keys), period[0]), np.full(len(keys), period[1])
        entries = [each.select(*period) for each in (self.busy, self.long_busy)] + [whole]
        columns = (np.concatenate(column) for column in zip(booked, *entries, strict=True))
        noted = sum(len(each[0]) for each in entries)
        extra_open, elsewhere = (each.select(*period) for each in (self.extra_open, self.elsewhere))
        return Calendars(
            Spans(*columns, entries=noted),
            Spans(*extra_open, entries=len(extra_open[0])),
            Spans(*elsewhere, entries=len(elsewhere[0])),
        )
