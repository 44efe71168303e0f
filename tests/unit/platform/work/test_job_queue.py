"""Work that nobody waits for."""

import asyncio

import structlog

from meetdeck.platform.errors import Invalid
from meetdeck.platform.work import JobQueue


async def test_jobs_are_done_one_at_a_time_and_in_order() -> None:
    background, done = JobQueue(), list[str]()
    at_work = 0

    async def do(name: str) -> None:
        nonlocal at_work
        at_work += 1
        assert at_work == 1
        await asyncio.sleep(0)
        at_work -= 1
        done.append(name)

    for name in ("a", "b", "c"):
        background.add(name, lambda name=name: do(name))
    assert done == []
    await background.wait()
    assert done == ["a", "b", "c"]


async def test_a_job_that_fails_is_logged_once_and_stops_no_other() -> None:
    background, done = JobQueue(), list[str]()

    async def refuse() -> None:
        raise Invalid("No such thing.")

    async def crash() -> None:
        raise ValueError("a defect")

    async def do() -> None:
        done.append("done")

    with structlog.testing.capture_logs() as logged:
        for name, job in (("refused", refuse), ("crashed", crash), ("fine", do)):
            background.add(name, job)
        await background.wait()
    assert [(entry["job"], entry["log_level"]) for entry in logged] == [("refused", "warning"), ("crashed", "error")]
    assert done == ["done"]


async def test_a_full_line_drops_the_oldest() -> None:
    background, done = JobQueue(), list[int]()

    async def do(number: int) -> None:
        done.append(number)

    for number in range(150):
        background.add("job", lambda number=number: do(number))
    await background.wait()
    assert done == list(range(50, 150))


async def test_closing_ends_the_running_job_and_drops_the_others() -> None:
    background, done = JobQueue(), list[str]()
    begun = asyncio.Event()

    async def do() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            done.append("ended")

    for _ in range(2):
        background.add("job", do)
    await begun.wait()
    await background.close()
    assert done == ["ended"]
    await background.wait()
