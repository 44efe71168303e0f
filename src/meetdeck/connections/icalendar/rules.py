"""Recurrence rules, as written in RRULE and EXRULE (RFC 5545, section 3.3.10)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import IntEnum
from typing import Final

from icalendar import vRecur

from meetdeck.connections.icalendar.problems import EntryRefused, Problem
from meetdeck.connections.icalendar.times import Stamp

WEEKDAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_WEEKDAY: Final = re.compile(r"([+-]?\d{1,3})?(MO|TU|WE|TH|FR|SA|SU)")
_LONGEST_INTERVAL: Final = 1_000_000
_MOST_VALUES: Final = 400  # of one part of a rule: the days of a year, with some margin


class Frequency(IntEnum):
    """The periods of rules, the shortest first."""

    SECONDLY = 0
    MINUTELY = 1
    HOURLY = 2
    DAILY = 3
    WEEKLY = 4
    MONTHLY = 5
    YEARLY = 6


@dataclass(frozen=True, slots=True)
class Rule:
    """A recurrence rule; missing parts are empty. Weekdays count from Monday, 0."""

    frequency: Frequency
    interval: int = 1
    count: int | None = None
    until: date | None = None
    """A date, a local time, or a moment in UTC."""
    week_start: int = 0
    months: frozenset[int] = frozenset()
    week_numbers: frozenset[int] = frozenset()
    year_days: frozenset[int] = frozenset()
    month_days: frozenset[int] = frozenset()
    weekdays: frozenset[int] = frozenset()
    nth_weekdays: frozenset[tuple[int, int]] = frozenset()
    """The n-th of a weekday in the month or year; below 0: from the end."""
    hours: tuple[int, ...] = ()
    minutes: tuple[int, ...] = ()
    seconds: tuple[int, ...] = ()
    positions: tuple[int, ...] = ()

    @property
    def names_days(self) -> bool:
        """Return whether the rule selects days of a month, week or year."""
        return bool(self.week_numbers or self.year_days or self.month_days or self.weekdays or self.nth_weekdays)

    @property
    def is_fine(self) -> bool:
        """Return whether its period is shorter than a day."""
        return self.frequency < Frequency.DAILY

    def complete(self, start: Stamp) -> "Rule":
        """Return the rule with the day, weekday, month and time that it inherits from the entry's start."""
        rule = self if self.is_fine else self._complete_days(start.local)
        if start.is_date:
            return replace(rule, hours=(0,), minutes=(0,), seconds=(0,))
        local, frequency = start.local, self.frequency
        return replace(
            rule,
            hours=self.hours or (() if frequency <= Frequency.HOURLY else (local.hour,)),
            minutes=self.minutes or (() if frequency <= Frequency.MINUTELY else (local.minute,)),
            seconds=self.seconds or (() if frequency <= Frequency.SECONDLY else (local.second,)),
        )

    def _complete_days(self, local: datetime) -> "Rule":
        if self.names_days:
            if self.week_numbers and not (self.weekdays or self.nth_weekdays or self.year_days or self.month_days):
                return replace(self, weekdays=frozenset({local.weekday()}))
            return self
        if self.frequency is Frequency.WEEKLY:
            return replace(self, weekdays=frozenset({local.weekday()}))
        if self.frequency is Frequency.MONTHLY:
            return replace(self, month_days=frozenset({local.day}))
        if self.frequency is Frequency.YEARLY:
            months = self.months or frozenset({local.month})
            return replace(self, months=months, month_days=frozenset({local.day}))
        return self


def read_rule(text: str) -> Rule:
    """Return the rule in a text. Raises EntryRefused if it violates RFC 5545."""
    try:
        parts = {str(name).upper(): list(values) for name, values in vRecur.from_ical(text.strip()).items()}
        return _read_parts(parts)
    except (ValueError, TypeError, KeyError, IndexError, OverflowError):
        raise EntryRefused(Problem.MALFORMED) from None


def _read_parts(parts: Mapping[str, Sequence[object]]) -> Rule:
    if parts.get("RSCALE", ["GREGORIAN"])[0] != "GREGORIAN":
        raise ValueError("other calendars are not read")
    frequency = Frequency[str(parts["FREQ"][0]).upper()]
    weekdays, nth = _read_weekdays(parts.get("BYDAY", ()))
    if frequency < Frequency.MONTHLY:  # ordinals have no meaning there
        weekdays, nth = weekdays | {weekday for _, weekday in nth}, frozenset[tuple[int, int]]()
    return Rule(
        frequency,
        interval=min(_read_number(parts, "INTERVAL", 1) or 1, _LONGEST_INTERVAL),
        count=_read_number(parts, "COUNT", None),
        until=_read_until(parts.get("UNTIL", ())),
        week_start=WEEKDAYS.index(str(parts.get("WKST", ["MO"])[0]).upper()),
        months=frozenset(_read_numbers(parts, "BYMONTH", 1, 12)),
        week_numbers=frozenset(_read_numbers(parts, "BYWEEKNO", 1, 53, signed=True)),
        year_days=frozenset(_read_numbers(parts, "BYYEARDAY", 1, 366, signed=True)),
        month_days=frozenset(_read_numbers(parts, "BYMONTHDAY", 1, 31, signed=True)),
        weekdays=weekdays,
        nth_weekdays=nth,
        hours=_read_numbers(parts, "BYHOUR", 0, 23),
        minutes=_read_numbers(parts, "BYMINUTE", 0, 59),
        seconds=tuple(sorted({min(second, 59) for second in _read_numbers(parts, "BYSECOND", 0, 60)})),
        positions=_read_numbers(parts, "BYSETPOS", 1, 366, signed=True),
    )


def _read_until(values: Sequence[object]) -> date | None:
    if not values:
        return None
    if not isinstance(values[0], date):
        raise TypeError("UNTIL is not a date")
    return values[0]


def _read_number(parts: Mapping[str, Sequence[object]], name: str, default: int | None) -> int | None:
    if name not in parts:
        return default
    number = int(str(parts[name][0]))
    if number < 1:
        raise ValueError(f"{name} must be at least 1")
    return number


def _read_numbers(
    parts: Mapping[str, Sequence[object]], name: str, least: int, most: int, *, signed: bool = False
) -> tuple[int, ...]:
    """Return the numbers of a part, sorted, without duplicates."""
    values = parts.get(name, ())
    if len(values) > _MOST_VALUES:
        raise ValueError(f"{name} is too long")
    numbers = tuple(sorted({int(str(value)) for value in values}))
    if any(not least <= (abs(number) if signed else number) <= most for number in numbers):
        raise ValueError(f"{name} is out of range")
    return numbers


def _read_weekdays(values: Sequence[object]) -> tuple[frozenset[int], frozenset[tuple[int, int]]]:
    """Return the weekdays without an ordinal, and those with one."""
    if len(values) > _MOST_VALUES:
        raise ValueError("BYDAY is too long")
    plain: set[int] = set()
    nth: set[tuple[int, int]] = set()
    for value in values:
        found = _WEEKDAY.fullmatch(str(value).upper())
        if found is None:
            raise ValueError("BYDAY has no weekday")
        weekday = WEEKDAYS.index(found[2])
        if found[1] is None:
            plain.add(weekday)
        elif 1 <= abs(int(found[1])) <= 53:  # noqa: PLR2004 - the weeks of a year
            nth.add((int(found[1]), weekday))
        else:
            raise ValueError("BYDAY has an ordinal out of range")
    return frozenset(plain), frozenset(nth)
