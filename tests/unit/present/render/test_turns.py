import asyncio

import pytest

from meetdeck.present.render.renderer import RendererBusy
from meetdeck.present.render.turns import Turns


async def hold(turns: Turns, until: asyncio.Event) -> None:
    async with turns.turn():
        await until.wait()


async def test_as_many_as_there_are_turns_work_at_once_and_the_rest_in_order() -> None:
    turns, begun, through = Turns(2, waiting=8), list[int](), asyncio.Event()

    async def work(number: int) -> None:
        async with turns.turn():
            begun.append(number)
            await through.wait()

    working = asyncio.gather(*(work(number) for number in range(4)))
    await asyncio.sleep(0)
    assert begun == [0, 1]
    through.set()
    await working
    assert begun == [0, 1, 2, 3]


async def test_beyond_the_line_nobody_waits() -> None:
    turns, through = Turns(1, waiting=2), asyncio.Event()
    held = asyncio.gather(*(hold(turns, through) for _ in range(3)))
    await asyncio.sleep(0)
    with pytest.raises(RendererBusy, match="2 presentations already wait") as caught:
        await asyncio.wait_for(hold(turns, through), timeout=5)
    assert caught.value.retry_after_seconds == 2  # two before us, about a second each
    through.set()
    await held


async def test_who_leaves_the_line_makes_room_in_it() -> None:
    turns, through = Turns(1, waiting=1), asyncio.Event()
    first = asyncio.create_task(hold(turns, through))
    leaving = asyncio.create_task(hold(turns, through))
    await asyncio.sleep(0)
    leaving.cancel()
    await asyncio.wait({leaving})
    through.set()
    await asyncio.gather(first, hold(turns, through))


async def test_a_turn_that_fails_is_given_back() -> None:
    turns = Turns(1, waiting=0)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            async with turns.turn():
                raise ZeroDivisionError


async def test_without_a_line_the_first_is_served_and_the_second_refused_with_a_whole_second() -> None:
    turns, through = Turns(1, waiting=0), asyncio.Event()
    held = asyncio.create_task(hold(turns, through))
    await asyncio.sleep(0)
    with pytest.raises(RendererBusy) as caught:
        await asyncio.wait_for(hold(turns, through), timeout=5)
    assert caught.value.retry_after_seconds == 1
    through.set()
    await held
