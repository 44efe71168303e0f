"""Functions that run in threads."""

import asyncio

import pytest

from meetdeck.platform.process.threads import run_in_thread


async def test_a_result_comes_out_of_a_thread() -> None:
    assert await run_in_thread(max, 1, 2) == 2


async def test_an_error_comes_out_of_a_thread() -> None:
    with pytest.raises(ZeroDivisionError):
        await run_in_thread(divmod, 1, 0)


async def test_a_function_that_runs_out_of_items_keeps_nobody_waiting() -> None:
    async with asyncio.timeout(5):
        with pytest.raises(RuntimeError):
            await run_in_thread(next, iter(()))
