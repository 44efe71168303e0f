"""The days on which a rule repeats, one year at a time: a number in which bit i stands for day i, from 0.

A year costs some microseconds, however often the rule repeats in it.
"""

from calendar import isleap
from collections.abc import Iterator
from datetime import MAXYEAR, MINYEAR, date
from functools import lru_cache
from typing import Final, NamedTuple

from meetdeck.connections.icalendar.rules import Frequency, Rule

_WEEK: Final = 7
_FIRST_WEEK: Final = 4
"""A year's first week has at least this many of its days (ISO 8601 and RFC 5545)."""
_WEEKDAYS: Final = tuple(sum(1 << day for day in range(first, 366 + _WEEK, _WEEK)) for first in range(_WEEK))


class _Year(NamedTuple):
    """A year: the ordinal and weekday of its first day, and the days before each month and before the next year."""

    year: int
    ordinal: int
    weekday: int
    months: tuple[int, ...]

    @property
    def length(self) -> int:
        """Return the number of days."""
        return self.months[12]


class Days:
    """The days on which a completed rule repeats, beginning on a day."""

    def __init__(self, rule: Rule, start: date) -> None:
        self._rule = rule
        self._start = start
        self._found: dict[int, int] = {}

    def find_in(self, year: int) -> int:
        """Return the days of a year, including those before the start."""
        if year not in self._found:
            self._found[year] = self._find_anew(year)
        return self._found[year]

    def _find_anew(self, year: int) -> int:
        rule, about = self._rule, _describe(year)
        found = (1 << about.length) - 1
        if rule.months:
            found &= _join(_span(about.months[month - 1], about.months[month]) for month in rule.months)
        if rule.month_days:
            found &= _list_month_days(rule, about)
        if rule.weekdays or rule.nth_weekdays:
            found &= _list_weekdays(rule, about)
        if rule.year_days:
            found &= _join(
                1 << (day - 1 if day > 0 else about.length + day) for day in rule.year_days if abs(day) <= about.length
            )
        if rule.week_numbers:
            found &= _list_weeks(rule, about)
        return found & self._list_periods(about) if found and rule.interval > 1 else found

    def find_between(self, first: int, end: int) -> list[int]:
        """Return the ordinals of the days from `first` to before `end`."""
        found: list[int] = []
        for ordinal, days in self._list_years(first, end):
            rest = days
            while rest:
                lowest = rest & -rest
                found.append(ordinal + lowest.bit_length() - 1)
                rest ^= lowest
        return found

    def count_between(self, first: int, end: int) -> int:
        """Return the number of days from `first` to before `end`."""
        return sum(days.bit_count() for _, days in self._list_years(first, end))

    def _list_years(self, first: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the ordinal of each year's first day, and its days between two ordinals."""
        first, end = max(first, 1), min(end, date.max.toordinal() + 1)
        if first >= end:
            return
        for year in range(date.fromordinal(first).year, date.fromordinal(end - 1).year + 1):
            ordinal = _describe(year).ordinal
            days = self.find_in(year) & _span(max(first - ordinal, 0), end - ordinal)
            if days:
                yield ordinal, days

    def _list_periods(self, about: _Year) -> int:
        """Return the days in periods that the interval does not skip."""
        rule, start = self._rule, self._start
        if rule.frequency is Frequency.YEARLY:
            return (1 << about.length) - 1 if (about.year - start.year) % rule.interval == 0 else 0
        if rule.frequency is Frequency.MONTHLY:
            passed = (about.year - start.year) * 12 - start.month + 1
            chosen = (month for month in range(12) if (passed + month) % rule.interval == 0)
            return _join(_span(about.months[month], about.months[month + 1]) for month in chosen)
        if rule.frequency is Frequency.WEEKLY:
            begin = start.toordinal() - (start.weekday() - rule.week_start) % _WEEK
            return _repeat((begin - about.ordinal) % (_WEEK * rule.interval), _WEEK * rule.interval, _WEEK)
        if rule.frequency is Frequency.DAILY:
            return _repeat((start.toordinal() - about.ordinal) % rule.interval, rule.interval, 1)
        return (1 << about.length) - 1


def _list_month_days(rule: Rule, about: _Year) -> int:
    found = 0
    for month in range(12):
        begin, end = about.months[month], about.months[month + 1]
        for day in rule.month_days:
            if abs(day) <= end - begin:
                found |= 1 << (begin + day - 1 if day > 0 else end + day)
    return found


def _list_weekdays(rule: Rule, about: _Year) -> int:
    found = _join(_WEEKDAYS[(weekday - about.weekday) % _WEEK] for weekday in rule.weekdays)
    if not rule.nth_weekdays:
        return found
    if rule.frequency is Frequency.MONTHLY:
        spans = [(about.months[month], about.months[month + 1]) for month in range(12)]
    elif rule.months:
        spans = [(about.months[month - 1], about.months[month]) for month in rule.months]
    else:
        spans = [(0, about.length)]
    for begin, end in spans:
        for number, weekday in rule.nth_weekdays:
            if number > 0:
                day = begin + (weekday - about.weekday - begin) % _WEEK + _WEEK * (number - 1)
            else:
                day = end - 1 - (end - 1 + about.weekday - weekday) % _WEEK + _WEEK * (number + 1)
            if begin <= day < end:
                found |= 1 << day
    return found


def _list_weeks(rule: Rule, about: _Year) -> int:
    """Return the days in weeks with the rule's numbers; the first and last week may belong to the neighbouring year."""
    first = _find_first_week(about.year, rule.week_start)
    last_of_before = _find_first_week(about.year - 1, rule.week_start) - _describe(about.year - 1).length
    next_first = about.length + _find_first_week(about.year + 1, rule.week_start)
    after_next = next_first + _count_days_to(about, rule.week_start)
    return _join(
        _span(max(day, 0), min(day + _WEEK, about.length))
        for begin, end in ((last_of_before, first), (first, next_first), (next_first, after_next))
        for day in range(begin, end, _WEEK)
        if day + _WEEK > 0 and day < about.length and _is_week(rule, (day - begin) // _WEEK + 1, (end - begin) // _WEEK)
    )


def _count_days_to(about: _Year, week_start: int) -> int:
    """Return the days of a year that belong to weeks of the next year."""
    begin = _find_first_week(about.year + 1, week_start)
    return _describe(about.year + 1).length + _find_first_week(about.year + 2, week_start) - begin


def _is_week(rule: Rule, number: int, weeks: int) -> bool:
    return number in rule.week_numbers or number - weeks - 1 in rule.week_numbers


def _find_first_week(year: int, week_start: int) -> int:
    """Return the offset of a year's first week from the year's first day; negative by at most three days."""
    begin = (week_start - _describe(year).weekday) % _WEEK
    return begin - _WEEK if begin >= _FIRST_WEEK else begin


@lru_cache(4_000)
def _describe(year: int) -> _Year:
    """Return a year; years that Python cannot represent are described like similar ones."""
    like = year if MINYEAR <= year <= MAXYEAR else (year % 400) + 400
    first = date(like, 1, 1)
    months = [0]
    for length in (31, 29 if isleap(like) else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31):
        months.append(months[-1] + length)
    return _Year(year, first.toordinal(), first.weekday(), tuple(months))


def _span(begin: int, end: int) -> int:
    """Return the days from `begin` to before `end`."""
    return (1 << end) - (1 << begin) if begin < end else 0


@lru_cache(4_000)
def _repeat(first: int, every: int, length: int) -> int:
    """Return the first day of each period of `every` days that begins in a year; `first` is one such day."""
    begins = range(first - every, 366, every)
    return _join(_span(max(begin, 0), min(begin + length, 366)) for begin in begins if begin + length > 0)


def _join(parts: Iterator[int]) -> int:
    found = 0
    for part in parts:
        found |= part
    return found
