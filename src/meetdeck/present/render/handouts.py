"""Lays out handouts and notes pages from the PDF of a deck's slides. Bytes in, bytes out; run it in a thread.

Typst sets the text: it shapes every script, falls back from font to font, breaks lines and pages, and places the
slides as they are, vectors and text.
"""

import functools
import io
import json
import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

import pikepdf
import typst

from meetdeck.present.render.pages import page_count
from meetdeck.present.render.renderer import RenderingFailed

_TEMPLATE: Final = Path(__file__).with_name("handouts.typ")
# Those that look like PowerPoint's own first; Typst goes on to any font of the machine that has a character.
_FONTS: Final = ("Carlito", "Calibri", "Liberation Sans", "Arial", "Noto Sans", "DejaVu Sans", "Libertinus Serif")
_UNPRINTABLE: Final = re.compile(r"[\x00-\x08\x0c\x0e-\x1f\x7f]")
_PARAGRAPH_END: Final = re.compile(r"\r\n?|\n")

_Layout = Literal["handout", "notes_pages", "handout_with_notes"]


def handout(pdf: bytes, *, language: str = "en") -> bytes:
    """Three slides a page beside ruled lines, on A4 (`handoutMode`)."""
    return _compose(pdf, "handout", [""] * page_count(pdf), language)


def notes_pages(pdf: bytes, notes: Sequence[str], *, language: str = "en") -> bytes:
    """Each slide above its notes, on A4 (`notesPages`).

    `notes` has one text for each page of `pdf`, else ValueError; its paragraphs are lines. Long notes flow onto
    further pages. `language` (BCP 47, as in `da-DK`) decides how words are broken.
    """
    return _compose(pdf, "notes_pages", notes, language)


def handout_with_notes(pdf: bytes, notes: Sequence[str], *, language: str = "en") -> bytes:
    """At most three slides a page, each beside its notes, on A4 (`handoutMode` and `notesPages`); see `notes_pages`."""
    return _compose(pdf, "handout_with_notes", notes, language)


def _compose(pdf: bytes, layout: _Layout, notes: Sequence[str], language: str) -> bytes:
    with pikepdf.open(io.BytesIO(pdf)) as slides:
        title, pages = str(slides.docinfo.get("/Title", "")), len(slides.pages)
    if len(notes) != pages:
        raise ValueError(f"{len(notes)} notes for {pages} pages; give one for each, empty where there is none")
    fonts = _installed_fonts()
    given = {
        "layout": layout,
        "title": title,
        "language": _language_subtag(language),
        "fonts": [name for name in _FONTS if name in fonts.families()],
        "notes": [_PARAGRAPH_END.split(_UNPRINTABLE.sub("", text)) for text in notes],
    }
    with tempfile.TemporaryDirectory(prefix="meetdeck-handout-") as folder:
        main = shutil.copy(_TEMPLATE, folder)
        Path(folder, "slides.pdf").write_bytes(pdf)
        Path(folder, "slides.json").write_text(json.dumps(given), encoding="utf-8")
        try:
            return typst.compile(main, root=folder, font_paths=fonts, timestamp=0)
        except typst.TypstError as error:
            raise RenderingFailed(f"The pages cannot be laid out ({error.message}).") from error


@functools.cache
def _installed_fonts() -> typst.Fonts:
    """Find the fonts of this machine, once: it reads them all."""
    return typst.Fonts()


def installed_font_families() -> frozenset[str]:
    """Return the names of the font families that pages and pictures can be drawn with."""
    return frozenset(_installed_fonts().families())


def _language_subtag(tag: str) -> str:
    subtag = tag.partition("-")[0].lower()
    return subtag if re.fullmatch("[a-z]{2,3}", subtag) else "en"
