"""PDF/UA-1 and PDF/A-2b, through a real LibreOffice, judged by veraPDF and by what a screen reader finds."""

import io
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pikepdf
import pypdfium2
import pytest
import pytest_asyncio

from meetdeck.platform.process.threads import run_in_thread
from meetdeck.present.pdfs.schemas import PdfOptions, SlidesPerPage
from meetdeck.present.pdfs.service import Pdfs
from meetdeck.present.render.office import OfficePool
from meetdeck.present.render.pages import page_picture
from meetdeck.present.render.renderer import Office
from meetdeck.present.render.standards import Standard
from support.renderers import make_renderings, new_source
from support.spoken_decks import make_spoken_deck
from support.verapdf import find_broken_rules

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.thorough]

_BOTH: Final[list[Standard]] = list(Standard)
_WANTED: Final = {
    "plain": PdfOptions(),
    "slides": PdfOptions(conformance=_BOTH),
    "accessible": PdfOptions(conformance=[Standard.PDF_UA_1]),
    "archive": PdfOptions(conformance=[Standard.PDF_A_2B]),
    "handout": PdfOptions(slides_per_page=SlidesPerPage.FOUR, conformance=_BOTH),
    "notes": PdfOptions(notes_pages=True, conformance=_BOTH),
}

_ALIKE: Final = ("plain", "slides")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def made(
    office: Office, make_temp_dir: Callable[[], Path], tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[dict[str, bytes]]:
    """Make the PDFs of one deck, which is rendered once."""
    pool = OfficePool(office, size=1, temp_dir=make_temp_dir())
    pdfs = Pdfs(make_renderings(pool, tmp_path_factory.mktemp("renderings")))
    source = new_source(make_spoken_deck())
    yield {name: await pdfs.make(source, options) for name, options in _WANTED.items()}
    await pool.close()


async def test_verapdf_finds_nothing_broken_in_what_was_asked_for(made: dict[str, bytes], tmp_path: Path) -> None:
    broken = await run_in_thread(find_broken_rules, made, tmp_path)
    files = {(one.file, one.profile) for one in broken}
    # What was not asked for is not claimed, and shows that veraPDF looks.
    assert files == {
        ("plain", "PDFUA-1"),
        ("plain", "PDFA-2B"),
        ("accessible", "PDFA-2B"),
        ("archive", "PDFUA-1"),
    }


async def test_conforming_slides_look_like_the_others(made: dict[str, bytes]) -> None:
    for page in range(2):
        pictures = [page_picture(made[name], page, width=480, height=360, picture_format="png") for name in _ALIKE]
        assert pictures[0] == pictures[1]


def spoken(pdf: bytes) -> list[tuple[str, str]]:
    """Return what a screen reader says in its order: each element that has a text, with its kind."""
    with pikepdf.open(io.BytesIO(pdf)) as document, pypdfium2.PdfDocument(pdf) as shown:
        texts = {(index, number): text for index in range(len(shown)) for number, text in marked(shown[index])}
        pages = {page.obj.objgen: index for index, page in enumerate(document.pages)}
        return list(read(document.Root.StructTreeRoot, "", texts, pages))


def marked(page: Any) -> Iterator[tuple[int, str]]:
    """Yield the number and text of each marked content."""
    raw = pypdfium2.raw
    text_page: Any = page.get_textpage()
    for index in range(raw.FPDFPage_CountObjects(page)):
        drawn = raw.FPDFPage_GetObject(page, index)
        if raw.FPDFPageObj_GetType(drawn) == raw.FPDF_PAGEOBJ_TEXT:
            place = pypdfium2.PdfObject(drawn, page=page).get_bounds()
            text = text_page.get_text_bounded(*place)
            yield raw.FPDFPageObj_GetMarkedContentID(drawn), text.strip()


def read(
    element: Any, kind: str, texts: dict[tuple[int, int], str], pages: dict[Any, int]
) -> Iterator[tuple[str, str]]:
    kids = element.get("/K", ())
    if "/Alt" in element:
        yield kind, str(element.Alt)
        return
    for kid in kids if isinstance(kids, pikepdf.Array) else [kids]:
        if isinstance(kid, pikepdf.Dictionary):
            if "/S" in kid:
                yield from read(kid, str(kid.S)[1:], texts, pages)
            elif "/Obj" in kid:
                yield "link", str(kid.Obj.Contents)
        elif text := texts.get((pages[element.Pg.objgen], int(kid))):
            yield kind, text


async def test_a_screen_reader_hears_title_first_then_from_above_to_below_and_no_decoration(
    made: dict[str, bytes],
) -> None:
    heard = spoken(made["slides"])
    assert [one for one in heard if one[0] != "Lbl"] == [
        ("H1", "Welcome"),
        ("LBody", "Savings"),
        ("LBody", "Pension"),
        ("H1", "Your house"),
        ("P", "Above"),
        ("Figure", "A red house"),
        ("P", "Year"),
        ("P", "Value"),
        ("P", "2026"),
        ("P", "3 %"),
        ("Figure", "Values grow"),
        ("Link", "Below"),
        ("link", "https://example.org/"),
    ]


async def test_a_handout_tells_what_its_slides_show(made: dict[str, bytes]) -> None:
    figures = [text for kind, text in spoken(made["handout"]) if kind == "Figure"]
    assert len(figures) == 2
    assert all(text in figures[1] for text in ("Your house", "3 %", "A red house", "Values grow"))


async def test_the_matterhorn_checks_that_decide_hold(made: dict[str, bytes]) -> None:
    with pikepdf.open(io.BytesIO(made["slides"])) as document:
        root = document.Root
        assert (str(root.Lang), bool(root.MarkInfo.Marked)) == ("en-US", True)
        assert bool(root.ViewerPreferences.DisplayDocTitle)
        assert str(document.docinfo["/Title"]) == "Pension"
        assert [str(page.obj.Tabs) for page in document.pages if "/Annots" in page.obj] == ["/S"]
        elements: list[Any] = [one for one in document.objects if isinstance(one, pikepdf.Dictionary) and "/S" in one]
        kinds = [str(one.S) for one in elements if one.get("/Type") == pikepdf.Name.StructElem]
        assert (kinds.count("/TH"), kinds.count("/TD"), kinds.count("/H1")) == (2, 2, 2)
        fonts: list[Any] = [
            one for one in document.objects if isinstance(one, pikepdf.Dictionary) and "/FontDescriptor" in one
        ]
        assert fonts
        assert all("/ToUnicode" in font or font.Subtype == pikepdf.Name.CIDFontType2 for font in fonts)
        assert all({"/FontFile", "/FontFile2", "/FontFile3"} & set(font.FontDescriptor.keys()) for font in fonts)
