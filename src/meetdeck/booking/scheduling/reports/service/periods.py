"""The days, weeks and months of a report, by the organization's clock."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np

from meetdeck.booking.scheduling.errors import InvalidTime
from meetdeck.booking.scheduling.reports.schemas import Grouping, ReportQuery
from meetdeck.booking.slots.calendar import ZoneClock
from meetdeck.booking.slots.timestamps import DAY, to_datetime
from meetdeck.platform.errors import Fault

LONGEST: Final = 366
_YEARS: Final = range(1900, 3000)  # far from the calendar's limits, as all datetimes that callers send
_DAY_0: Final = date(1970, 1, 1)


class Period(NamedTuple):
    """A part of a report's time: its first day, its name, its beginning and its end."""

    first: date
    name: str
    begins_at: datetime
    ends_at: datetime


def check_days(query: ReportQuery) -> None:
    """Raise InvalidTime for days in the wrong order, too many of them, and years far away."""
    if query.first.year not in _YEARS or query.last.year not in _YEARS:
        name = "from" if query.first.year not in _YEARS else "to"
        raise _invalid(name, f"It must be between the years {_YEARS[0]} and {_YEARS[-1]}.")
    if query.last < query.first:
        raise _invalid("to", f"It must not be before `from` ({query.first}).")
    if query.last - query.first >= timedelta(days=LONGEST):
        latest = query.first + timedelta(days=LONGEST - 1)
        raise _invalid(
            "to", f"A report covers at most {LONGEST} days. With this `from`, it can be {latest} at the latest."
        )


def list_periods(zone: ZoneInfo, first: date, last: date, grouping: Grouping) -> Sequence[Period]:
    """Return the periods from one day to another, both included, in order.

    Weeks begin on Mondays and months on their first day; the first and the last of them may be partial.
    """
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    firsts = [day for day in days if day == first or _begins_period(day, grouping)]
    begins = find_midnights(zone, [*firsts, last + timedelta(days=1)])
    return [
        Period(day, _name(day, grouping), begin, end)
        for day, (begin, end) in zip(firsts, pairwise(begins), strict=True)
    ]


def find_midnights(zone: ZoneInfo, days: Sequence[date]) -> list[datetime]:
    """Return when each of some days, in order, begins in a zone."""
    numbers = np.array([(day - _DAY_0).days for day in days], dtype=np.int64)
    clock = ZoneClock(zone, (int(numbers[0]) - 1) * DAY, (int(numbers[-1]) + 2) * DAY)
    return [to_datetime(instant) for instant in clock.midnights(numbers).tolist()]


def _begins_period(day: date, grouping: Grouping) -> bool:
    match grouping:
        case Grouping.DAY:
            return True
        case Grouping.WEEK:
            return day.weekday() == 0
        case Grouping.MONTH:
            return day.day == 1
        case _:
            return False


def _name(day: date, grouping: Grouping) -> str:
    match grouping:
        case Grouping.WEEK:
            return f"{day:%G-W%V}"
        case Grouping.MONTH:
            return f"{day:%Y-%m}"
        case _:
            return day.isoformat()


def _invalid(name: str, detail: str) -> InvalidTime:
    return InvalidTime(f"{name}: {detail}", faults=(Fault(f"/query/{name}", detail),))
