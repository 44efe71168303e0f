"""Renderings: made once however many ask, kept in storage, and nothing that is kept is needed."""

import asyncio
import io
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest
from PIL import Image

from meetdeck.present.render.pages import page_count
from meetdeck.present.render.renderer import RendererBusy, RenderingFailed
from meetdeck.present.renderings import PagePicture, Renderings, Source
from support.renderers import BlankPages, SharedLeases, make_renderings

NORDLYS, FJORD = UUID(int=1), UUID(int=2)
COVER = PagePicture(1, 640, 360, "webp")


@pytest.fixture
def renderer() -> BlankPages:
    return BlankPages()


@pytest.fixture
def leases() -> SharedLeases:
    return SharedLeases()


@pytest.fixture
def restart(renderer: BlankPages, leases: SharedLeases, tmp_path: Path) -> Callable[[], Renderings]:
    """Make the renderings of another process with the same storage: nothing is in its memory yet."""
    return lambda: make_renderings(renderer, tmp_path, leases)


def source_of(content: bytes = b"deck", tenant_id: UUID = NORDLYS) -> Source:
    async def load() -> bytes:
        return content

    return Source(tenant_id, content.ljust(32), load)


def kept_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


async def test_sixteen_callers_of_a_picture_cost_one_rendering(
    restart: Callable[[], Renderings], renderer: BlankPages
) -> None:
    renderings = restart()
    pictures = await asyncio.gather(*(renderings.get_picture(source_of(), COVER) for _ in range(16)))
    assert len({id(picture) for picture in pictures}) == 1
    opened = Image.open(io.BytesIO(pictures[0]))
    assert (opened.format, opened.size, renderer.drawn) == ("WEBP", (640, 360), 1)


async def test_a_gallery_that_asks_for_every_page_at_once_costs_one_rendering(
    restart: Callable[[], Renderings], renderer: BlankPages
) -> None:
    renderings, renderer.pages = restart(), 30
    pages = [PagePicture(page, 160, 90, "png") for page in range(1, 31)]
    pictures = await asyncio.gather(*(renderings.get_picture(source_of(), page) for page in pages))
    assert (len(pictures), renderer.drawn) == (30, 1)


async def test_what_was_made_is_there_after_a_restart(restart: Callable[[], Renderings], renderer: BlankPages) -> None:
    first = await restart().get_picture(source_of(), COVER)
    assert await restart().get_picture(source_of(), COVER) == first
    assert page_count(await restart().get_pdf(source_of())) == 2
    assert renderer.drawn == 1


async def test_two_processes_at_the_same_work_do_it_once(
    restart: Callable[[], Renderings], renderer: BlankPages, leases: SharedLeases
) -> None:
    renderer.go_on.clear()
    one, other = (asyncio.create_task(process.get_pdf(source_of())) for process in (restart(), restart()))
    await leases.refused.wait()
    renderer.go_on.set()
    assert await one == await other
    assert renderer.drawn == 1


async def test_a_caller_who_leaves_takes_nothing_from_the_others(
    restart: Callable[[], Renderings], renderer: BlankPages
) -> None:
    renderer.go_on.clear()
    renderings = restart()
    leaving, staying = (asyncio.create_task(renderings.get_picture(source_of(), COVER)) for _ in range(2))
    await renderer.begun.wait()
    leaving.cancel()
    renderer.go_on.set()
    assert await staying
    assert renderer.drawn == 1


@pytest.mark.parametrize("error", [RenderingFailed("It is damaged."), RendererBusy("Many wait.")])
async def test_a_failure_reaches_all_who_wait_and_is_not_kept(
    restart: Callable[[], Renderings], renderer: BlankPages, tmp_path: Path, error: Exception
) -> None:
    renderings, renderer.error = restart(), error
    answers = await asyncio.gather(
        *(renderings.get_picture(source_of(), COVER) for _ in range(5)), return_exceptions=True
    )
    assert answers == [error] * 5
    assert (renderer.drawn, kept_in(tmp_path)) == (1, [])
    renderer.error = None
    assert await renderings.get_picture(source_of(), COVER)


