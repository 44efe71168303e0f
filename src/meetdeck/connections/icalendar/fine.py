"""Rules that repeat within the day. They are followed step by step, and refused if that takes too many steps."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import product
from typing import Final

from meetdeck.connections.icalendar.days import Days
from meetdeck.connections.icalendar.problems import EntryRefused, Problem
from meetdeck.connections.icalendar.rules import Frequency, Rule

MOST_STEPS: Final = 500
"""The most steps in a span, and the most times of a day."""
_STEPS: Final = {
    Frequency.HOURLY: timedelta(hours=1),
    Frequency.MINUTELY: timedelta(minutes=1),
    Frequency.SECONDLY: timedelta(seconds=1),
}


def list_starts(rule: Rule, days: Days, start: datetime, begin: datetime, end: datetime) -> list[datetime]:
    """Return the starts from `begin` to before `end`, in order; the rule is completed, and begins at `start`.

    Raises EntryRefused for 500 or more steps.
    """
    step = _STEPS[rule.frequency] * rule.interval
    origin = _floor(rule, start)
    counts_from_start = rule.count is not None
    if rule.count is not None and _takes_every_step(rule):
        end, counts_from_start = min(end, _add(start, step * rule.count, end)), False
    first = 0 if counts_from_start else (begin - origin) // step
    last = (end - origin) // step
    if last - first >= MOST_STEPS:
        raise EntryRefused(Problem.TOO_FINE)
    found: list[datetime] = []
    for number in range(first, last + 1):
        found += [at for at in _list_in(rule, days, origin + step * number) if at >= start]
        if len(found) >= MOST_STEPS:
            raise EntryRefused(Problem.TOO_FINE)
    if counts_from_start:
        found = found[: rule.count]
    return [at for at in found if begin <= at < end]


def _add(start: datetime, length: timedelta, most: datetime) -> datetime:
    return start + length if length < most - start else most


def _takes_every_step(rule: Rule) -> bool:
    """Return whether each step of a rule is one start, so that no counting is needed."""
    limits = [rule.names_days, rule.months, rule.hours, rule.positions]
    if rule.frequency is Frequency.HOURLY:
        return not any(limits) and len(rule.minutes) == len(rule.seconds) == 1
    limits.append(rule.minutes)
    return not any(limits) and len(rule.seconds) == (1 if rule.frequency is Frequency.MINUTELY else 0)


def _floor(rule: Rule, start: datetime) -> datetime:
    """Return the start of the hour, minute or second."""
    if rule.frequency is Frequency.HOURLY:
        return start.replace(minute=0, second=0)
    return start.replace(second=0) if rule.frequency is Frequency.MINUTELY else start


def _list_in(rule: Rule, days: Days, period: datetime) -> Iterator[datetime]:
    """Yield the starts in an hour, minute or second."""
    if not _is_wanted(rule, days, period):
        return
    minutes = rule.minutes if rule.frequency is Frequency.HOURLY else (period.minute,)
    seconds = (period.second,) if rule.frequency is Frequency.SECONDLY else rule.seconds
    if (size := len(minutes) * len(seconds)) > MOST_STEPS:
        raise EntryRefused(Problem.TOO_FINE)
    wanted = {one - 1 if one > 0 else size + one for one in rule.positions} or range(size)
    for number, (minute, second) in enumerate(product(minutes, seconds)):
        if number in wanted:
            yield period.replace(minute=minute, second=second)


def _is_wanted(rule: Rule, days: Days, period: datetime) -> bool:
    day = period.timetuple().tm_yday - 1
    return (
        (days.find_in(period.year) >> day & 1) == 1
        and (not rule.hours or period.hour in rule.hours)
        and (rule.frequency is Frequency.HOURLY or not rule.minutes or period.minute in rule.minutes)
        and (rule.frequency is not Frequency.SECONDLY or not rule.seconds or period.second in rule.seconds)
    )
