"""What callers read when more PDFs are asked for than can be made."""

import asyncio
import io
import zipfile
from collections.abc import AsyncGenerator
from pathlib import Path

import httpx
import pikepdf
import pytest
import pytest_asyncio

from factories import Api, make_services
from fakes import HandClock
from gotenberg import Gotenberg
from meetdeck.platform.db import Database
from meetdeck.present.render.gotenberg import GotenbergLimits, GotenbergRenderer
from meetdeck.present.render.warmup import warmup_deck


def one_page() -> bytes:
    packed = io.BytesIO()
    with pikepdf.new() as document:
        document.add_blank_page()
        document.save(packed)
    return packed.getvalue()


@pytest.fixture
def release() -> asyncio.Event:
    """Let the renderer, which is stuck until then, go on."""
    return asyncio.Event()


@pytest_asyncio.fixture
async def busy_api(database: Database, clock: HandClock, tmp_path: Path, release: asyncio.Event) -> AsyncGenerator[Api]:
    """Lend the API with a renderer that has one turn, and place for two who wait."""

    async def draw(_pptx: bytes) -> bytes:
        await release.wait()
        return one_page()

    async with Gotenberg(draw).run() as gotenberg:
        renderer = GotenbergRenderer(gotenberg.url, size=1, limits=GotenbergLimits(waiting=2))
        async with Api.open(make_services(database, clock, tmp_path, renderer)) as api:
            yield api
        await renderer.close()


def deck(number: int) -> bytes:
    """Make decks that differ: the same one is rendered once, however many ask for it."""
    packed = io.BytesIO(warmup_deck())
    with zipfile.ZipFile(packed, "a") as package:
        package.comment = str(number).encode()
    return packed.getvalue()


async def ask_for_pdf(api: Api, number: int) -> httpx.Response:
    return await api.request("POST", "v3/present/slides/pdf", files={"file": ("deck.pptx", deck(number))})


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
        assert f"Ask again in {answer.headers['Retry-After']} s" in answer.json()["detail"]
    release.set()
    assert [answer.status_code for answer in await asyncio.gather(*waiting)] == [200, 200, 200]