def cut_short(kept: Path) -> None:
    kept.write_bytes(kept.read_bytes()[:-1])


def empty(kept: Path) -> None:
    kept.write_bytes(b"")


def change_inside(kept: Path) -> None:
    kept.write_bytes(kept.read_bytes().replace(b"obj", b"job", 1))


@pytest.mark.parametrize("damage", [cut_short, empty, change_inside, Path.unlink])
async def test_what_is_damaged_or_gone_is_made_again(
    restart: Callable[[], Renderings], renderer: BlankPages, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    first = await restart().get_pdf(source_of())
    (kept,) = kept_in(tmp_path)
    damage(kept)
    assert page_count(await restart().get_pdf(source_of())) == page_count(first)
    assert renderer.drawn == 2
    await restart().get_pdf(source_of())
    assert renderer.drawn == 2


async def test_what_is_kept_can_be_opened_as_what_it_is(restart: Callable[[], Renderings], tmp_path: Path) -> None:
    await restart().get_picture(source_of(), COVER)
    pdf, picture = sorted(kept_in(tmp_path), key=lambda path: path.suffix)
    assert (pdf.name, picture.name) == ("slides.pdf", "page-1-640x360.webp")
    assert page_count(pdf.read_bytes()) == 2
    Image.open(picture).load()


async def test_a_storage_that_cannot_be_used_costs_the_cache_and_not_the_answer(
    renderer: BlankPages, tmp_path: Path
) -> None:
    renderings = make_renderings(renderer, tmp_path / "files")
    (tmp_path / "files" / str(NORDLYS)).write_text("a file where a folder should be")
    assert await renderings.get_picture(source_of(), COVER)
    assert await renderings.get_picture(source_of(), COVER)
    assert renderer.drawn == 1


async def test_each_tenant_content_engine_and_size_has_its_own(
    restart: Callable[[], Renderings], renderer: BlankPages, tmp_path: Path
) -> None:
    renderings = restart()
    await renderings.get_pdf(source_of())
    await renderings.get_pdf(source_of(b"other"))
    await renderings.get_pdf(source_of(tenant_id=FJORD))
    assert renderer.drawn == 3
    renderer.version = "Blank 2.0"
    await restart().get_pdf(source_of())
    assert (renderer.drawn, len(kept_in(tmp_path))) == (4, 4)
    for picture in (
        COVER,
        PagePicture(2, 640, 360, "webp"),
        PagePicture(1, 640, 360, "png"),
        PagePicture(1, 320, 180, "webp"),
    ):
        await renderings.get_picture(source_of(), picture)
    assert (renderer.drawn, len(kept_in(tmp_path))) == (4, 8)


async def test_keys_say_whose_which_version_and_which_content(
    restart: Callable[[], Renderings], tmp_path: Path
) -> None:
    renderings = restart()
    await renderings.get_pdf(source_of())
    version = await renderings.get_version()
    (key,) = [str(path.relative_to(tmp_path)) for path in kept_in(tmp_path)]
    assert key == f"{NORDLYS}/renderings/{version}/{b'deck'.ljust(32).hex()}/slides.pdf"


async def test_a_slide_that_was_not_drawn_is_the_files_fault(restart: Callable[[], Renderings]) -> None:
    with pytest.raises(RenderingFailed, match="list of slides is damaged"):
        await restart().get_picture(source_of(), PagePicture(3, 640, 360, "webp"))


async def test_closing_gives_up_what_is_being_made(
    restart: Callable[[], Renderings], renderer: BlankPages, tmp_path: Path
) -> None:
    renderer.go_on.clear()
    renderings = restart()
    waiting = asyncio.create_task(renderings.get_pdf(source_of()))
    await renderer.begun.wait()
    await renderings.close()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert kept_in(tmp_path) == []
