"""Recurrence rules (RFC 5545) of series: the days on which a time is repeated (docs/api/calendar-entries.md#series)."""

from calendar import isleap
from datetime import MAXYEAR, UTC, date, datetime, time, timedelta, tzinfo
from itertools import islice
from typing import Final

from dateutil.rrule import rrulestr
from icalendar import vRecur

from meetdeck.booking.scheduling.errors import InvalidTime
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase

LONGEST_SERIES: Final = timedelta(days=1830)
"""Five years: rules are followed no farther, even those that no day fits."""
MOST_TIMES: Final = 1_000
_YEARS: Final = 7  # that five years can touch, and one more

_LAST_UNTIL: Final = datetime(MAXYEAR, 12, 1, tzinfo=UTC)  # every zone can represent it

_Times = tuple[datetime, datetime]
_Parts = dict[str, list[object]]
_EXAMPLE: Final = "for example FREQ=WEEKLY;BYDAY=MO;COUNT=10 or FREQ=DAILY;UNTIL=20350331"
_FREQUENCIES: Final = frozenset({"DAILY", "WEEKLY", "MONTHLY", "YEARLY"})
_PARTS: Final = frozenset({"FREQ", "COUNT", "UNTIL", "INTERVAL", "BYDAY", "BYMONTHDAY", "BYMONTH", "BYSETPOS", "WKST"})


def list_times(rule: str, first: _Times, zone: tzinfo) -> list[_Times]:
    """Return the times of a series in UTC, each at the hours of the `first` by the zone's clock.

    Days on which the clock skips all of the time are left out. Raises InvalidTime for a rule that is invalid, has no
    end or more than one, repeats more often than once a day, or gives no time, too many, or any after five years.
    """
    begin, end = (one.astimezone(zone).replace(tzinfo=None) for one in first)
    days = _list_days(_read_rule(rule), begin, zone)
    hours, length = begin.time(), end - begin
    local = [datetime.combine(day, hours) for day in days]
    times = [(_to_utc(start, zone), _to_utc(start + length, zone)) for start in local]
    kept = [(starts_at, ends_at) for starts_at, ends_at in times if starts_at < ends_at]
    if not kept:
        raise _refuse("It gives no time at all after startDate. Change the rule, or when it ends.")
    return kept


def _read_rule(text: str) -> _Parts:
    """Return the parts of an allowed rule."""
    try:
        rule = vRecur.from_ical(text.strip().removeprefix("RRULE:"))
    except ValueError as error:
        raise _refuse(f"It is not a recurrence rule ({error}). Write {_EXAMPLE}.") from None
    parts = {str(name).upper(): list(values) for name, values in rule.items()}
    unknown = sorted(set(parts) - _PARTS)
    if unknown or parts.get("FREQ", [""])[0] not in _FREQUENCIES:
        wrong = f"it must not contain {', '.join(unknown)}" if unknown else "FREQ is missing, or is too frequent"
        raise _refuse(f"{wrong}. Repeat daily, weekly, monthly or yearly: {_EXAMPLE}.")
    if ("COUNT" in parts) == ("UNTIL" in parts):
        raise _refuse(f"It needs an end: one of COUNT and UNTIL, {_EXAMPLE}.")
    for name in {"COUNT", "INTERVAL"} & set(parts):
        if not 1 <= _to_int(parts[name][0]) <= MOST_TIMES:
            raise _refuse(f"{name} must be from 1 to {MOST_TIMES:,}.")
    return parts


def _list_days(parts: _Parts, begin: datetime, zone: tzinfo) -> list[date]:
    """Return the days of a rule from a local time on."""
    horizon = begin + LONGEST_SERIES
    until = _read_until(parts["UNTIL"][0], zone) if "UNTIL" in parts else horizon
    if until > horizon:
        raise _refuse(f"UNTIL must be at most {LONGEST_SERIES.days:,} days after startDate.")
    if until < begin:
        return []
    most = _to_int(parts["COUNT"][0]) if "COUNT" in parts else MOST_TIMES + 1
    days = _follow(parts, begin, until, most)
    if len(days) > MOST_TIMES:
        raise _refuse(f"It gives more than {MOST_TIMES:,} times. End it sooner.")
    if "COUNT" in parts and len(days) < most:
        raise _refuse(f"It must end at most {LONGEST_SERIES.days:,} days after startDate: lower COUNT.")
    return days


def _follow(parts: _Parts, begin: datetime, until: datetime, most: int) -> list[date]:
    """Return the first days of a rule between two local times.

    dateutil looks until the year 9999 for the next day, many seconds long when none fits: so the rule is followed in
    years at the calendar's end that are like these.
    """
    later = _find_like_year(begin.year) - begin.year
    rest = {name: values for name, values in parts.items() if name not in {"COUNT", "UNTIL"}}
    shifted = until.replace(year=until.year + later)
    text = f"{vRecur(rest).to_ical().decode()};UNTIL={shifted:%Y%m%dT%H%M%S}"
    try:
        rule = rrulestr(text, dtstart=begin.replace(year=begin.year + later, microsecond=0))
        return [each.date().replace(year=each.year - later) for each in islice(rule, most)]
    except (ValueError, IndexError):  # which of its parts is out of range, dateutil does not say
        raise _refuse(f"One of its parts is out of range. Write {_EXAMPLE}.") from None


def _find_like_year(year: int) -> int:
    """Return the last year from which the years of a series have the same days of the week, and leap days."""
    wanted = _describe_years(year)
    return next(like for like in range(MAXYEAR - _YEARS + 1, year - 1, -1) if _describe_years(like) == wanted)


def _describe_years(first: int) -> list[tuple[int, bool]]:
    return [(date(year, 1, 1).weekday(), isleap(year)) for year in range(first, first + _YEARS)]


def _read_until(until: object, zone: tzinfo) -> datetime:
    """Return when a rule ends by the zone's clock: a date includes its day."""
    if not isinstance(until, datetime):
        if not isinstance(until, date):
            raise _refuse(f"UNTIL is not a date. Write {_EXAMPLE}.")
        return datetime.combine(until, time.max)
    if until.tzinfo is None:
        return until
    return min(until, _LAST_UNTIL).astimezone(zone).replace(tzinfo=None)


def _to_utc(local: datetime, zone: tzinfo) -> datetime:
    return local.replace(tzinfo=zone).astimezone(UTC)


def _to_int(value: object) -> int:
    return value if isinstance(value, int) else 0


def _refuse(detail: str) -> InvalidTime:
    return InvalidTime(phrase("recurrence: {detail}", detail=detail), faults=(Fault("/recurrence", detail),))
