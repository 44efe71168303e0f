"""Runs that several callers share: each began after they asked."""

import asyncio

import pytest

from meetdeck.platform.process import Together


class Source:
    """A value that changes, and is read slowly."""

    def __init__(self) -> None:
        self.value = 0
        self.readings = 0
        self.cancelled = 0
        self.go_on = asyncio.Event()

    async def read(self) -> int:
        self.readings += 1
        read = self.value
        try:
            await self.go_on.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return read


async def test_who_asks_during_a_run_gets_the_next_one_together_with_others() -> None:
    together, source = Together[str, int](), Source()
    first = asyncio.create_task(together.run("a", source.read))
    await asyncio.sleep(0.01)
    source.value = 1
    later = [asyncio.create_task(together.run("a", source.read)) for _ in range(5)]
    await asyncio.sleep(0.01)
    assert source.readings == 1
    assert not together.is_shared("a")
    source.go_on.set()
    assert await first == 0
    assert await asyncio.gather(*later) == [1] * 5
    assert source.readings == 2


async def test_the_work_of_who_asks_last_is_run_and_other_keys_do_not_wait() -> None:
    together = Together[str, str]()

    async def say(text: str) -> str:
        await asyncio.sleep(0)
        return text

    asked = [together.run(key, lambda text=text: say(text)) for key, text in ("ax", "ay", "bz")]
    assert await asyncio.gather(*asked) == ["y", "y", "z"]


async def test_an_error_reaches_all_and_the_next_who_asks_runs_again() -> None:
    together = Together[str, str]()

    async def fail() -> str:
        raise ValueError("no")

    async def work() -> str:
        return "yes"

    found = await asyncio.gather(*(together.run("a", fail) for _ in range(2)), return_exceptions=True)
    assert [type(each) for each in found] == [ValueError] * 2
    assert await together.run("a", work) == "yes"


async def test_a_run_goes_on_while_anybody_waits_and_is_cancelled_when_nobody_does() -> None:
    together, source = Together[str, int](), Source()
    callers = [asyncio.create_task(together.run("a", source.read)) for _ in range(2)]
    await asyncio.sleep(0.01)
    waiting = asyncio.create_task(together.run("a", source.read))
    await asyncio.sleep(0.01)
    assert together.is_shared("a")
    callers[0].cancel()
    waiting.cancel()
    await asyncio.sleep(0.01)
    assert source.cancelled == 0
    callers[1].cancel()
    await asyncio.sleep(0.01)
    assert (source.readings, source.cancelled) == (1, 1)
    source.go_on.set()
    assert await together.run("a", source.read) == 0
    with pytest.raises(asyncio.CancelledError):
        await callers[0]
