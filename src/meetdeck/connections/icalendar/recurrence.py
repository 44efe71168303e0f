"""Computes the starts of a recurring entry in a span by jumping there; earlier repeats cost almost nothing."""

from collections.abc import Iterator
from datetime import MAXYEAR, UTC, date, datetime, time, timedelta
from itertools import product
from typing import Final

from meetdeck.connections.icalendar import fine
from meetdeck.connections.icalendar.days import Days
from meetdeck.connections.icalendar.problems import CalendarRefused, EntryRefused, Problem
from meetdeck.connections.icalendar.rules import Frequency, Rule
from meetdeck.connections.icalendar.times import Stamp

_MOST_COUNTED: Final = 5_000  # periods that may be examined to count the repetitions before a span
_MOST_YEARS: Final = 1_000  # for rules that are counted one year at a time
_DAY: Final = timedelta(days=1)
_WEEK_DAYS: Final = 7


class Recurrence:
    """A rule with the start of its entry. Raises EntryRefused for too many times in a day."""

    def __init__(self, rule: Rule, start: Stamp) -> None:
        self._rule = rule = rule.complete(start)
        self._start = start.local
        self._until = _find_end(rule.until, start)
        self._days = Days(rule, start.local.date())
        self._times = [] if rule.is_fine else _list_times(rule)
        self._positions = rule.positions
        if rule.frequency is Frequency.DAILY and rule.positions:
            self._times, self._positions = [self._times[one] for one in _choose(rule, len(self._times))], ()

    def list_starts(self, begin: datetime, end: datetime, most: int) -> list[datetime]:
        """Return the local starts from `begin` to before `end`, in order.

        Raises EntryRefused, and CalendarRefused for more than `most`.
        """
        begin, end = max(begin, self._start), min(end, self._until)
        if begin >= end:
            return []
        if self._rule.is_fine:
            return fine.list_starts(self._rule, self._days, self._start, begin, end)
        first = begin.toordinal()
        left = None if self._rule.count is None else self._rule.count - self._count_before(first)
        found: list[datetime] = []
        for number, start in enumerate(self._follow(first, (end + _DAY).toordinal())):
            if start >= end or (left is not None and number >= left):
                break
            if number >= most:
                raise CalendarRefused(Problem.TOO_MANY)
            if start >= begin:
                found.append(start)
        return found

    def _follow(self, first: int, end: int) -> Iterator[datetime]:
        """Yield the starts on the days from `first` to before `end`, given as ordinals."""
        for days in self._list_days(first, end):
            for at in self._choose(days):
                day, hours = divmod(at, len(self._times))
                start = datetime.combine(date.fromordinal(days[day]), self._times[hours])
                if start >= self._start and first <= days[day] < end:
                    yield start

    def _list_days(self, first: int, end: int) -> Iterator[list[int]]:
        """Yield the days of each period; whole periods where positions count days."""
        if not self._positions:
            yield self._days.find_between(first, end)
            return
        for begin, stop in self._list_periods(first, end):
            yield self._days.find_between(begin, stop)

    def _choose(self, days: list[int]) -> Iterator[int] | range:
        """Return which of the times of some days are starts; each day has the same times."""
        times = len(days) * len(self._times)
        return iter(_choose(self._rule, times)) if self._positions else range(times)

    def _list_periods(self, first: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the first and last ordinal of each period that touches a span."""
        begin = _begin_period(self._rule, date.fromordinal(first))
        while begin is not None and begin.toordinal() < end:
            after = _begin_next(self._rule, begin)
            yield begin.toordinal(), after.toordinal() if after else date.max.toordinal() + 1
            begin = after

    def _count_before(self, day: int) -> int:
        """Return the number of starts before a day. Raises EntryRefused when that takes too long."""
        first = self._start.toordinal()
        if not self._positions:
            if (day - first) // 366 > _MOST_YEARS:
                raise EntryRefused(Problem.TOO_FAR)
            early = sum(1 for one in self._times if one < self._start.time())
            early *= self._days.count_between(first, min(first + 1, day))
            return self._days.count_between(first, day) * len(self._times) - early
        length = {Frequency.WEEKLY: 7, Frequency.MONTHLY: 28}.get(self._rule.frequency, 365)
        if (day - first) // length > _MOST_COUNTED:
            raise EntryRefused(Problem.TOO_FAR)
        return sum(1 for _ in self._follow(first, day))


def _list_times(rule: Rule) -> list[time]:
    """Return the times of a day. Raises EntryRefused for too many."""
    if len(rule.hours) * len(rule.minutes) * len(rule.seconds) > fine.MOST_STEPS:
        raise EntryRefused(Problem.TOO_FINE)
    return [time(*parts) for parts in product(rule.hours, rule.minutes, rule.seconds)]


def _choose(rule: Rule, size: int) -> list[int]:
    """Return the indexes, of `size` items, that the rule's positions select, in order."""
    counted = {one - 1 if one > 0 else size + one for one in rule.positions}
    return sorted(one for one in counted if 0 <= one < size)


def _begin_period(rule: Rule, day: date) -> date:
    if rule.frequency is Frequency.YEARLY:
        return day.replace(month=1, day=1)
    if rule.frequency is Frequency.MONTHLY:
        return day.replace(day=1)
    back = (day.weekday() - rule.week_start) % _WEEK_DAYS
    return date.fromordinal(max(day.toordinal() - back, 1))


def _begin_next(rule: Rule, begin: date) -> date | None:
    """Return when the next period begins; None if Python cannot represent it."""
    try:
        if rule.frequency is Frequency.YEARLY:
            return begin.replace(year=begin.year + 1)
        if rule.frequency is Frequency.MONTHLY:
            return (begin + timedelta(days=31)).replace(day=1)
        return begin + timedelta(days=_WEEK_DAYS)
    except (ValueError, OverflowError):
        return None


def _find_end(until: date | None, start: Stamp) -> datetime:
    """Return the local time before which a rule's starts lie; an `until` date includes its day."""
    last = datetime(MAXYEAR, 12, 31) - _DAY  # noqa: DTZ001 - local times have no zone
    if until is None or until.year == MAXYEAR:
        return last
    if not isinstance(until, datetime):
        return datetime.combine(until, time(0)) + _DAY
    local = until if until.tzinfo is None else start.zone.to_local(until.astimezone(UTC))
    return min(local + timedelta(seconds=1), last)
