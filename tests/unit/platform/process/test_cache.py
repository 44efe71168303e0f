"""Values in memory: made once however many ask, bounded, and never a failure that stays."""

import asyncio

import pytest

from meetdeck.platform.process import LoadingCache


class Source:
    """Makes values, and counts how often."""

    def __init__(self, value: bytes = b"1234") -> None:
        self.value = value
        self.error: Exception | None = None
        self.loads = 0

    async def load(self) -> bytes:
        self.loads += 1
        await asyncio.sleep(0)
        if self.error is not None:
            raise self.error
        return self.value


async def test_a_value_is_made_once_however_many_ask_at_once() -> None:
    cache, source = LoadingCache[str, bytes](len, limit_bytes=100), Source()
    assert await asyncio.gather(*(cache.get("a", source.load) for _ in range(20))) == [b"1234"] * 20
    assert await cache.get("a", source.load) == b"1234"
    assert source.loads == 1


async def test_the_longest_unused_goes_when_the_bound_is_passed() -> None:
    cache, source = LoadingCache[str, bytes](len, limit_bytes=8), Source()
    for key in ("a", "b", "a", "c", "a"):
        await cache.get(key, source.load)
    assert source.loads == 3
    await cache.get("b", source.load)
    assert source.loads == 4


async def test_a_value_larger_than_the_bound_is_kept_until_the_next() -> None:
    cache, source = LoadingCache[str, bytes](len, limit_bytes=1), Source()
    for key in ("a", "a", "b", "a"):
        assert await cache.get(key, source.load) == b"1234"
    assert source.loads == 3


async def test_a_failure_reaches_all_who_wait_and_the_next_caller_tries_anew() -> None:
    cache, source = LoadingCache[str, bytes](len, limit_bytes=100), Source()
    source.error = ValueError("busy")
    answers = await asyncio.gather(*(cache.get("a", source.load) for _ in range(3)), return_exceptions=True)
    assert [str(answer) for answer in answers] == ["busy"] * 3
    source.error = None
    assert await cache.get("a", source.load) == b"1234"
    assert source.loads == 2


async def test_a_caller_who_leaves_takes_nothing_from_the_others() -> None:
    cache, source = LoadingCache[str, bytes](len, limit_bytes=100), Source()
    leaving = asyncio.create_task(cache.get("a", source.load))
    staying = asyncio.create_task(cache.get("a", source.load))
    await asyncio.sleep(0)
    leaving.cancel()
    assert await staying == b"1234"
    assert source.loads == 1


async def test_closing_gives_up_what_is_being_made() -> None:
    cache = LoadingCache[str, bytes](len, limit_bytes=100)
    begun, given_up = asyncio.Event(), asyncio.Event()

    async def load_for_ever() -> bytes:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            given_up.set()
        return b""

    waiting = asyncio.create_task(cache.get("a", load_for_ever))
    await begun.wait()
    await cache.close()
    assert given_up.is_set()
    with pytest.raises(asyncio.CancelledError):
        await waiting
