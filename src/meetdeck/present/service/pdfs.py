"""PDFs: the slides of a presentation as they are, as handouts, as notes pages."""

import asyncio

from msgspec.structs import replace

from meetdeck.platform.threads import run_in_thread
from meetdeck.present.deck import DEFAULT_LOCALE, Notes, Outline, TemplateError, read_notes, read_outline
from meetdeck.present.errors import UnreadableNotes
from meetdeck.present.render.handouts import handout, handout_with_notes, notes_pages
from meetdeck.present.render.pages import page_count
from meetdeck.present.render.postprocess import finish
from meetdeck.present.renderings import Renderings, Source
from meetdeck.present.schemas.requests import PdfOptions

_LAYOUTS = {
    PdfOptions(): "finished",
    PdfOptions(handout_mode=True): "handout",
    PdfOptions(notes_pages=True): "notes",
    PdfOptions(handout_mode=True, notes_pages=True): "handout-with-notes",
}


class Pdfs:
    """Makes PDFs, each once however many ask. Called outside transactions."""

    def __init__(self, renderings: Renderings) -> None:
        self._renderings = renderings

    async def make(self, source: Source, options: PdfOptions, *, locale: str = DEFAULT_LOCALE) -> bytes:
        """Return the PDF of a presentation, laid out by the options. Raises the renderer's errors, or UnreadableNotes.

        `locale` (BCP 47) is the language of a deck that names none.
        """

        async def lay_out() -> bytes:
            content = await source.load()
            pdf, outline = await asyncio.gather(
                self._renderings.get_pdf(Source.of(source.tenant_id, content, digest=source.digest)),
                run_in_thread(read_outline, content),
            )
            if not outline.language:
                outline = replace(outline, language=locale)
            return await run_in_thread(_lay_out, pdf, outline, content, options)

        return await self._renderings.get(source, f"{_LAYOUTS[options]}-{locale}.pdf", lay_out)


def _lay_out(pdf: bytes, outline: Outline, content: bytes, options: PdfOptions) -> bytes:
    if not options.notes_pages:
        return (handout if options.handout_mode else finish)(pdf, outline)
    return (handout_with_notes if options.handout_mode else notes_pages)(pdf, outline, _notes_for(pdf, content))


def _notes_for(pdf: bytes, content: bytes) -> list[Notes]:
    """Return the notes of each page; none for a file that LibreOffice draws and we cannot read."""
    try:
        notes = read_notes(content)
    except TemplateError as error:
        raise UnreadableNotes(str(error)) from None
    if len(notes) != page_count(pdf):
        raise UnreadableNotes(
            "Its list of slides is damaged. Open it in PowerPoint, let it repair the file, and save it."
        )
    return notes
