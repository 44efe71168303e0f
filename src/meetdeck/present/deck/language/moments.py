"""Days and points in time from the data.

The engine reads no clock, so that equal input gives equal bytes: `$today` in the data is the day, otherwise the `today`
that the caller passes. A template that needs the day is refused without either. A firm far from UTC sends `$today`,
since the service passes the day in UTC.
"""

import re
from calendar import monthrange
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Final, Literal

from babel.dates import format_timedelta
from msgspec import Struct

from meetdeck.present.deck.language.numbers import parse_locale
from meetdeck.present.deck.language.typing_marks import HYPHENS
from meetdeck.present.deck.language.values import Unwritable

_MONTHS: Final[Mapping[str, int]] = {"month": 1, "quarter": 3, "year": 12}
_DAYS: Final[Mapping[str, timedelta]] = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
}
_STEP: Final = re.compile(r"([+-]?[0-9]{1,6})\s*(minute|hour|day|week|month|quarter|year)s?", re.IGNORECASE)
_SEPARATOR: Final = re.compile(r"\s*(?:,|and)?\s*")
_MONTHS_OF_YEAR: Final = 12
# Up to here, months are clearer than years.
_MANY_MONTHS: Final = 24
_HALF_MONTH: Final = 15
# A unit is written as requested, however large its number.
_NO_OTHER_UNIT: Final = 10**9
# Units that CLDR has and Babel lacks.
_TODAY: Final[Mapping[str, str]] = {
    "cs": "dnes",
    "da": "i dag",
    "de": "heute",
    "en": "today",
    "es": "hoy",
    "et": "täna",
    "fi": "tänään",
    "fr": "aujourd\u2019hui",
    "is": "í dag",
    "it": "oggi",
    "lt": "šiandien",
    "lv": "šodien",
    "nb": "i dag",
    "nl": "vandaag",
    "nn": "i dag",
    "no": "i dag",
    "pl": "dzisiaj",
    "pt": "hoje",
    "sk": "dnes",
    "sv": "i dag",
}


def read_moment(value: object) -> datetime:
    """Return a date or a point in time as written, without its offset: the caller knows the local time.

    Raises `Unwritable` for anything else.
    """
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        moment = None
    if isinstance(moment, datetime):
        return moment.replace(tzinfo=None) if moment.tzinfo else moment
    if isinstance(moment, date):
        return datetime(moment.year, moment.month, moment.day)  # noqa: DTZ001 - written as given, without a zone
    raise Unwritable("it is not a date; write it like 2026-01-31 or 2026-01-31T09:30:00Z.")


class Step(Struct, frozen=True):
    """A span of time to add: months, which differ in length, and the rest."""

    months: int
    rest: timedelta


@lru_cache(maxsize=256)
def parse_step(text: str) -> Step | None:
    """Return the span in a text like `3 years`, `-2 weeks` or `1 month, 10 days`; None for any other text."""
    months, rest, position = 0, timedelta(), 0
    plain = text.strip().translate(HYPHENS)
    while found := _STEP.match(plain, position):
        count, unit = int(found[1]), found[2].lower()
        if unit in _MONTHS:
            months += count * _MONTHS[unit]
        else:
            rest += count * _DAYS[unit]
        separator = _SEPARATOR.match(plain, found.end())
        position = separator.end() if separator else found.end()
        if position == len(plain):
            return Step(months, rest)
    return None


def add_step(value: object, step: Step) -> date:
    """Return a day, or a point in time, some time later; the last day of a month if the month has fewer days.

    Raises `Unwritable` for anything else, and beyond the year 9999.
    """
    moment = read_moment(value)
    number = moment.year * _MONTHS_OF_YEAR + moment.month - 1 + step.months
    year, month = divmod(number, _MONTHS_OF_YEAR)
    try:
        last = monthrange(year, month + 1)[1]
        moment = moment.replace(year=year, month=month + 1, day=min(moment.day, last)) + step.rest
    except (ValueError, OverflowError):
        raise Unwritable("the day is beyond the years that can be written, 1 to 9999.") from None
    has_time = isinstance(value, datetime) or (isinstance(value, str) and len(value.strip()) > len("2026-01-31"))
    return moment if has_time or moment.time() != datetime.min.time() else moment.date()


def write_relative(day: date, today: date, locale: str) -> str:
    """Return a day relative to today, in years, months or days: `in 3 years`."""
    known = parse_locale(locale)
    if day == today:
        return _TODAY.get(known.language) or _write_span(timedelta(), "day", locale)
    months = _count_months(*sorted((today, day)))
    direction = 1 if day > today else -1
    if months >= _MANY_MONTHS or (months and months % _MONTHS_OF_YEAR == 0):
        years = (months + _MONTHS_OF_YEAR // 2) // _MONTHS_OF_YEAR
        return _write_span(direction * years * timedelta(days=365), "year", locale)
    if months:
        return _write_span(direction * months * timedelta(days=30), "month", locale)
    return _write_span(day - today, "day", locale)


def _write_span(span: timedelta, unit: Literal["year", "month", "day"], locale: str) -> str:
    return format_timedelta(span, unit, _NO_OTHER_UNIT, add_direction=True, locale=parse_locale(locale))


def _count_months(start: date, end: date) -> int:
    """Return the number of months between two days, rounded once there is a whole one."""
    months = (end.year - start.year) * _MONTHS_OF_YEAR + end.month - start.month
    days = end.day - start.day
    if days < 0 and (end + timedelta(days=1)).day != 1:
        months, days = months - 1, days + 30
    return months + (days >= _HALF_MONTH) if months else 0
