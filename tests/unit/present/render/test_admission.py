import asyncio
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import REGISTRY

from meetdeck.present.render.admission import Admission
from meetdeck.present.render.renderer import RendererBusy, RendererShareFull


async def hold(admission: Admission, until: asyncio.Event) -> None:
    async with admission.admit():
        await until.wait()


async def test_as_many_as_there_are_turns_work_at_once_and_the_rest_in_order() -> None:
    admission, begun, through = Admission(2, waiting=8), list[int](), asyncio.Event()

    async def work(number: int) -> None:
        async with admission.admit():
            begun.append(number)
            await through.wait()

    working = asyncio.gather(*(work(number) for number in range(4)))
    await asyncio.sleep(0)
    assert begun == [0, 1]
    through.set()
    await working
    assert begun == [0, 1, 2, 3]


async def test_the_numbers_say_how_many_wait_and_are_rendered() -> None:
    admission, through = Admission(1, waiting=8), asyncio.Event()
    names = ("meetdeck_renderings_running", "meetdeck_renderings_waiting")
    held = asyncio.gather(*(hold(admission, through) for _ in range(3)))
    await asyncio.sleep(0)
    assert [REGISTRY.get_sample_value(name) for name in names] == [1, 2]
    through.set()
    await held
    assert [REGISTRY.get_sample_value(name) for name in names] == [0, 0]


async def test_beyond_the_line_nobody_waits() -> None:
    admission, through = Admission(1, waiting=2), asyncio.Event()
    held = asyncio.gather(*(hold(admission, through) for _ in range(3)))
    await asyncio.sleep(0)
    with pytest.raises(RendererBusy, match="2 presentations already wait") as caught:
        await asyncio.wait_for(hold(admission, through), timeout=5)
    assert caught.value.retry_after_seconds == 2  # two before us, about a second each
    through.set()
    await held


async def test_who_leaves_the_line_makes_room_in_it() -> None:
    admission, through = Admission(1, waiting=1), asyncio.Event()
    first = asyncio.create_task(hold(admission, through))
    leaving = asyncio.create_task(hold(admission, through))
    await asyncio.sleep(0)
    leaving.cancel()
    await asyncio.wait({leaving})
    through.set()
    await asyncio.gather(first, hold(admission, through))


async def test_a_turn_that_fails_is_given_back() -> None:
    admission = Admission(1, waiting=0)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            async with admission.admit():
                raise ZeroDivisionError


async def test_without_a_line_the_first_is_served_and_the_second_refused_with_a_whole_second() -> None:
    admission, through = Admission(1, waiting=0), asyncio.Event()
    held = asyncio.create_task(hold(admission, through))
    await asyncio.sleep(0)
    with pytest.raises(RendererBusy) as caught:
        await asyncio.wait_for(hold(admission, through), timeout=5)
    assert caught.value.retry_after_seconds == 1
    through.set()
    await held


class Line:
    """Admission in the hand of a test: who began, in which order, and whom to let go on."""

    def __init__(self, size: int, waiting: int = 64) -> None:
        self.admission = Admission(size, waiting)
        self.begun: list[str] = []
        self.ends: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def ask(self, tenant_id: UUID, *names: str) -> None:
        for name in names:
            self.ends[name] = asyncio.Event()
            self._tasks[name] = asyncio.create_task(self._work(tenant_id, name))
        await asyncio.sleep(0)

    async def end(self, *names: str) -> None:
        for name in names:
            self.ends[name].set()
            await self._tasks[name]
        for _ in range(3):
            await asyncio.sleep(0)

    def cancel(self, name: str) -> None:
        self._tasks[name].cancel()

    async def leave(self, name: str) -> None:
        self.cancel(name)
        await asyncio.wait({self._tasks[name]})
        await asyncio.sleep(0)

    async def _work(self, tenant_id: UUID, name: str) -> None:
        async with self.admission.admit(tenant_id):
            self.begun.append(name)
            await self.ends[name].wait()


A, B, C = uuid4(), uuid4(), uuid4()


@pytest.mark.parametrize("size", [1, 2, 4])
async def test_a_tenant_that_holds_all_turns_keeps_no_other_waiting(size: int) -> None:
    line = Line(size)
    await line.ask(A, *(f"a{number}" for number in range(size + 4)))
    assert len(line.begun) == size
    await line.ask(B, "b0", "b1")
    assert line.begun[size:] == ["b0"]
    await line.end("b0")
    assert line.begun[size:] == ["b0", "b1"]


async def test_one_turn_more_is_for_one_other_tenant_alone() -> None:
    line = Line(2)
    await line.ask(A, "a0", "a1", "a2")
    await line.ask(B, "b0", "b1")
    await line.ask(C, "c0")
    assert line.begun == ["a0", "a1", "b0"]
    await line.end("a0")
    assert line.begun == ["a0", "a1", "b0"]  # two admission are held, by two tenants
    await line.end("b0")
    assert line.begun == ["a0", "a1", "b0", "c0"]


