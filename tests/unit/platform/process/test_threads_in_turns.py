"""Work in threads: by whose turn, and until its budget is spent."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, Future
from typing import Any, TypeVar
from uuid import UUID, uuid4

import pytest
from prometheus_client import REGISTRY

from meetdeck.platform.process.threads import Check, Threads, TooCostly
from meetdeck.platform.process.turns import ShareFull

T = TypeVar("T")
A, B, C = uuid4(), uuid4(), uuid4()


class HandExecutor(Executor):
    """Threads in the hand of a test: what was begun runs when it says so."""

    def __init__(self) -> None:
        self.begun: list[Callable[[], object]] = []

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:  # noqa: ARG002
        self.begun.append(fn)
        return Future()

    async def end(self) -> None:
        """Run what was begun first."""
        self.begun.pop(0)()
        for _ in range(5):
            await asyncio.sleep(0)


class Hand:
    """Threads with an executor and a clock in the hand of a test."""

    def __init__(self, noun: str = "pieces", *, size: int = 2, waiting: int = 256, in_halves: bool = True) -> None:
        self.executor = HandExecutor()
        self.seconds = 0.0
        self.threads = Threads(
            noun,
            seconds=10,
            advice="Send less.",
            waiting=waiting,
            size=size,
            in_halves=in_halves,
            executor=self.executor,
            clock=lambda: self.seconds,
            passing=lambda: self.seconds,
        )
        self.done: list[str] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def ask(self, tenant_id: UUID, *names: str) -> list[asyncio.Task[None]]:
        tasks = [asyncio.create_task(self._run(tenant_id, name)) for name in names]
        self._tasks |= {*tasks}
        await asyncio.sleep(0)
        return tasks

    async def _run(self, tenant_id: UUID, name: str) -> None:
        await self.threads.run(tenant_id, lambda _: self.done.append(name))


async def test_a_flood_of_one_tenant_leaves_a_thread_for_each_of_the_others() -> None:
    hand = Hand()
    await hand.ask(A, *(f"a{number}" for number in range(100)))
    assert len(hand.executor.begun) == 1  # the other thread is for others
    await hand.ask(B, "b")
    assert len(hand.executor.begun) == 2
    await hand.ask(C, "c")
    for _ in range(3):
        await hand.executor.end()
    assert hand.done == ["a0", "b", "c"]


async def test_tenants_take_turns_however_much_each_has_waiting() -> None:
    hand = Hand()
    await hand.ask(A, *(f"a{number}" for number in range(10)))
    await hand.ask(B, "b0", "b1")
    await hand.ask(C, "c0")
    while hand.executor.begun:
        await hand.executor.end()
    assert hand.done[:5] == ["a0", "b0", "c0", "a1", "b1"]
    assert len(hand.done) == 13


async def test_one_kind_of_work_never_waits_for_another() -> None:
    decks, pages = Hand(), Hand()
    await decks.ask(A, *(f"deck {number}" for number in range(50)))
    await pages.ask(A, "page")
    await pages.executor.end()
    assert pages.done == ["page"]


async def test_a_piece_keeps_its_thread_until_it_ends_though_its_caller_has_gone() -> None:
    hand = Hand()
    first, _ = await hand.ask(A, "a0", "a1")
    first.cancel()
    await asyncio.wait({first})
    assert len(hand.executor.begun) == 1
    await hand.executor.end()
    assert len(hand.executor.begun) == 1  # the next one's
    await hand.executor.end()
    assert hand.done[-1] == "a1"


async def test_work_of_a_caller_who_has_gone_ends_at_its_next_check() -> None:
    hand, looks = Hand(), list[int]()

    def look(check: Check) -> None:
        for number in range(3):
            check()
            looks.append(number)

    task = asyncio.create_task(hand.threads.run(A, look))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait({task})
    await hand.executor.end()
    assert looks == []


async def test_work_ends_when_its_budget_of_processor_time_is_spent() -> None:
    hand = Hand()

    def spend(check: Check) -> None:
        for _ in range(30):
            hand.seconds += 1
            check()

    task = asyncio.create_task(hand.threads.run(A, spend))
    await asyncio.sleep(0)
    await hand.executor.end()
    with pytest.raises(TooCostly, match=r"more than 10 seconds of processor time.* Send less\."):
        await task
    assert hand.seconds == 11
    assert REGISTRY.get_sample_value("meetdeck_threads_refused_total", {"work": "pieces", "code": "too_costly"})


async def test_a_tenants_part_of_the_line_is_not_all_of_it() -> None:
    hand = Hand(waiting=4)
    await hand.ask(A, *(f"a{number}" for number in range(4)))
    with pytest.raises(ShareFull, match="3 pieces of yours already wait for a thread"):
        await hand.threads.run(A, lambda _: None)
    await hand.ask(B, "b0", "b1")
    assert len(hand.executor.begun) == 2


async def test_the_numbers_say_how_much_waits_and_runs_by_kind() -> None:
    hand = Hand("counted")
    await hand.ask(A, "a0", "a1", "a2")
    names = ("meetdeck_threads_running", "meetdeck_threads_waiting")
    assert [REGISTRY.get_sample_value(name, {"work": "counted"}) for name in names] == [1, 2]
    for _ in range(3):
        await hand.executor.end()
    assert [REGISTRY.get_sample_value(name, {"work": "counted"}) for name in names] == [0, 0]


async def test_real_threads_return_results_and_raise_errors() -> None:
    threads = Threads("others")
    work: list[Coroutine[None, None, int]] = [threads.run(A, lambda _, one=one: one * one) for one in range(5)]
    assert await asyncio.gather(*work) == [0, 1, 4, 9, 16]
    with pytest.raises(ZeroDivisionError):
        await threads.run(A, lambda _: 1 // 0)
    async with asyncio.timeout(5):
        with pytest.raises(RuntimeError, match="StopIteration"):
            await threads.run(A, lambda _: next(iter(())))


async def test_a_tenant_that_is_alone_may_have_all_threads_and_another_begins_at_once() -> None:
    hand = Hand(in_halves=False)
    await hand.ask(A, "first", "second", "third")
    assert len(hand.executor.begun) == 2
    await hand.ask(B, "other")
    assert len(hand.executor.begun) == 3
    for _ in range(4):
        await hand.executor.end()
    assert hand.done.index("other") < hand.done.index("third")


def test_each_event_loop_has_turns_of_its_own() -> None:
    threads = Threads("more")
    assert [asyncio.run(threads.run(A, lambda _: 1)) for _ in range(2)] == [1, 1]
