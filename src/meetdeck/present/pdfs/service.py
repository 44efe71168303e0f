"""PDFs: the slides of a presentation as they are, as handouts, or as notes pages."""

import asyncio
import re
from collections.abc import Sequence
from typing import Final
from urllib.parse import unquote
from uuid import UUID

from msgspec.structs import replace

from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.present.deck import (
    DEFAULT_LOCALE,
    Notes,
    Outline,
    SpokenSlide,
    TemplateError,
    read_notes,
    read_outline,
    read_spoken,
)
from meetdeck.present.errors import InvalidUpload, NotAccessible, UnreadableNotes
from meetdeck.present.pdfs.schemas import PaperSize, PdfOptions
from meetdeck.present.render.handouts import (
    MOST_BESIDE_NOTES,
    Paper,
    Sheet,
    handout,
    handout_with_notes,
    notes_pages,
)
from meetdeck.present.render.pages import page_count
from meetdeck.present.render.standards import Standard
from meetdeck.present.renderings import Renderings, Source
from meetdeck.present.templates.schemas import StoredTemplate
from meetdeck.present.templates.service import get_unlabelled_template
from meetdeck.present.threads import RENDERINGS

# The beginning of the addresses of templates and contents, after that of the installation.
_TEMPLATE_PATH: Final = re.compile(r"/api/v[23]/present/templates/(?P<name>[^/?#]+)")
_CONTENT_PATH: Final = re.compile(r"/api/v[23]/present/contents/(?P<id>[0-9a-fA-F-]{36})(?:/download\?.*)?")
_DEFAULT_SLIDES: Final = 3
_MOST_FAULTS: Final = 50
_PAPERS: Final[dict[PaperSize, Paper]] = {PaperSize.A4: "a4", PaperSize.LETTER: "us-letter"}


class Pdfs:
    """Makes PDFs, each only once for any number of callers. Called outside transactions."""

    def __init__(self, renderings: Renderings) -> None:
        self._renderings = renderings

    async def make(self, source: Source, options: PdfOptions, *, locale: str = DEFAULT_LOCALE) -> bytes:
        """Return the PDF of a presentation, laid out by the options. Raises the renderer's errors, or UnreadableNotes.

        `locale` (BCP 47) is the language of a deck without one.
        """
        _check(options)

        async def lay_out() -> bytes:
            content = await source.load()
            pdf, outline = await asyncio.gather(
                self._renderings.get_pdf(Source.of(source.tenant_id, content, digest=source.digest)),
                RENDERINGS.run(source.tenant_id, lambda _: read_outline(content)),
            )
            if not outline.language:
                outline = replace(outline, language=locale)
            return await RENDERINGS.run(source.tenant_id, lambda _: _lay_out(pdf, outline, content, options))

        standards = "".join(f"-{standard.value}" for standard in Standard if standard in options.conformance)
        return await self._renderings.get(source, f"{_name_layout(options)}-{locale}{standards}.pdf", lay_out)


def read_content_id(slide_location: str, *, base_url: str) -> UUID | None:
    """Return the id in a `slideLocation`: an id, a content's address, its `downloadUrl`; None for any other."""
    found = _CONTENT_PATH.fullmatch(slide_location.removeprefix(base_url))
    try:
        return UUID(found["id"] if found else slide_location)
    except ValueError:
        return None


async def get_template_at(connection: Connection, slide_location: str, *, base_url: str) -> StoredTemplate:
    """Return the template at a `slideLocation`: a template's `uri`, whole or only its path."""
    found = _TEMPLATE_PATH.fullmatch(slide_location.removeprefix(base_url))
    if found is None:
        raise InvalidUpload(
            "slideLocation must be a template's uri, or a content's contentId, slideLocation or downloadUrl, of this "
            "installation; nothing is fetched from outside.",
            faults=(Fault("/slideLocation", "Send for example /api/v3/present/templates/Annual%20review."),),
        )
    return await get_unlabelled_template(connection, unquote(found["name"]), pointer="/slideLocation")


