"""The periods of calendars that are read and kept: whole weeks around those that searches need."""

from datetime import datetime
from typing import Final

from meetdeck.booking.scheduling.search.service.memory import PeriodCalendars
from meetdeck.booking.slots.timestamps import DAY, to_instant

_WEEK: Final = 7 * DAY
_LONGEST: Final = 70 * DAY
Period = tuple[datetime, datetime]
Wide = tuple[int, int]


def choose_period(
    kept: PeriodCalendars | None, period: Period, now: datetime
) -> tuple[PeriodCalendars | None, Wide | None]:
    """Return the kept calendars if they cover a period, and the period to read.

    It is of whole weeks, and contains the kept one as far as that is not past. None: it would be too long, and what is
    kept is nearer.
    """
    if kept is not None and kept.times.covers(*period):
        return kept, (kept.times.begin, kept.times.end)
    begin, end = to_instant(period[0]) // _WEEK * _WEEK, -(-to_instant(period[1]) // _WEEK) * _WEEK
    if end - begin > _LONGEST:
        return None, None
    if kept is None or kept.times.end < to_instant(now):
        return None, (begin, end)
    wide = min(begin, max(kept.times.begin, to_instant(now) // _WEEK * _WEEK)), max(end, kept.times.end)
    if wide[1] - wide[0] <= _LONGEST:
        return None, wide
    return None, (begin, end) if begin < kept.times.begin else None
