"""Handouts and notes pages, laid out from the PDF of a deck's slides. Bytes in, bytes out; run it in a thread.

Typst sets the text: it shapes every script, falls back from font to font, breaks lines and pages, and places the slides
as they are, vectors and text. It also writes bookmarks, links and tags, since it knows where everything is.
"""

import functools
import re
import shutil
import tempfile
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import msgspec
from msgspec import Struct

from meetdeck.present.deck import Notes, NotesParagraph, Outline
from meetdeck.present.render.renderer import RenderingFailed
from meetdeck.present.render.standards import Link

if TYPE_CHECKING:
    import typst

_TEMPLATE: Final = Path(__file__).with_name("handouts.typ")
# Fonts that look like PowerPoint's own first; Typst falls back to any font of the machine that has a character.
_FONTS: Final = ("Carlito", "Calibri", "Liberation Sans", "Arial", "Noto Sans", "DejaVu Sans", "Libertinus Serif")
_LANGUAGE: Final = re.compile(r"(?P<language>[a-z]{2,3})(?:-[A-Za-z]{4})?(?:-(?P<region>[A-Z]{2}))?(?:-.*)?")
# Typst lays out this much in about 2 s and 300 MB; a long book has 500,000 characters.
_MOST_CHARACTERS: Final = 500_000
_MOST_PIECES: Final = 25_000  # paragraphs, and text of one format
_MOST_LINKS: Final = 5_000
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL"})
_DIRECTED: Final = _RIGHT_TO_LEFT | {"L"}

Paper = Literal["a4", "us-letter"]

_Layout = Literal["handout", "notes_pages", "handout_with_notes"]
# The arrangement of the slides of a page, as columns and rows; PowerPoint has the same.
_GRIDS: Final = {1: (1, 1), 2: (1, 2), 3: (1, 3), 4: (2, 2), 6: (2, 3), 9: (3, 3)}
_WITH_LINES: Final = 3
MOST_BESIDE_NOTES: Final = 4
"""The number of slides on a page that have room for notes beside them."""


class _Paragraph(Struct, frozen=True):
    """A paragraph of the notes, and whether it is read from right to left."""

    paragraph: NotesParagraph
    rtl: bool


class _Slide(Struct, frozen=True):
    """A slide for `handouts.typ`: `section` is the one that begins with it, `level` its bookmark's.

    `alternative` is read to people who cannot see it.
    """

    title: str
    alternative: str
    section: str
    level: int
    links: list[Link]
    notes: list[_Paragraph]


class Sheet(Struct, frozen=True):
    """The paper of a handout, and how many slides are on a page: 1, 2, 3, 4, 6 or 9.

    `alternatives` are read to people who cannot see the slides, instead of their titles.
    """

    paper: Paper = "a4"
    slides: int = _WITH_LINES
    alternatives: tuple[str, ...] = ()


_USUAL: Final = Sheet()


class _TypstData(Struct, frozen=True):
    layout: _Layout
    paper: Paper
    columns: int
    rows: int
    ruled: bool
    title: str
    language: str
    region: str | None
    fonts: list[str]
    slides: list[_Slide]


def handout(pdf: bytes, outline: Outline, sheet: Sheet = _USUAL) -> bytes:
    """Return a PDF with several slides a page (`handoutMode`); three slides have ruled lines beside them.

    `pdf` has a page for each visible slide, as the renderer made it or finished. When the outline has another number of
    slides there are no bookmarks. Links after the first 5,000 are left out. Raises RenderingFailed.
    """
    return _compose(pdf, "handout", sheet, outline, None)


def notes_pages(pdf: bytes, outline: Outline, notes: Sequence[Notes], sheet: Sheet = _USUAL) -> bytes:
    """Return a PDF with each slide above its notes (`notesPages`), ignoring the sheet's number of slides.

    Long notes flow onto further pages; see `handout`. `notes` has an entry for each page of `pdf`, else ValueError.
    RenderingFailed when they are endless.
    """
    return _compose(pdf, "notes_pages", sheet, outline, notes)


