"""Notes pages of files that LibreOffice draws and we do not read: a refusal in words, never a crash."""

import io
import zipfile
from pathlib import Path

import pikepdf
import pytest
from pptx import Presentation

from meetdeck.present.errors import InvalidUpload, NotAccessible, UnreadableNotes
from meetdeck.present.pdfs.schemas import PaperSize, PdfOptions, SlidesPerPage
from meetdeck.present.pdfs.service import Pdfs
from meetdeck.present.render.pages import page_count
from meetdeck.present.render.standards import Standard
from support.renderers import BlankPages, make_renderings, new_source
from support.spoken_decks import make_spoken_deck
from support.strict_decks import make_strict


def make_deck(part: str = "", old: str = "", new: str = "") -> bytes:
    """Make two slides; in one part, replace a text."""
    deck = Presentation()
    for _ in range(2):
        deck.slides.add_slide(deck.slide_layouts[6])
    saved, changed = io.BytesIO(), io.BytesIO()
    deck.save(saved)
    with zipfile.ZipFile(saved) as source, zipfile.ZipFile(changed, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            assert name != part or old.encode() in content
            target.writestr(name, content.replace(old.encode(), new.encode()) if name == part else content)
    return changed.getvalue()


@pytest.fixture
def pdfs(tmp_path: Path) -> Pdfs:
    return Pdfs(make_renderings(BlankPages(), tmp_path))


@pytest.mark.parametrize(
    ("deck", "reason"),
    [
        (
            make_deck(
                "[Content_Types].xml",
                "vnd.openxmlformats-officedocument.presentationml.presentation.main",
                "vnd.ms-powerpoint.presentation.macroEnabled.main",
            ),
            "macros",
        ),
        (make_deck("ppt/presentation.xml", 'r:id="rId8"', 'r:id="rId7"'), "list of slides is damaged"),
    ],
    ids=["macros", "a slide listed twice"],
)
async def test_notes_that_cannot_be_read_are_refused_and_handouts_are_made(
    pdfs: Pdfs, deck: bytes, reason: str
) -> None:
    for handout_mode in (False, True):
        with pytest.raises(UnreadableNotes, match=reason):
            await pdfs.make(new_source(deck), PdfOptions(handout_mode=handout_mode, notes_pages=True))
    assert page_count(await pdfs.make(new_source(deck), PdfOptions(handout_mode=True))) == 1


async def test_notes_that_can_be_read_are_on_their_pages(pdfs: Pdfs) -> None:
    assert page_count(await pdfs.make(new_source(make_deck()), PdfOptions(notes_pages=True))) == 2


async def test_notes_of_strict_open_xml_are_read(pdfs: Pdfs) -> None:
    strict = new_source(make_strict(make_deck()))
    assert page_count(await pdfs.make(strict, PdfOptions(notes_pages=True))) == 2


async def test_a_deck_that_names_no_language_speaks_the_firms(pdfs: Pdfs) -> None:
    unread = make_deck("[Content_Types].xml", "presentation.main", "x.main")
    with pikepdf.open(io.BytesIO(await pdfs.make(new_source(unread), PdfOptions(), locale="da-DK"))) as document:
        assert str(document.Root.Lang) == "da-DK"


async def test_options_that_mean_the_same_are_laid_out_once_and_others_anew(pdfs: Pdfs) -> None:
    source = new_source(make_deck())
    made = [
        await pdfs.make(source, options)
        for options in (
            PdfOptions(handout_mode=True),
            PdfOptions(slides_per_page=SlidesPerPage.THREE),
            PdfOptions(slides_per_page=SlidesPerPage.ONE),
            PdfOptions(slides_per_page=SlidesPerPage.ONE, paper_size=PaperSize.LETTER),
        )
    ]
    assert made[0] is made[1]
    assert len(set(made)) == 3


async def test_nine_slides_have_no_room_for_notes_beside_them(pdfs: Pdfs) -> None:
    with pytest.raises(InvalidUpload, match="At most 4") as refused:
        await pdfs.make(new_source(make_deck()), PdfOptions(notes_pages=True, slides_per_page=SlidesPerPage.NINE))
    assert refused.value.faults[0].pointer == "/options/slidesPerPage"


async def test_a_picture_without_a_text_is_named_when_the_pdf_shall_be_for_everybody(pdfs: Pdfs) -> None:
    source = new_source(make_spoken_deck(untold=True))
    with pytest.raises(NotAccessible, match="Check Accessibility") as refused:
        await pdfs.make(source, PdfOptions(conformance=[Standard.PDF_UA_1]))
    (fault,) = refused.value.faults
    assert "'Picture 6' on the slide 'Your house'" in fault.detail