async def test_tenants_take_turns_however_many_each_has_waiting() -> None:
    line = Line(1)
    await line.ask(A, "a0", "a1", "a2")
    await line.ask(B, "b0", "b1", "b2")
    await line.ask(C, "c0")
    done = 0
    while done < 7:
        await line.end(line.begun[done])
        done += 1
    assert line.begun == ["a0", "b0", "c0", "a1", "b1", "a2", "b2"]


async def test_whoever_sends_one_after_the_other_does_not_go_before_who_waits() -> None:
    line, others = Line(1), [uuid4() for _ in range(4)]
    await line.ask(A, "a0", "a1")
    for number, other in enumerate(others):
        await line.ask(other, f"o{number}.0")
    for done in range(8):
        name = line.begun[done]
        await line.end(name)
        if name.startswith("o"):  # the next one comes as soon as the one before is through
            number, turn = map(int, name[1:].split("."))
            await line.ask(others[number], f"o{number}.{turn + 1}")
    assert line.begun.index("a1") <= 6


async def test_the_next_turn_is_of_the_tenant_that_holds_the_fewest() -> None:
    line = Line(3)
    await line.ask(A, "a0", "a1")
    await line.ask(B, "b0")
    await line.ask(A, "a2", "a3")
    await line.ask(B, "b1")
    assert line.begun == ["a0", "a1", "b0"]
    await line.end("b0")
    assert line.begun == ["a0", "a1", "b0", "b1"]


async def test_a_tenants_part_of_the_line_is_not_all_of_it() -> None:
    line = Line(1, waiting=8)
    await line.ask(A, *(f"a{number}" for number in range(7)))
    with pytest.raises(RendererShareFull, match="6 presentations of yours already wait") as caught:
        async with line.admission.admit(A):
            pass
    assert caught.value.retry_after_seconds == 6
    await line.ask(B, "b0", "b1", "b2")
    assert line.begun == ["a0", "b0"]
    with pytest.raises(RendererBusy, match="8 presentations already wait"):
        async with line.admission.admit(C):
            pass


@pytest.mark.parametrize("leaving", ["a1", "b1"])
async def test_who_leaves_takes_no_turn_along(leaving: str) -> None:
    line = Line(1)
    await line.ask(A, "a0", "a1", "a2")
    await line.ask(B, "b0", "b1", "b2")
    await line.leave(leaving)
    await line.end("a0", "b0")
    await line.end(*(name for name in ("a1", "b1") if name != leaving))
    await line.end("a2", "b2")
    assert sorted(line.begun) == sorted({"a0", "a1", "a2", "b0", "b1", "b2"} - {leaving})


async def test_who_leaves_when_the_turn_has_just_come_gives_it_on() -> None:
    line = Line(1)
    await line.ask(A, "a0", "a1", "a2")
    line.ends["a0"].set()
    await asyncio.sleep(0)
    await line.leave("a1")
    await line.end("a2")
    assert line.begun[-1] == "a2"


async def test_who_leaves_when_a_turn_ends_takes_none_along() -> None:
    line = Line(1)
    await line.ask(A, "a0", "a1", "a2")
    line.ends["a0"].set()
    line.cancel("a1")
    await line.end("a0")
    assert line.begun == ["a0", "a2"]
    await line.end("a2")


@given(
    size=st.integers(1, 3),
    steps=st.lists(st.tuples(st.sampled_from(["ask", "end", "leave"]), st.integers(0, 20)), max_size=40),
)
def test_no_turn_is_lost_or_given_twice_whatever_comes_and_goes(size: int, steps: list[tuple[str, int]]) -> None:
    async def run() -> None:
        line, open_, left = Line(size), list[str](), 0
        for number, (step, which) in enumerate(steps):
            if step == "ask":
                await line.ask((A, B, C)[which % 3], str(number))
                open_.append(str(number))
            elif open_:
                waiting = [name for name in open_ if name not in line.begun]
                held = [name for name in open_ if name in line.begun]
                chosen = (waiting or held)[which % len(waiting or held)] if step == "leave" else held[which % len(held)]
                open_.remove(chosen)
                left += chosen in waiting
                await (line.leave(chosen) if step == "leave" else line.end(chosen))
            held_now = [name for name in open_ if name in line.begun]
            assert len(held_now) <= size + 1
            assert len(held_now) >= min(size, len(open_))
        while open_:
            held = [name for name in open_ if name in line.begun]
            await line.end(held[0])
            open_.remove(held[0])
        assert len(line.begun) == len(set(line.begun)) == sum(step == "ask" for step, _ in steps) - left

    asyncio.run(run())
