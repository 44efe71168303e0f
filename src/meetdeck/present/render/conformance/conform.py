"""Making a PDF conform to standards. Bytes in, bytes out; it computes, so run it in a thread."""

import io
from collections.abc import Collection, Sequence
from typing import Any, Final

import pikepdf
import pypdfium2
from msgspec.structs import replace
from pikepdf import Array, Name, Pdf

from meetdeck.present.deck import Outline, SpokenSlide
from meetdeck.present.render.conformance.accessible import make_accessible
from meetdeck.present.render.conformance.archive import make_archivable
from meetdeck.present.render.conformance.contents import strip_marks
from meetdeck.present.render.postprocess import describe_in, save
from meetdeck.present.render.standards import Standard

_LONGEST_TEXT: Final = 10_000


def conform(pdf: bytes, outline: Outline, standards: Collection[Standard], slides: Sequence[SpokenSlide] = ()) -> bytes:
    """Return a finished PDF that conforms to the standards.

    `slides` are those of its pages, in their order, for a PDF of slides to conform to PDF/UA-1; omit them for handouts
    and notes pages, which have a structure of their own. Each picture must have a text (`SpokenSlide.untold`). Raises
    RenderingFailed for a PDF of slides without tags.
    """
    with pikepdf.open(io.BytesIO(pdf)) as document:
        _leave_links_alone(document)
        if Standard.PDF_UA_1 in standards and slides:
            make_accessible(document, slides)
        if Standard.PDF_A_2B in standards:
            make_archivable(document)
        titled = replace(outline, title=outline.title or next(iter(outline.slides), "") or "Slides")
        describe_in(document, titled, standards)
        return save(document)


def describe_slides(pdf: bytes, slides: Sequence[SpokenSlide]) -> tuple[str, ...]:
    """Return the description of each slide shown as a picture: its text, and its shapes' alternative texts."""
    with pypdfium2.PdfDocument(pdf) as document:
        texts = [document[index].get_textpage().get_text_range() for index in range(len(document))]
    told = ([text, *(one.text for one in slide.alternatives)] for text, slide in zip(texts, slides, strict=True))
    return tuple(" ".join(" ".join(parts).split())[:_LONGEST_TEXT] for parts in told)


def without_marks(pdf: bytes) -> bytes:
    """Return a PDF of slides whose pages will be pictures in another, without tags of their own."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        strip_marks(document)
        return save(document)


def _leave_links_alone(document: Pdf) -> None:
    """Remove annotations that are not links, such as films: PDF/A-2 forbids them, and they have no text."""
    for page in document.pages:
        annotations: Any = page.obj.get("/Annots", ())
        links = [one for one in annotations if one.get("/Subtype") == Name.Link]
        if links:
            page.obj.Annots = Array(links)
        elif "/Annots" in page.obj:
            del page.obj.Annots
