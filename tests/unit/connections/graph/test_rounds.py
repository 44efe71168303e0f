"""A round of 10,000 mailboxes, four requests at once: who is read when, and what a refusal costs."""

import heapq
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

import pytest

from meetdeck.connections.graph.pacing import Pace
from meetdeck.connections.graph.rounds import (
    MOST_AT_ONCE,
    Batch,
    Horizon,
    LastReadings,
    find_lateness,
    find_next_due,
    plan_batches,
)

_NOW: Final = datetime(2026, 11, 24, 8, tzinfo=UTC)
_ANSWER: Final = timedelta(milliseconds=700)


class _Service:
    """Graph in a time of its own: `most` requests at once, each answered after a while."""

    def __init__(self, mailboxes: int, most: int = 4, answer: timedelta = _ANSWER) -> None:
        self.most = most
        self.answer = answer
        self.now = _NOW
        self.pace = Pace(_NOW)
        self.read_at: dict[tuple[Horizon, UUID], datetime] = {}
        self.sought_at: dict[UUID, datetime] = {}
        self.ids = [UUID(int=number + 1) for number in range(mailboxes)]
        self.refused = 0
        self.answered = 0
        self._running: list[tuple[datetime, int, datetime, Batch]] = []

    def run_until(self, is_over: Callable[[], bool]) -> None:
        """Plan and answer requests until something is so."""
        while not is_over():
            for batch in self._plan(self.pace.count_free(len(self._running), self.now)):
                self._begin(batch)
            if self._running:
                self._answer()
            else:
                self.now = max(self.pace.resumes_at, self.now + timedelta(seconds=1))

    def _plan(self, most: int) -> list[Batch]:
        readings = (
            LastReadings(
                id_,
                self.read_at.get((Horizon.NEAR, id_)),
                self.read_at.get((Horizon.FAR, id_)),
                self.sought_at.get(id_),
            )
            for id_ in self.ids
        )
        asked = frozenset((batch.horizon, id_) for *_, batch in self._running for id_ in batch.ids)
        return plan_batches(readings, asked, self.now, most) if most else []

    def _begin(self, batch: Batch) -> None:
        if len(self._running) >= self.most:
            self.refused += 1
            self.pace.be_refused(self.now, self.now, timedelta(seconds=1))
        else:
            heapq.heappush(self._running, (self.now + self.answer, self.answered + len(self._running), self.now, batch))

    def _answer(self) -> None:
        self.now, _, began_at, batch = heapq.heappop(self._running)
        self.answered += 1
        self.pace.succeed(self.now)
        self.read_at |= {(batch.horizon, id_): began_at for id_ in batch.ids}

    def find_ages(self, horizon: Horizon) -> list[timedelta]:
        """Return the ages of what was read."""
        return [self.now - self.read_at[horizon, id_] for id_ in self.ids if (horizon, id_) in self.read_at]


def test_the_mailboxes_of_a_small_firm_are_read_each_minute_and_not_more_often() -> None:
    service = _Service(30)
    service.run_until(lambda: service.now >= _NOW + timedelta(minutes=20))
    near, far = service.find_ages(Horizon.NEAR), service.find_ages(Horizon.FAR)
    assert max(near) <= timedelta(seconds=62)
    assert max(far) <= timedelta(minutes=15, seconds=2)
    assert service.answered <= 2 * (21 + 2)


def test_who_is_searched_for_is_read_more_often() -> None:
    service = _Service(60)
    service.sought_at = dict.fromkeys(service.ids[:5], _NOW + timedelta(minutes=3))
    service.run_until(lambda: service.now >= _NOW + timedelta(minutes=4))
    ages = [service.now - service.read_at[Horizon.NEAR, id_] for id_ in service.ids[:5]]
    assert max(ages) <= timedelta(seconds=22)


def test_nobody_waits_for_ever_though_all_are_searched_for() -> None:
    service = _Service(200, most=1, answer=timedelta(seconds=3.5))
    service.sought_at = dict.fromkeys(service.ids, _NOW + timedelta(hours=2))
    service.run_until(lambda: service.now >= _NOW + timedelta(minutes=40))
    assert len(service.find_ages(Horizon.NEAR)) == len(service.find_ages(Horizon.FAR)) == 200
    assert max(service.find_ages(Horizon.NEAR)) <= timedelta(seconds=120)
    assert max(service.find_ages(Horizon.FAR)) <= timedelta(minutes=35)


