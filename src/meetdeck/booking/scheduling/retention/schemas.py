"""Retention periods of personal data, and counts of erased rows."""

from datetime import datetime, timedelta
from typing import NamedTuple


class Periods(NamedTuple):
    """The days after a meeting's end for which its data, and its CPR number, are kept.

    `erases_meetings`: whether personal data of meetings that took place is erased, too.
    """

    days: int
    cpr_days: int
    erases_meetings: bool = True

    def end(self, now: datetime) -> "Ends":
        """Return the moments before which a meeting must have ended for its data to be erased; `cpr` never last."""
        return Ends(
            now - timedelta(days=self.days),
            now - timedelta(days=min(self.days, self.cpr_days)),
            erases_meetings=self.erases_meetings,
        )


class Ends(NamedTuple):
    """The moments before which a meeting's data, and its CPR number, is too old to be kept."""

    data: datetime
    cpr: datetime
    erases_meetings: bool


class PurgeCounts(NamedTuple):
    """The numbers of rows that were purged.

    CPR numbers and meetings that took place were erased, in each meeting; cancelled meetings, reservations, calendar
    entries, answers kept for repeats, wishes and unconfirmed bookings were deleted.
    """

    numbers: int = 0
    erased: int = 0
    meetings: int = 0
    reservations: int = 0
    entries: int = 0
    answers: int = 0
    wishes: int = 0
    unconfirmed_bookings: int = 0

    def __add__(self, other: object) -> "PurgeCounts":
        """Return the sum of both."""
        if not isinstance(other, PurgeCounts):
            return NotImplemented
        return PurgeCounts(*(one + more for one, more in zip(self, other, strict=True)))
