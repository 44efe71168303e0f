"""Refusals of callers who request more PDFs than can be made."""

import asyncio
import io
import zipfile
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pikepdf
import pytest
import pytest_asyncio

from meetdeck.platform.database import Database
from meetdeck.present.render.gotenberg import GotenbergLimits, GotenbergRenderer
from meetdeck.present.render.warmup import warmup_deck
from support.factories import Api, make_services
from support.fakes import HandClock
from support.gotenberg import Gotenberg

JOB_SECONDS = 3.0


def one_page() -> bytes:
    packed = io.BytesIO()
    with pikepdf.new() as document:
        document.add_blank_page()
        document.save(packed)
    return packed.getvalue()


@pytest.fixture
def release() -> asyncio.Event:
    """Release the renderer, which is stuck until then."""
    return asyncio.Event()


@pytest_asyncio.fixture
async def busy_api(database: Database, clock: HandClock, tmp_path: Path, release: asyncio.Event) -> AsyncGenerator[Api]:
    """Lend the API with a renderer that has one turn, and place for two who wait."""

    async def draw(_pptx: bytes) -> bytes:
        await release.wait()
        return one_page()

    async with (
        open_renderer(draw, size=1, limits=GotenbergLimits(waiting=2)) as renderer,
        Api.open(make_services(database, clock, tmp_path, renderer)) as api,
    ):
        yield api


@pytest_asyncio.fixture
async def api(database: Database, clock: HandClock, tmp_path: Path, release: asyncio.Event) -> AsyncGenerator[Api]:
    """Lend the API with a renderer of two turns that is stuck on what says so, and with place for eight who wait."""

    async def draw(pptx: bytes) -> bytes:
        if b"Stuck" in pptx:
            await release.wait()
        return one_page()

    async with (
        open_renderer(draw, size=2, limits=GotenbergLimits(waiting=8, job_seconds=JOB_SECONDS)) as renderer,
        Api.open(make_services(database, clock, tmp_path, renderer)) as api,
    ):
        yield api


@asynccontextmanager
async def open_renderer(
    draw: Callable[[bytes], Awaitable[bytes]], *, size: int, limits: GotenbergLimits
) -> AsyncGenerator[GotenbergRenderer]:
    async with Gotenberg(draw).run() as gotenberg:
        renderer = GotenbergRenderer(gotenberg.url, size=size, limits=limits)
        yield renderer
        await renderer.close()


def deck(number: int, says: str = "Warm") -> bytes:
    """Make decks that differ: the same one is rendered once, however many ask for it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(warmup_deck())) as source, zipfile.ZipFile(packed, "w") as package:
        for name in source.namelist():
            package.writestr(source.getinfo(name), source.read(name).replace(b"Warm", says.encode()))
        package.comment = str(number).encode()
    return packed.getvalue()


async def ask_for_pdf(api: Api, number: int, says: str = "Warm") -> httpx.Response:
    return await api.request("POST", "v3/present/slides/pdf", files={"file": ("deck.pptx", deck(number, says))})


async def test_an_endless_queue_is_refused_and_who_waits_in_line_is_served(
    busy_api: Api, release: asyncio.Event
) -> None:
    refused = set[asyncio.Task[httpx.Response]]()
    waiting = {asyncio.create_task(ask_for_pdf(busy_api, number)) for number in range(6)}
    async with asyncio.timeout(60):
        while len(refused) < 3:
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            refused |= done
    for answer in [caller.result() for caller in refused]:
        assert (answer.status_code, answer.json()["code"]) == (503, "renderer_busy")
        assert int(answer.headers["Retry-After"]) >= 1
        assert f"Try again in {answer.headers['Retry-After']} s" in answer.json()["detail"]
    release.set()
    assert [answer.status_code for answer in await asyncio.gather(*waiting)] == [200, 200, 200]


async def test_a_tenant_whose_decks_take_long_keeps_no_other_waiting(api: Api, release: asyncio.Event) -> None:
    other = await api.other()
    stuck = [asyncio.create_task(ask_for_pdf(api, number, "Stuck")) for number in range(4)]
    await asyncio.sleep(0.2)
    answers = [await ask_for_pdf(other, number) for number in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert not any(task.done() for task in stuck)
    release.set()
    assert [answer.status_code for answer in await asyncio.gather(*stuck)] == [200] * 4


async def test_a_tenant_that_fills_its_part_of_the_line_is_refused_alone(api: Api, release: asyncio.Event) -> None:
    other = await api.other()
    asked = [asyncio.create_task(ask_for_pdf(api, number, "Stuck")) for number in range(2 + 6 + 1)]
    (done,), _ = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED, timeout=JOB_SECONDS)
    refused = done.result()
    assert (refused.status_code, refused.json()["code"]) == (429, "renderer_share_full")
    assert int(refused.headers["Retry-After"]) >= 1
    assert "6 presentations of yours already wait" in refused.json()["detail"]
    assert (await ask_for_pdf(other, 1)).status_code == 200
    release.set()
    assert sorted(answer.status_code for answer in await asyncio.gather(*asked)) == [200] * 8 + [429]


async def test_a_deck_that_took_too_long_is_refused_at_once_the_next_time(api: Api, release: asyncio.Event) -> None:
    first = await ask_for_pdf(api, 1, "Stuck")
    assert (first.status_code, first.json()["code"]) == (400, "rendering_failed")
    release.set()  # it would be drawn now
    again = await ask_for_pdf(api, 1, "Stuck")
    assert (again.status_code, again.json()["detail"]) == (400, first.json()["detail"])
    assert (await ask_for_pdf(api, 2, "Stuck")).status_code == 200
    assert (await ask_for_pdf(await api.other(), 1, "Stuck")).status_code == 200