def handout_with_notes(pdf: bytes, outline: Outline, notes: Sequence[Notes], sheet: Sheet = _USUAL) -> bytes:
    """Return a PDF with at most four slides a page, each beside its notes; see `notes_pages`."""
    return _compose(pdf, "handout_with_notes", sheet, outline, notes)


def _compose(pdf: bytes, layout: _Layout, sheet: Sheet, outline: Outline, notes: Sequence[Notes] | None) -> bytes:
    import typst  # noqa: PLC0415 - Typst and pikepdf take 20 MB: few processes lay pages out

    from meetdeck.present.render.postprocess import describe, read_links  # noqa: PLC0415

    links = read_links(pdf)
    notes = [()] * len(links) if notes is None else notes
    if len(notes) != len(links):
        raise ValueError(f"{len(notes)} notes for {len(links)} pages; give one for each, empty where there is none")
    _check_length(notes)
    fonts = _installed_fonts()
    tag = _LANGUAGE.fullmatch(outline.language)
    columns, rows = _GRIDS[sheet.slides] if layout == "handout" else (1, sheet.slides)
    data = _TypstData(
        layout,
        sheet.paper,
        columns,
        rows,
        ruled=layout == "handout" and sheet.slides == _WITH_LINES,
        title=outline.title,
        language=tag["language"] if tag else "en",
        region=tag["region"] if tag else None,
        fonts=[name for name in _FONTS if name in fonts.families()],
        slides=list(_slides(outline, links, notes, sheet.alternatives)),
    )
    with tempfile.TemporaryDirectory(prefix="meetdeck-handout-") as folder:
        main = shutil.copy(_TEMPLATE, folder)
        Path(folder, "slides.pdf").write_bytes(pdf)
        Path(folder, "data.json").write_bytes(msgspec.json.encode(data))
        try:
            return describe(typst.compile(main, root=folder, font_paths=fonts, timestamp=0), outline)
        except typst.TypstError as error:
            raise RenderingFailed(f"The pages cannot be laid out ({error.message}).") from error


def _check_length(notes: Sequence[Notes]) -> None:
    paragraphs = [paragraph for one in notes for paragraph in one]
    characters = sum(len(paragraph.text) for paragraph in paragraphs)
    pieces = sum(1 + len(paragraph.spans) for paragraph in paragraphs)
    if characters > _MOST_CHARACTERS or pieces > _MOST_PIECES:
        raise RenderingFailed(
            f"The notes have {characters:,} characters in {pieces:,} paragraphs and formats; at most "
            f"{_MOST_CHARACTERS:,} in {_MOST_PIECES:,} can be laid out. Shorten them, or request the slides alone."
        )


def _slides(
    outline: Outline, links: Sequence[list[Link]], notes: Sequence[Notes], alternatives: Sequence[str]
) -> Iterator[_Slide]:
    bookmarks = [
        (title, chapter.section if index == 0 else "", 2 if chapter.section else 1)
        for chapter in outline.chapters
        for index, title in enumerate(chapter.slides)
    ]
    if len(bookmarks) != len(links):
        bookmarks = [("", "", 1)] * len(links)
    room = _MOST_LINKS
    told = alternatives or [title or str(number) for number, (title, _, _) in enumerate(bookmarks, start=1)]
    for (title, section, level), alternative, on_page, paragraphs in zip(bookmarks, told, links, notes, strict=True):
        on_slide = on_page[:room]
        room -= len(on_slide)
        spoken = [_Paragraph(one, _is_rtl(one.text)) for one in paragraphs]
        yield _Slide(title, alternative or title, section, level, on_slide, spoken)


def _is_rtl(text: str) -> bool:
    """Return whether the first letter with a direction is right-to-left (Unicode Bidirectional Algorithm, P2, P3)."""
    directions = (unicodedata.bidirectional(character) for character in text)
    return next((one for one in directions if one in _DIRECTED), "L") in _RIGHT_TO_LEFT


@functools.cache
def _installed_fonts() -> "typst.Fonts":
    """Return the fonts of this machine, listed once, since all of them are read."""
    import typst  # noqa: PLC0415 - see above

    return typst.Fonts()


def installed_font_families() -> frozenset[str]:
    """Return the names of the font families for pages and pictures."""
    return frozenset(_installed_fonts().families())
