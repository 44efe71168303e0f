"""PDFs: the slides of a presentation as they are, as handouts, as notes pages."""

import asyncio

from meetdeck.present.deck import TemplateError, read_notes
from meetdeck.present.errors import UnreadableNotes
from meetdeck.present.render.handouts import handout, handout_with_notes, notes_pages
from meetdeck.present.render.pages import page_count
from meetdeck.present.render.renderer import Renderer
from meetdeck.present.requests import PdfOptions


class Pdfs:
    """Makes PDFs. Called outside transactions."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer

    async def make(self, content: bytes, options: PdfOptions) -> bytes:
        """Render a presentation and lay its pages out as asked. Raises the renderer's errors, or UnreadableNotes."""
        pdf = await self._renderer.to_pdf(content)
        if not options.handout_mode and not options.notes_pages:
            return pdf
        if not options.notes_pages:
            return await asyncio.to_thread(handout, pdf)
        notes = await asyncio.to_thread(_notes_for, pdf, content)
        return await asyncio.to_thread(handout_with_notes if options.handout_mode else notes_pages, pdf, notes)


def _notes_for(pdf: bytes, content: bytes) -> list[str]:
    """Return the notes of each page. LibreOffice draws some files that we do not read: those have no notes for us."""
    try:
        notes = read_notes(content)
    except TemplateError as error:
        raise UnreadableNotes(str(error)) from None
    if len(notes) != page_count(pdf):
        raise UnreadableNotes(
            "Its list of slides is damaged. Open it in PowerPoint, let it repair the file, and save it."
        )
    return notes
