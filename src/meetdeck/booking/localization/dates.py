"""Dates and times in words, in each language of the pages and messages."""

from datetime import date, datetime, time, tzinfo
from functools import cache, lru_cache
from typing import Final

from babel import Locale
from babel.dates import format_date, format_time, get_timezone_location, get_timezone_name

LOCALES: Final = {"en": Locale("en", "GB"), "da": Locale("da", "DK"), "de": Locale("de", "DE")}
"""The locale of each language; the first, English, is the default."""

MIDNIGHT: Final = {"en": "24:00", "da": "24.00", "de": "24:00"}
"""The end of a day in each language."""

SHORT_DAYS: Final = {"en": "d MMM", "da": "d. MMM", "de": "d. MMM"}
"""A day without its name, in each language: 24 Nov, 24. nov."""

_DAYS: Final = {"en": "EEEE d MMMM", "da": "EEEE d. MMMM", "de": "EEEE, d. MMMM"}

_CITY_TIMES: Final = {"en": "{city} time", "da": "{city}-tid", "de": "{city}-Zeit"}
_NAMED_ZONES: Final = {
    "en": {
        "Europe/Copenhagen": "Danish time",
        "Europe/Oslo": "Norwegian time",
        "Europe/Stockholm": "Swedish time",
        "Europe/Helsinki": "Finnish time",
        "Europe/Berlin": "German time",
        "Europe/London": "UK time",
    },
    "da": {
        "Europe/Copenhagen": "dansk tid",
        "Europe/Oslo": "norsk tid",
        "Europe/Stockholm": "svensk tid",
        "Europe/Helsinki": "finsk tid",
        "Europe/Berlin": "tysk tid",
        "Europe/London": "britisk tid",
    },
    "de": {
        "Europe/Copenhagen": "dänische Zeit",
        "Europe/Oslo": "norwegische Zeit",
        "Europe/Stockholm": "schwedische Zeit",
        "Europe/Helsinki": "finnische Zeit",
        "Europe/Berlin": "deutsche Zeit",
        "Europe/London": "britische Zeit",
    },
}
"""Zones that are called by their country; others are called by their city."""


def show_day(day: date, today: date, language: str) -> str:
    """Return a day in words: Tuesday 24 November, with its year if that is not the present one."""
    return show_date(day, language) if day.year != today.year else _show(day, _DAYS[language], language)


def show_date(day: date, language: str) -> str:
    """Return a day with its year: Tuesday 24 November 2026."""
    return _begin_with_capital(write_date(day, language))


def show_days(first: date, last: date, today: date, language: str) -> str:
    """Return consecutive days with each month once, and a year other than the present one: 23 to 29 November."""
    dot = "" if language == "en" else "."
    month = f"d{dot} MMMM"
    end = month if last.year == today.year == first.year else f"{month} y"
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}{dot}\N{EN DASH}{format_date(last, end, LOCALES[language])}"
    begin = month if first.year == last.year else f"{month} y"
    return f"{format_date(first, begin, LOCALES[language])} \N{EN DASH} {format_date(last, end, LOCALES[language])}"


@lru_cache(maxsize=2_000)
def write_date(day: date, language: str) -> str:
    """Return a day with its year, for use inside a sentence: tirsdag 24. november 2026."""
    return format_date(day, f"{_DAYS[language]} y", LOCALES[language])


def write_day(day: date, today: date, language: str) -> str:
    """Return a day for use inside a sentence, with its year if that is not the present one: tirsdag 24. november."""
    is_other_year = day.year != today.year
    return write_date(day, language) if is_other_year else format_date(day, _DAYS[language], LOCALES[language])


def show_clock(moment: datetime, zone: tzinfo, language: str) -> str:
    """Return the time of day of a moment in a zone: 10:30."""
    local = moment.astimezone(zone)
    return _write_clock(local.hour, local.minute, language)


@cache
def _write_clock(hour: int, minute: int, language: str) -> str:
    return format_time(time(hour, minute), "short", locale=LOCALES[language])


def show_zone(zone: tzinfo, language: str) -> str:
    """Return the name of a time zone as people call it, inside a sentence: Danish time, New York time."""
    key = getattr(zone, "key", "")
    named = _NAMED_ZONES[language].get(key)
    if named is not None:
        return named
    if "/" not in key or key.startswith("Etc/"):
        return get_timezone_name(zone, locale=LOCALES[language])
    city = get_timezone_location(zone, locale=LOCALES[language], return_city=True)
    return _CITY_TIMES[language].format(city=city)


def _show(day: date, pattern: str, language: str) -> str:
    return _begin_with_capital(format_date(day, pattern, LOCALES[language]))


def _begin_with_capital(text: str) -> str:
    return text[:1].upper() + text[1:]
