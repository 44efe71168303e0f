"""Nothing that a second process would miss stands in a process: four answer as one does."""

import asyncio
from contextlib import ExitStack
from typing import Any

import pytest

from support.compared_walks import PROCESSES, Walk
from support.installation import install


async def walk(processes: int) -> list[tuple[Any, ...]]:
    with ExitStack() as stack:
        installation = stack.enter_context(install())
        installation.fill()
        address = installation.start("--workers", str(processes), "--demo-data")
        return await Walk(address, installation.data_dir).take()


@pytest.mark.thorough
async def test_four_processes_that_take_turns_answer_as_one_does() -> None:
    by_one, by_four = await asyncio.gather(walk(1), walk(PROCESSES))
    for one, other in zip(by_one, by_four, strict=True):
        assert one == other
    assert len(by_one) > 100
