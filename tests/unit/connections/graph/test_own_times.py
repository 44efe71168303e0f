"""Events that Meetdeck wrote are left out of what is read, and nothing else is."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from meetdeck.connections.graph.own_times import GONE_FOR, WrittenTime, find_other_times
from meetdeck.connections.icalendar import BusyTime, Kind

_DAY: Final = datetime(2026, 11, 24, tzinfo=UTC)
_NOW: Final = _DAY + timedelta(hours=8)
_WINDOW: Final = (_DAY, _DAY + timedelta(days=1))
_SPANS: Final = [
    (_DAY + timedelta(hours=hour), _DAY + timedelta(hours=hour + length)) for hour in range(9, 13) for length in (1, 2)
]

spans = st.sampled_from(_SPANS)
kinds = st.sampled_from([Kind.BUSY, Kind.BUSY, Kind.ELSEWHERE])
foreign = st.lists(st.tuples(spans, kinds).map(lambda drawn: BusyTime(*drawn[0], drawn[1])), max_size=6)
written = st.lists(st.tuples(spans, st.one_of(st.none(), st.integers(0, 20))), max_size=6)


def _write(given_: list[tuple[tuple[datetime, datetime], int | None]]) -> list[WrittenTime]:
    return [
        WrittenTime(UUID(int=number + 1), *span, None if minutes is None else _NOW - timedelta(minutes=minutes))
        for number, (span, minutes) in enumerate(given_)
    ]


def _as_item(one: WrittenTime) -> BusyTime:
    return BusyTime(one.starts_at, one.ends_at, Kind.BUSY)


@given(foreign, written)
def test_a_calendar_with_our_meetings_reads_as_without_them(
    others: list[BusyTime], given_: list[tuple[tuple[datetime, datetime], int | None]]
) -> None:
    ours = _write(given_)
    there = [_as_item(one) for one in ours if one.gone_at is None or _NOW - one.gone_at < GONE_FOR]
    kept, missing = find_other_times([*others, *there], ours, _WINDOW, _NOW)
    assert kept == sorted(others)
    assert missing == frozenset()


@given(foreign, written, st.data())
def test_what_is_not_told_yet_hides_nothing_but_what_a_meeting_takes_anyway(
    others: list[BusyTime], given_: list[tuple[tuple[datetime, datetime], int | None]], data: st.DataObject
) -> None:
    ours = _write(given_)
    told = [one for one in ours if data.draw(st.booleans())]
    kept = find_other_times([*others, *(_as_item(one) for one in told)], ours, _WINDOW, _NOW).times
    taken = {(one.starts_at, one.ends_at) for one in ours if one.gone_at is None or _NOW - one.gone_at < GONE_FOR}
    lost = Counter(others) - Counter(kept)
    assert all((time.starts_at, time.ends_at) in taken for time in lost)


def test_a_second_appointment_of_the_same_time_stays() -> None:
    [ours] = _write([(_SPANS[0], None)])
    twice = [_as_item(ours), _as_item(ours)]
    assert find_other_times(twice, [ours], _WINDOW, _NOW).times == [_as_item(ours)]


def test_a_moved_event_is_missing_where_it_was_written() -> None:
    [ours] = _write([(_SPANS[0], None)])
    moved = BusyTime(*_SPANS[2], Kind.BUSY)
    kept, missing = find_other_times([moved], [ours], _WINDOW, _NOW)
    assert (kept, missing) == ([moved], {ours.owner_id})


def test_what_is_outside_of_the_window_is_not_missing() -> None:
    [ours] = _write([(_SPANS[0], None)])
    later = (_WINDOW[1], _WINDOW[1] + timedelta(days=1))
    assert find_other_times([], [ours], later, _NOW).missing == frozenset()


def test_a_cancelled_event_is_left_out_for_ten_minutes() -> None:
    just, long_ago = _write([(_SPANS[0], 9), (_SPANS[2], 10)])
    kept = find_other_times([_as_item(just), _as_item(long_ago)], [just, long_ago], _WINDOW, _NOW).times
    assert kept == [_as_item(long_ago)]
