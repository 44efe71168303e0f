"""Conversion with the checks that every renderer makes before and after it."""

from collections.abc import Awaitable, Callable
from uuid import UUID

import pikepdf

from meetdeck.present.render.intake import check_presentation
from meetdeck.present.render.link_words import join_links
from meetdeck.present.render.pages import page_count
from meetdeck.present.render.renderer import RenderingFailed
from meetdeck.present.threads import RENDERINGS

_REPAIR = "open the presentation in PowerPoint, let it repair what it offers to repair, and save it."


async def convert(pptx: bytes, draw: Callable[[bytes], Awaitable[bytes]], tenant_id: UUID | None) -> bytes:
    """Return the PDF that `draw` makes of the checked and stripped package, with its links joined (`link_words`).

    Raises RenderingFailed for an invalid presentation, or when not every visible slide was drawn (LibreOffice
    "succeeds" with pages missing), and the errors of `draw`.
    """
    deck = await RENDERINGS.run(tenant_id, lambda _: check_presentation(pptx))
    pdf = await draw(deck.package)
    return await RENDERINGS.run(tenant_id, lambda _: _finish(pdf, deck.shown_slides))


def _finish(pdf: bytes, shown_slides: int) -> bytes:
    try:
        pages, joined = page_count(pdf), join_links(pdf)
    except pikepdf.PdfError as error:
        raise RenderingFailed(f"LibreOffice drew no readable PDF; {_REPAIR}") from error
    if pages != shown_slides:
        raise RenderingFailed(f"LibreOffice drew {pages} of the {shown_slides} slides; {_REPAIR}")
    return joined
