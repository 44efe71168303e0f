"""The PDF of a deck with links, by a real LibreOffice."""

import asyncio
import io
from collections.abc import Callable

import pikepdf
import pytest

from meetdeck.present.deck import Notes, Outline, address_slide_links, read_notes, read_outline
from meetdeck.present.render.handouts import handout, handout_with_notes, notes_pages
from meetdeck.present.render.office import OfficePool
from meetdeck.present.render.postprocess import finish
from support.pdfs import Rectangle, bookmarks, links_of, make_linked_deck, place_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

LayOut = Callable[[bytes, Outline, list[Notes]], bytes]


def slides_alone(pdf: bytes, outline: Outline, _notes: list[Notes]) -> bytes:
    return finish(pdf, outline)


def handout_alone(pdf: bytes, outline: Outline, _notes: list[Notes]) -> bytes:
    return handout(pdf, outline)


LAYOUTS = pytest.mark.parametrize("lay_out", [slides_alone, handout_alone, notes_pages, handout_with_notes])


async def make_pdf(pool: OfficePool, lay_out: LayOut) -> bytes:
    deck = make_linked_deck()
    return lay_out(await pool.to_pdf(address_slide_links(deck)), read_outline(deck), read_notes(deck))


@LAYOUTS
async def test_what_a_slide_links_to_can_be_clicked_where_it_stands(pool: OfficePool, lay_out: LayOut) -> None:
    pdf = await make_pdf(pool, lay_out)
    links = links_of(pdf, 0)
    web, mail, jump = (
        next(link.target for link in links if holds(link.rectangle, place_of(pdf, 0, text)))
        for text in ("Read more", "Write to us", "Goodbye")
    )
    assert (web, mail) == ("https://example.org/?a=1&b=2", "mailto:anna@example.org")
    _, last = bookmarks(pdf)
    assert (last.title, jump) == ("Tak", last.page)
    assert len(links) == 3


def holds(outer: Rectangle, inner: Rectangle) -> bool:
    """Return whether the middle of `inner` lies in `outer`."""
    x, y = (inner.left + inner.right) / 2, (inner.bottom + inner.top) / 2
    return outer.left <= x <= outer.right and outer.bottom <= y <= outer.top


@LAYOUTS
async def test_the_pdf_is_called_and_spoken_like_the_deck_and_names_nobody(pool: OfficePool, lay_out: LayOut) -> None:
    pdf = await make_pdf(pool, lay_out)
    with pikepdf.open(io.BytesIO(pdf)) as document:
        said = {name: str(value) for name, value in document.docinfo.items()}
        assert said == {"/Title": "Pension", "/Producer": "Meetdeck"}
        assert str(document.Root.Lang) == "da-DK"
        assert not any(b"Karen" in one.unparse() for one in document.objects if isinstance(one, pikepdf.Object))
    assert [mark.title for mark in bookmarks(pdf)] == ["Velkommen", "Tak"]


@LAYOUTS
async def test_the_same_deck_gives_the_same_bytes(pool: OfficePool, lay_out: LayOut) -> None:
    first = await make_pdf(pool, lay_out)
    await asyncio.sleep(1)  # LibreOffice notes the second
    assert await make_pdf(pool, lay_out) == first


@LAYOUTS
async def test_a_screen_reader_is_told_what_is_what(pool: OfficePool, lay_out: LayOut) -> None:
    with pikepdf.open(io.BytesIO(await make_pdf(pool, lay_out))) as document:
        assert bool(document.Root.MarkInfo.Marked)
        kinds = {str(one["/S"]) for one in document.objects if isinstance(one, pikepdf.Dictionary) and "/S" in one}
    assert kinds & {"/P", "/H1", "/Figure"}
