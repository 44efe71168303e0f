"""The answers that callers get from a pool of warm LibreOffice processes."""

import asyncio
import gc
import io
import os
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from uuid import uuid4

import psutil
import pypdfium2
import pytest
import pytest_asyncio
from pptx import Presentation
from pptx.util import Inches

from meetdeck.present.render.office import OfficePool, PoolLimits
from meetdeck.present.render.renderer import (
    Office,
    RendererBusy,
    RendererUnavailable,
    RenderingFailed,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

MakeDeck = Callable[..., bytes]


@pytest.fixture(scope="module")
def pool_dir(make_temp_dir: Callable[[], Path]) -> Path:
    return make_temp_dir()


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def pool(office: Office, pool_dir: Path) -> AsyncIterator[OfficePool]:
    opened = OfficePool(office, size=1, limits=PoolLimits(job_seconds=180), temp_dir=pool_dir)
    yield opened
    await opened.close()


def texts_of(pdf: bytes) -> list[str]:
    with pypdfium2.PdfDocument(pdf) as document:
        return [page.get_textpage().get_text_range().strip() for page in document]


def office_pids(folder: Path) -> list[int]:
    """The LibreOffice processes that work in `folder`, the oldest first."""
    profile = f"-env:UserInstallation={folder.as_uri()}"
    listing = [one for one in psutil.process_iter(["cmdline", "create_time"]) if one.info["cmdline"]]
    ours = [one for one in listing if any(profile in word for word in one.info["cmdline"])]
    return [one.pid for one in sorted(ours, key=lambda one: one.info["create_time"])]


def is_alive(pid: int) -> bool:
    """Return whether the process runs; a zombie that nobody has reaped yet does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


async def until_at_rest(pool: OfficePool) -> None:
    """Wait until the pool of one, and its spare, have nothing to do."""
    async with asyncio.timeout(60):
        while pool.idle < 2:  # noqa: ASYNC110 - the pool tells nobody when it comes to rest
            await asyncio.sleep(0.05)


async def until_drawing(folder: Path, drawing: asyncio.Task[bytes]) -> None:
    """Wait until a deck is in work: a process that was at rest uses the processor."""

    def count_seconds() -> float:
        return sum(sum(psutil.Process(pid).cpu_times()[:2]) for pid in office_pids(folder))

    at_rest = count_seconds()
    async with asyncio.timeout(60):
        while count_seconds() < at_rest + 0.05 and not drawing.done():  # noqa: ASYNC110 - the process tells nobody
            await asyncio.sleep(0.005)


async def test_every_slide_becomes_a_page_with_its_text(pool: OfficePool, make_deck: MakeDeck) -> None:
    pdf = await pool.to_pdf(make_deck("Your pension", "Æblegrød på øen", "Next steps"))
    assert texts_of(pdf) == ["Your pension", "Æblegrød på øen", "Next steps"]


async def test_a_hidden_slide_is_not_drawn(pool: OfficePool, make_deck: MakeDeck) -> None:
    pdf = await pool.to_pdf(make_deck("Shown", "Hidden", "Also shown", hidden=(1,)))
    assert texts_of(pdf) == ["Shown", "Also shown"]


async def test_a_deck_that_cannot_be_rendered_says_why_and_costs_no_process(
    pool: OfficePool, pool_dir: Path, make_deck: MakeDeck
) -> None:
    await pool.to_pdf(make_deck("Before"))
    await until_at_rest(pool)
    before = office_pids(pool_dir)
    with pytest.raises(RenderingFailed, match="damaged or cut short"):
        await pool.to_pdf(make_deck("Cut short")[:9000])
    assert office_pids(pool_dir) == before


async def test_a_web_link_can_still_be_clicked(pool: OfficePool) -> None:
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(5), Inches(1))
    run = box.text_frame.paragraphs[0].add_run()
    run.text, run.hyperlink.address = "Read more", "https://example.org/pension?a=1&b=2"
    packed = io.BytesIO()
    presentation.save(packed)
    pdf = await pool.to_pdf(packed.getvalue())
    assert b"https://example.org/pension?a=1&b=2" in pdf


async def test_a_process_that_was_killed_is_replaced_unnoticed(
    pool: OfficePool, pool_dir: Path, make_deck: MakeDeck
) -> None:
    await pool.to_pdf(make_deck("Before"))
    for pid in office_pids(pool_dir):
        os.kill(pid, signal.SIGKILL)
    assert texts_of(await pool.to_pdf(make_deck("After"))) == ["After"]


@pytest.mark.thorough
async def test_a_process_that_is_killed_in_the_middle_of_a_deck_is_replaced_and_the_deck_is_drawn(
    pool: OfficePool, pool_dir: Path, make_deck: MakeDeck
) -> None:
    titles = [f"Slide {number}" for number in range(100)]  # seconds: it is not done when it is killed
    deck = make_deck(*titles)
    await until_at_rest(pool)
    drawing = asyncio.create_task(pool.to_pdf(deck))
    await until_drawing(pool_dir, drawing)
    for pid in office_pids(pool_dir):
        os.kill(pid, signal.SIGKILL)
    assert not drawing.done()
    assert texts_of(await drawing) == titles


async def test_a_caller_who_leaves_does_not_disturb_the_next(
    pool: OfficePool, pool_dir: Path, make_deck: MakeDeck
) -> None:
    deck = make_deck(*map(str, range(100)))
    await until_at_rest(pool)
    leaving = asyncio.create_task(pool.to_pdf(deck))
    await until_drawing(pool_dir, leaving)
    assert leaving.cancel()
    assert texts_of(await pool.to_pdf(make_deck("Next"))) == ["Next"]


@pytest.mark.thorough
async def test_a_stuck_process_is_given_up_in_time_and_replaced(
    office: Office, temp_dir: Path, make_deck: MakeDeck
) -> None:
    pool = OfficePool(office, size=1, limits=PoolLimits(job_seconds=2), temp_dir=temp_dir)
    try:
        await pool.to_pdf(make_deck("Before"))
        await until_at_rest(pool)  # the spare is up too: both get stuck
        stuck = office_pids(temp_dir)
        for pid in stuck:
            os.kill(pid, signal.SIGSTOP)
        async with asyncio.timeout(10):
            with pytest.raises(RenderingFailed, match="longer than 2 s"):
                await pool.to_pdf(make_deck("Stuck"))
            with pytest.raises(RenderingFailed, match="longer than 2 s"):
                await pool.to_pdf(make_deck("Stuck"))
        assert texts_of(await pool.to_pdf(make_deck("After"))) == ["After"]
        assert not set(stuck) & set(office_pids(temp_dir))
    finally:
        await pool.close()


@pytest.mark.thorough
@pytest.mark.parametrize("whole_group", [False, True], ids=["LibreOffice", "its driver too"])
async def test_the_spare_serves_while_a_stuck_process_is_killed_with_its_group(
    office: Office, temp_dir: Path, make_deck: MakeDeck, *, whole_group: bool
) -> None:
    pool = OfficePool(office, size=1, limits=PoolLimits(job_seconds=4), temp_dir=temp_dir)
    try:
        await pool.to_pdf(make_deck("Before"))
        await until_at_rest(pool)
        used, spare = office_pids(temp_dir)  # by age; the used one was ready first
        group = [used, os.getpgid(used)]  # the driver leads the group
        for pid in group if whole_group else [used]:
            os.kill(pid, signal.SIGSTOP)
        with pytest.raises(RenderingFailed, match="longer than 4 s"):
            await pool.to_pdf(make_deck("Stuck"))
        assert pool.idle == 1  # the replacement is not there yet
        assert texts_of(await pool.to_pdf(make_deck("By the spare"))) == ["By the spare"]
        await until_at_rest(pool)
        assert not any(is_alive(pid) for pid in group)
        assert spare in office_pids(temp_dir)
        assert len(office_pids(temp_dir)) == 2
    finally:
        await pool.close()


@pytest.mark.thorough
async def test_callers_beyond_the_line_are_asked_to_come_back(
    office: Office, temp_dir: Path, make_deck: MakeDeck
) -> None:
    pool = OfficePool(office, size=1, limits=PoolLimits(waiting=2), temp_dir=temp_dir)
    try:
        deck = make_deck("One of many")
        answers = await asyncio.gather(*(pool.to_pdf(deck) for _ in range(5)), return_exceptions=True)
        refusals = [answer for answer in answers if isinstance(answer, RendererBusy)]
        assert len(refusals) == 2
        assert refusals[0].retry_after_seconds is not None
        assert refusals[0].retry_after_seconds >= 1
        assert sum(isinstance(answer, bytes) for answer in answers) == 3
    finally:
        await pool.close()


@pytest.mark.thorough
async def test_a_tenant_does_not_wait_for_the_decks_of_another(pool: OfficePool, make_deck: MakeDeck) -> None:
    await pool.to_pdf(make_deck("Before"))
    await until_at_rest(pool)
    one, other = uuid4(), uuid4()
    long = make_deck(*map(str, range(100)))
    slow = {asyncio.create_task(pool.to_pdf(long, tenant_id=one)) for _ in range(4)}
    await asyncio.sleep(0)
    assert texts_of(await pool.to_pdf(make_deck("Quick"), tenant_id=other)) == ["Quick"]
    assert sum(task.done() for task in slow) <= 1
    assert {len(texts_of(pdf)) for pdf in await asyncio.gather(*slow)} == {100}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "limits", [PoolLimits(jobs_per_process=2), PoolLimits(resident_bytes=2**20)], ids=["old", "fat"]
)
async def test_a_process_that_is_old_or_fat_is_replaced_between_jobs(
    office: Office, temp_dir: Path, make_deck: MakeDeck, limits: PoolLimits
) -> None:
    pool = OfficePool(office, size=1, limits=limits, temp_dir=temp_dir)
    try:
        await pool.to_pdf(make_deck("First"))
        await until_at_rest(pool)
        seen = set(office_pids(temp_dir))
        for number in range(5):
            assert texts_of(await pool.to_pdf(make_deck(f"Deck {number}"))) == [f"Deck {number}"]
            seen.update(office_pids(temp_dir))
        assert len(seen) > 2
    finally:
        await pool.close()


@pytest.mark.thorough
async def test_a_process_that_is_neither_stays(office: Office, temp_dir: Path, make_deck: MakeDeck) -> None:
    pool = OfficePool(office, size=1, temp_dir=temp_dir)
    try:
        await pool.to_pdf(make_deck("First"))
        await until_at_rest(pool)
        before = office_pids(temp_dir)
        for number in range(8):
            await pool.to_pdf(make_deck(f"Deck {number}"))
        assert office_pids(temp_dir) == before
    finally:
        await pool.close()


async def test_an_office_that_does_not_start_is_told_to_the_caller(
    office: Office, temp_dir: Path, make_deck: MakeDeck
) -> None:
    pool = OfficePool(Office(Path("/bin/false"), office.python), size=1, temp_dir=temp_dir)
    try:
        with pytest.raises(RendererUnavailable, match=r"/bin/false.*status 1"):
            await pool.to_pdf(make_deck("Never"))
    finally:
        await pool.close()


@pytest.mark.thorough
async def test_closing_goes_on_when_its_caller_is_cancelled(
    office: Office, temp_dir: Path, make_deck: MakeDeck
) -> None:
    pool = OfficePool(office, size=1, temp_dir=temp_dir)
    await pool.to_pdf(make_deck("Before"))
    closing = asyncio.create_task(pool.close())
    await asyncio.sleep(0)
    closing.cancel()
    await pool.close()
    assert office_pids(temp_dir) == []


@pytest.mark.thorough
async def test_closing_after_a_caller_has_left_complains_of_nothing(
    office: Office, temp_dir: Path, make_deck: MakeDeck
) -> None:
    complaints: list[object] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, complaint: complaints.append(complaint))
    pool = OfficePool(office, size=1, temp_dir=temp_dir)
    await pool.to_pdf(make_deck("Before"))
    await until_at_rest(pool)
    leaving = asyncio.create_task(pool.to_pdf(make_deck(*map(str, range(200)))))
    while pool.idle == 2:  # noqa: ASYNC110 - the pool tells nobody when it begins
        await asyncio.sleep(0.01)
    leaving.cancel()
    await asyncio.wait([leaving])
    await pool.close()
    del leaving  # it remembers what it waited for
    gc.collect()
    loop.set_exception_handler(None)
    assert complaints == []


async def test_closing_while_starting_leaves_nothing(office: Office, temp_dir: Path) -> None:
    pool = OfficePool(office, size=2, temp_dir=temp_dir)
    pool.start()
    await asyncio.sleep(0.1)
    await pool.close()
    assert office_pids(temp_dir) == []


@pytest.mark.thorough
async def test_closing_stops_everything_and_answers_who_waits(
    office: Office, temp_dir: Path, make_deck: MakeDeck
) -> None:
    pool = OfficePool(office, size=1, temp_dir=temp_dir)
    await pool.to_pdf(make_deck("Before"))
    deck = make_deck(*map(str, range(60)))
    waiting = [asyncio.create_task(pool.to_pdf(deck)) for _ in range(20)]
    await asyncio.sleep(0.2)
    await pool.close()
    answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert {type(answer) for answer in answers} <= {bytes, RendererUnavailable}
    assert isinstance(answers[-1], RendererUnavailable)
    assert office_pids(temp_dir) == []
    with pytest.raises(RendererUnavailable, match="closed"):
        await pool.to_pdf(deck)
