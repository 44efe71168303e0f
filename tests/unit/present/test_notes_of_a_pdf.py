"""Notes pages of files that LibreOffice draws and we do not read: a refusal in words, never a crash."""

import io
import zipfile

import pikepdf
import pytest
from pptx import Presentation

from meetdeck.present.errors import UnreadableNotes
from meetdeck.present.render.pages import page_count
from meetdeck.present.requests import PdfOptions
from meetdeck.present.service.pdfs import Pdfs


class BlankPages:
    """A renderer that draws two blank pages of whatever it is given."""

    async def to_pdf(self, pptx: bytes) -> bytes:
        del pptx
        with pikepdf.new() as pdf:
            for _ in range(2):
                pdf.add_blank_page(page_size=(960, 540))
            out = io.BytesIO()
            pdf.save(out)
        return out.getvalue()

    async def close(self) -> None:
        """Nothing to stop."""


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
def pdfs() -> Pdfs:
    return Pdfs(BlankPages())


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
        (
            make_deck(
                "_rels/.rels",
                "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument",
                "http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument",
            ),
            "Strict Open XML",
        ),
        (make_deck("ppt/presentation.xml", 'r:id="rId8"', 'r:id="rId7"'), "list of slides is damaged"),
    ],
    ids=["macros", "strict", "a slide listed twice"],
)
async def test_notes_that_cannot_be_read_are_refused_and_handouts_are_made(
    pdfs: Pdfs, deck: bytes, reason: str
) -> None:
    for handout_mode in (False, True):
        with pytest.raises(UnreadableNotes, match=reason):
            await pdfs.make(deck, PdfOptions(handout_mode=handout_mode, notes_pages=True))
    assert page_count(await pdfs.make(deck, PdfOptions(handout_mode=True))) == 1


async def test_notes_that_can_be_read_are_on_their_pages(pdfs: Pdfs) -> None:
    assert page_count(await pdfs.make(make_deck(), PdfOptions(notes_pages=True))) == 2