def _check(options: PdfOptions) -> None:
    if options.notes_pages and (options.slides_per_page or 1) > MOST_BESIDE_NOTES:
        raise InvalidUpload(
            phrase(
                "At most {most_beside_notes} slides of a page have room for their notes.",
                most_beside_notes=MOST_BESIDE_NOTES,
            ),
            faults=(Fault("/options/slidesPerPage", "Send 1, 2, 3 or 4, or leave notesPages out."),),
        )


def _is_handout(options: PdfOptions) -> bool:
    return options.handout_mode or options.slides_per_page is not None


def _sheet(options: PdfOptions) -> Sheet:
    return Sheet(_PAPERS[options.paper_size], options.slides_per_page or _DEFAULT_SLIDES)


def _name_layout(options: PdfOptions) -> str:
    """Return the name of the pages, the same for equivalent options."""
    sheet = _sheet(options)
    match _is_handout(options), options.notes_pages:
        case False, False:
            return "finished"
        case False, True:
            return f"notes-{sheet.paper}"
        case _, True:
            return f"handout-{sheet.slides}-with-notes-{sheet.paper}"
        case _:
            return f"handout-{sheet.slides}-{sheet.paper}"


def _lay_out(pdf: bytes, outline: Outline, content: bytes, options: PdfOptions) -> bytes:
    from meetdeck.present.render.conformance.conform import (  # noqa: PLC0415 - pikepdf and PDFium take 10 MB
        conform,
        describe_slides,
        without_marks,
    )

    standards = frozenset(options.conformance)
    slides = _read_told(pdf, content) if Standard.PDF_UA_1 in standards else ()
    sheet = _sheet(options)
    if slides and (_is_handout(options) or options.notes_pages):
        sheet = replace(sheet, alternatives=describe_slides(pdf, slides))
        pdf, slides = without_marks(pdf), ()
    pages = _pages(pdf, outline, content, options, sheet)
    return conform(pages, outline, standards, slides) if standards else pages


def _pages(pdf: bytes, outline: Outline, content: bytes, options: PdfOptions, sheet: Sheet) -> bytes:
    from meetdeck.present.render.postprocess import finish  # noqa: PLC0415 - see above

    if not options.notes_pages:
        return handout(pdf, outline, sheet) if _is_handout(options) else finish(pdf, outline)
    lay_out = handout_with_notes if _is_handout(options) else notes_pages
    return lay_out(pdf, outline, _notes_for(pdf, content), sheet)


def _read_told(pdf: bytes, content: bytes) -> Sequence[SpokenSlide]:
    """Return the slides with their texts for people who cannot see them. Raises NotAccessible."""
    try:
        slides = read_spoken(content)
    except TemplateError as error:
        raise NotAccessible(phrase("The presentation cannot be made accessible. {error}", error=error)) from None
    if len(slides) != page_count(pdf):
        raise NotAccessible("The presentation cannot be made accessible: its list of slides is damaged.")
    untold = [(slide.name, shape) for slide in slides for shape in slide.untold]
    if untold:
        raise NotAccessible(
            "PDF/UA-1 requires an alternative text for each picture and chart, and some have none. In PowerPoint:"
            " Review, Check Accessibility; or right-click the shape, View Alt Text, and write one or mark it as"
            " decorative.",
            faults=tuple(
                Fault("", phrase("{shape!r} on the slide {slide!r} has no alternative text.", shape=shape, slide=slide))
                for slide, shape in untold[:_MOST_FAULTS]
            ),
        )
    return slides


def _notes_for(pdf: bytes, content: bytes) -> list[Notes]:
    """Return the notes of each page; none for a file that LibreOffice can draw and we cannot read."""
    try:
        notes = read_notes(content)
    except TemplateError as error:
        raise UnreadableNotes(str(error)) from None
    if len(notes) != page_count(pdf):
        raise UnreadableNotes(
            "Its list of slides is damaged. Open it in PowerPoint, let it repair the file, and save it."
        )
    return notes
