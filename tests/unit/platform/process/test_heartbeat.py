"""Heartbeats: silence is noticed, work in threads and standing still together are not silence."""

import asyncio
import os
import socket
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from meetdeck.platform.process import heartbeat
from meetdeck.platform.process.heartbeat import ProcessorUse, beat, hangs, measure_use, wait_until_silent

TICK = 0.01


@pytest.fixture(autouse=True)
def _fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat, "_BEAT_SECONDS", TICK)
    monkeypatch.setattr(heartbeat, "_PATIENCE_SECONDS", 10 * TICK)
    monkeypatch.setattr(heartbeat, "_LONGEST_SECONDS", 50 * TICK)


class Beats:
    """The number of beats that were heard."""

    def __init__(self, count: int = 1) -> None:
        self.count = count

    def get(self) -> int:
        return self.count

    async def hear(self, own: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            self.count += len(await loop.sock_recv(own, 4096))


async def test_silence_is_noticed_and_a_beat_ends_it() -> None:
    own, theirs = socket.socketpair()
    own.settimeout(0)
    beats = Beats()
    with own, theirs:
        hearing = asyncio.create_task(beats.hear(own))
        watching = asyncio.create_task(wait_until_silent(beats.get, os.getpid()))
        beating = asyncio.create_task(beat(theirs))
        busy = [threading.Thread(target=lambda: sum(range(4_000_000))) for _ in range(2)]
        for thread in busy:
            thread.start()
        await asyncio.sleep(20 * TICK)
        assert not watching.done()
        beating.cancel()
        async with asyncio.timeout(10):
            await watching
        hearing.cancel()


async def test_one_that_never_beat_is_not_watched() -> None:
    watching = asyncio.create_task(wait_until_silent(Beats(0).get, os.getpid()))
    await asyncio.sleep(20 * TICK)
    assert not watching.done()
    watching.cancel()


async def test_no_second_passes_while_this_process_stands_still_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop's clock jumps by an hour while both stand still; the other beats again right after."""
    loop = asyncio.get_running_loop()
    now, jumped = loop.time, [0.0]
    monkeypatch.setattr(loop, "time", lambda: now() + jumped[0], raising=False)
    beats = Beats()
    watching = asyncio.create_task(wait_until_silent(beats.get, os.getpid()))
    await asyncio.sleep(3 * TICK)
    jumped[0] = 3600.0
    await asyncio.sleep(2 * TICK)
    assert not watching.done()
    beats.count += 1
    await asyncio.sleep(5 * TICK)
    assert not watching.done()
    watching.cancel()


@pytest.mark.parametrize(
    ("silent", "computed", "waited", "is_killed"),
    [
        (20, 0, 0, True),
        (20, 19, 0, True),
        (20, 1.2, 18, True),
        (20, 0.8, 18, False),
        (59, 0.8, 57, False),
        (60, 0.8, 59, True),
    ],
)
def test_a_process_that_waits_for_a_processor_has_more_time(
    silent: float, computed: float, waited: float, *, is_killed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    assert hangs(silent, ProcessorUse(7, 70), ProcessorUse(7 + computed, 70 + waited)) is is_killed


def test_the_use_of_this_process_grows() -> None:
    before = measure_use(os.getpid())
    sum(range(1_000_000))
    assert not Path("/proc/self/schedstat").exists() or measure_use(os.getpid()).computed > before.computed


async def test_a_process_that_a_debugger_holds_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def holds_all(_pid: int) -> bool:
        return True

    monkeypatch.setattr(heartbeat, "_is_debugged", holds_all)
    watching = asyncio.create_task(wait_until_silent(Beats().get, os.getpid()))
    await asyncio.sleep(30 * TICK)
    assert not watching.done()
    watching.cancel()


async def test_nobody_who_reads_is_no_reason_to_wait() -> None:
    own, theirs = socket.socketpair()
    with theirs:
        beating = asyncio.create_task(beat(theirs))
        await asyncio.sleep(2 * TICK)
        with suppress(BlockingIOError):
            while True:
                theirs.send(b"." * 4096, socket.MSG_DONTWAIT)  # it is full
        await asyncio.sleep(3 * TICK)
        assert not beating.done()
        own.close()
        async with asyncio.timeout(5):
            await beating
