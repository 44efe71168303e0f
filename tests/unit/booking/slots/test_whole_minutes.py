"""Searches at moments of one minute find the same, unless a length from now has seconds."""

from datetime import UTC, datetime, time, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from meetdeck.booking.slots.model import EVERY_TYPE, Calendars, Candidate, Organization, Query, Slot, WorkInterval
from meetdeck.booking.slots.search import search
from meetdeck.booking.slots.whole_minutes import Minute, is_same_within_minutes

_NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
_ODD = timedelta(seconds=30)
_LONG = timedelta(hours=2)
_HOURS = tuple(WorkInterval(weekday, time(0), time(0), EVERY_TYPE) for weekday in range(7))
_ADVISOR = Candidate(UUID(int=1), 1, ZoneInfo("UTC"), _HOURS)
_ORGANIZATION = Organization(ZoneInfo("UTC"), time(0), time(0))


def find(after_noon: timedelta, rule: str) -> list[Slot]:
    now = _NOON + after_noon
    advisor = replace(_ADVISOR, response_time=_LONG) if rule == "response_time" else _ADVISOR
    begin = now if rule == "ends_at" else _NOON - _LONG
    changed: dict[str, Any] = {rule: _LONG} if rule in ("minimum_notice", "max_ahead", "working_time_buffer") else {}
    query = Query(
        now=now,
        starts_at=begin,
        ends_at=begin + 5 * _LONG,
        duration=timedelta(hours=1),
        customer_initiated=True,
        **changed,
    )
    assert is_same_within_minutes(query, [advisor])
    return list(search(query, _ORGANIZATION, [advisor], [], Calendars()))


@pytest.mark.parametrize(
    "rule", ["past", "ends_at", "minimum_notice", "max_ahead", "working_time_buffer", "response_time"]
)
def test_at_each_moment_within_a_minute_a_search_finds_the_same(rule: str) -> None:
    """Another one before it: at noon, each of the rules allows another start."""
    before, first, middle, last = (
        find(timedelta(microseconds=number), rule) for number in (-1, 1, 30_000_000, 59_999_999)
    )
    assert first == middle == last != before
    assert first


@pytest.mark.parametrize(
    "changed",
    [
        {"minimum_notice": _ODD},
        {"max_ahead": _ODD},
        {"working_time_buffer": _ODD},
        {"ends_at": _NOON + _LONG + _ODD},
    ],
)
def test_a_length_from_now_with_seconds_may_change_what_is_found_at_any_moment(changed: dict[str, Any]) -> None:
    query = Query(
        now=_NOON, starts_at=_NOON, ends_at=_NOON + _LONG, duration=timedelta(hours=1), customer_initiated=True
    )
    assert is_same_within_minutes(query, [_ADVISOR])
    assert not is_same_within_minutes(replace(query, **changed), [_ADVISOR])
    assert not is_same_within_minutes(query, [replace(_ADVISOR, response_time=_ODD)])
    hours = replace(_HOURS[0], from_time=time(8, 0, 30))
    waiting, odd = replace(query, working_time_buffer=_LONG), [replace(_ADVISOR, intervals=(hours,))]
    assert is_same_within_minutes(query, odd)
    assert not is_same_within_minutes(waiting, odd)


def test_a_whole_minute_is_told_apart_from_what_follows() -> None:
    moment = datetime(2026, 3, 2, 6, tzinfo=UTC)
    later = [Minute.of(moment + timedelta(seconds=seconds)) for seconds in (0, 0.5, 59.5, 60)]
    assert later[1] == later[2]
    assert len(set(later)) == 3