def test_a_request_has_twenty_mailboxes_of_one_horizon_the_latest_first() -> None:
    old, new = _NOW - timedelta(minutes=3), _NOW - timedelta(seconds=30)
    readings = [LastReadings(UUID(int=number), old if number % 2 else new, _NOW) for number in range(60)]
    [batch] = plan_batches(readings, frozenset(), _NOW, 1)
    assert batch.horizon is Horizon.NEAR
    assert len(batch.ids) == MOST_AT_ONCE
    assert all(id_.int % 2 for id_ in batch.ids)
    running = frozenset((batch.horizon, id_) for id_ in batch.ids)
    [following, *more] = plan_batches(readings, running, _NOW, 4)
    assert more == []  # the others are not due, and were taken along
    assert len(following.ids) == MOST_AT_ONCE
    assert not set(following.ids) & set(batch.ids)


def test_ten_thousand_mailboxes_are_planned_in_one_go() -> None:
    readings = [LastReadings(UUID(int=number + 1), None, None) for number in range(10_000)]
    batches = plan_batches(readings, frozenset(), _NOW, 1_000)
    assert len({(batch.horizon, id_) for batch in batches for id_ in batch.ids}) == 20_000
    assert len(batches) == 1_000


def test_nothing_is_asked_for_that_is_not_due() -> None:
    fresh = LastReadings(UUID(int=1), _NOW - timedelta(seconds=59), _NOW - timedelta(minutes=14))
    assert plan_batches([fresh], frozenset(), _NOW, 4) == []
    assert find_lateness(LastReadings(UUID(int=1), None, None), Horizon.FAR, _NOW) == float("inf")


@pytest.mark.parametrize("horizon", Horizon)
def test_the_horizons_meet_and_are_less_than_62_days(horizon: Horizon) -> None:
    (near_begin, near_end), (far_begin, far_end) = (each.find_window(_NOW) for each in Horizon)
    assert near_end == far_begin
    assert near_begin <= _NOW
    assert far_end - near_begin < timedelta(days=62)
    assert horizon.find_window(_NOW) == horizon.find_window(_NOW + timedelta(hours=15))


@pytest.mark.parametrize(("most", "seconds"), [(4, 90), (2, 200)])
def test_ten_thousand_mailboxes_are_read_in_a_round(most: int, seconds: int) -> None:
    pace, now, running, left, refused = Pace(_NOW), _NOW, list[tuple[datetime, datetime]](), 500, 0
    while left or running:
        while left and pace.count_free(len(running), now):
            if len(running) >= most:
                refused += 1
                pace.be_refused(now, now, timedelta(seconds=1))
            else:
                left -= 1
                heapq.heappush(running, (now + _ANSWER, now))
        if running:
            now, _ = heapq.heappop(running)
            pace.succeed(now)
        else:
            now = pace.resumes_at
    assert now - _NOW <= timedelta(seconds=seconds)
    assert refused <= 3


def test_the_pace_rises_where_it_is_let_and_halves_once_for_a_flight() -> None:
    pace, now = Pace(_NOW), _NOW
    for _ in range(2_000):
        now += timedelta(seconds=1)
        pace.succeed(now)
    assert pace.width > 8
    began_at, width = now, pace.width
    for _ in range(3):
        now += timedelta(milliseconds=1)
        pace.be_refused(began_at, now, timedelta(seconds=7))
    assert pace.width == width // 2
    assert pace.count_free(0, now + timedelta(seconds=6)) == 0
    assert pace.count_free(0, now + timedelta(seconds=7)) == width // 2
    for _ in range(width):
        pace.succeed(now)
    assert pace.width == width - 1  # where it was refused is not tried at once


def test_a_refusal_without_a_time_is_waited_for_longer_each_time() -> None:
    pace = Pace(_NOW)
    pauses = list[timedelta]()
    for _ in range(12):
        pace.be_refused(_NOW, _NOW, None)
        pauses.append(pace.resumes_at - _NOW)
    assert [pause.total_seconds() for pause in pauses[:3]] == [1, 2, 4]
    assert max(pauses) == timedelta(minutes=5)
    assert pace.width >= 1


def test_one_place_is_kept_for_who_reserves() -> None:
    pace = Pace(_NOW)
    assert [pace.count_free(running, _NOW, keeps_one=True) for running in (0, 2, 3)] == [3, 1, 0]
    assert pace.count_free(3, _NOW) == 1


def test_the_next_round_is_due_when_the_first_mailbox_is() -> None:
    ago = {seconds: _NOW - timedelta(seconds=seconds) for seconds in (10, 30)}
    sought = LastReadings(UUID(int=1), ago[10], ago[10], sought_at=ago[30])
    others = LastReadings(UUID(int=2), ago[30], ago[10])
    assert find_next_due([sought, others], _NOW) == _NOW + timedelta(seconds=10)
    assert find_next_due([others], _NOW) == _NOW + timedelta(seconds=30)
    assert find_next_due([LastReadings(UUID(int=3), None, None)], _NOW) == _NOW
    assert find_next_due([], _NOW) is None
