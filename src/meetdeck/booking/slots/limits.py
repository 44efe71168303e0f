"""Daily limits: how long an advisor may be booked on one of the organization's local days (DECISIONS 29).

A day is full for an advisor when the time booked on it and the whole new meeting together exceed the limit; a slot that
touches a full day is out. What is booked over midnight counts on each day with its part.
"""

import numpy as np

from meetdeck.booking.slots.axis import Axis
from meetdeck.booking.slots.calendar import ZoneClock
from meetdeck.booking.slots.instants import FAR, Flags, Instants
from meetdeck.booking.slots.occupancy import Occupied

NO_LIMIT = FAR


class DailyLimits:
    """The organization's days around the starts of an axis."""

    def __init__(self, clock: ZoneClock, starts: Axis, duration: int) -> None:
        self._duration = duration
        begins, ends = starts.instants, starts.instants + duration
        days = clock.days(int(begins[0]), int(ends[-1]))
        self._midnights = Axis(np.unique(clock.midnights(days)))  # unique: a zone may leave out a date
        self._first_day = self._midnights.count_through(begins) - 1
        self._last_day = self._midnights.count_before(ends) - 1

    @property
    def span(self) -> tuple[int, int]:
        """Busy time in [begin, end) (UTC instants) is what the limits look at."""
        midnights = self._midnights.instants
        return int(midnights[self._first_day[0]]), int(midnights[self._last_day[-1] + 1])

    def find_full(self, limits: Instants, occupied: Occupied) -> Flags:
        """Say of each advisor and start whether a full day is in the way; shape (advisors, starts).

        `limits` is each advisor's, `NO_LIMIT` without one.
        """
        full = self._booked(len(limits), occupied) + self._duration > limits[:, np.newaxis]
        full &= limits[:, np.newaxis] < NO_LIMIT
        touched = full[:, self._first_day]
        for further in range(1, int(np.max(self._last_day - self._first_day)) + 1):
            touched |= full[:, np.minimum(self._first_day + further, self._last_day)]
        return touched

    def _booked(self, advisors: int, occupied: Occupied) -> Instants:
        """Return how long each advisor is booked on each day; shape (advisors, days)."""
        midnights = self._midnights.instants
        count = len(midnights) - 1
        owners, begins, ends = occupied
        day = np.clip(self._midnights.count_through(begins) - 1, 0, count - 1)
        last = np.clip(self._midnights.count_before(ends) - 1, 0, count - 1)
        booked = np.zeros(advisors * count)  # whole microseconds: floats count them exactly for 285 years
        while len(day):
            part = np.minimum(ends, midnights[1:][day]) - np.maximum(begins, midnights[day])
            np.maximum(part, 0, out=part)  # nothing of a row that lies before or after all the days
            booked += np.bincount(owners * count + day, weights=part, minlength=advisors * count)
            more = np.flatnonzero(day < last)
            owners, begins, ends, last, day = owners[more], begins[more], ends[more], last[more], day[more] + 1
        return booked.astype(np.int64).reshape(advisors, count)
