"""Daily limits: how long an advisor may be booked on one of the organization's local days (docs/api/advisors.md).

A day is full for an advisor when the time booked on it and the whole new meeting together exceed the limit; a slot that
touches a full day is removed. A booking over midnight counts on each day with its part.
"""

import numpy as np

from meetdeck.booking.slots.calendar import ZoneClock
from meetdeck.booking.slots.occupancy import BusyRows
from meetdeck.booking.slots.start_grid import Axis
from meetdeck.booking.slots.timestamps import FAR, Flags, Instants

NO_LIMIT = FAR


class DailyLimits:
    """The organization's days around the starts of an axis."""

    def __init__(self, clock: ZoneClock, starts: Axis, duration: int) -> None:
        self._duration = duration
        begins, ends = starts.instants, starts.instants + duration
        days = clock.days(int(begins[0]), int(ends[-1]))
        self._midnights = Axis(np.unique(clock.midnights(days)))  # unique: a zone may leave out a date
        self.first_day = self._midnights.count_through(begins) - 1
        """The day, by its number, of each start."""
        self._last_day = self._midnights.count_before(ends) - 1

    def find_full(self, limits: Instants, occupied: BusyRows) -> Flags:
        """Return for each advisor and start whether the slot touches a full day; shape (advisors, starts).

        `limits` is each advisor's, `NO_LIMIT` without one.
        """
        if (limits >= NO_LIMIT).all():
            return np.zeros((len(limits), len(self.first_day)), dtype=np.bool_)
        full = self.count_by_day(len(limits), occupied) + self._duration > limits[:, np.newaxis]
        full &= limits[:, np.newaxis] < NO_LIMIT
        touched = full[:, self.first_day]
        for further in range(1, int(np.max(self._last_day - self.first_day)) + 1):
            touched |= full[:, np.minimum(self.first_day + further, self._last_day)]
        return touched

    def count_booked(self, advisors: int, occupied: BusyRows) -> Instants:
        """Return the time booked on the day of each start, for each advisor; shape (advisors, starts)."""
        return self.count_by_day(advisors, occupied)[:, self.first_day]

    def count_by_day(self, advisors: int, occupied: BusyRows) -> Instants:
        """Return the time booked on each day, for each advisor; shape (advisors, days)."""
        owners, begins, ends, _ = occupied.without_entries()
        day = self._midnights.count_through(begins)  # 0 is before the first midnight
        next_midnights = np.append(self._midnights.instants, 2 * FAR)
        shape = advisors, len(next_midnights)
        booked = np.zeros(advisors * len(next_midnights))  # whole microseconds: floats count them exactly for 285 years
        while len(owners):
            stops = np.minimum(ends, next_midnights[day])
            booked += np.bincount(owners * shape[1] + day, weights=stops - begins, minlength=len(booked))
            over = np.flatnonzero(ends > stops)  # over midnight
            owners, begins, ends, day = owners[over], stops[over], ends[over], day[over] + 1
        return booked.astype(np.int64).reshape(shape)[:, 1:-1]
