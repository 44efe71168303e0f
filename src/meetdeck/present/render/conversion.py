"""Conversion with the checks that every renderer makes before and after it."""

import io
from collections.abc import Awaitable, Callable
from uuid import UUID

from meetdeck.present.render.renderer import RenderingFailed
from meetdeck.present.threads import RENDERINGS

_REPAIR = "open the presentation in PowerPoint, let it repair what it offers to repair, and save it."


async def convert(pptx: bytes, draw: Callable[[bytes], Awaitable[bytes]], tenant_id: UUID | None) -> bytes:
    """Return the PDF that `draw` makes of the checked and stripped package, with its links joined (`link_words`).

    Raises RenderingFailed for an invalid presentation, or when not every visible slide was drawn (LibreOffice
    "succeeds" with pages missing), and the errors of `draw`.
    """
    from meetdeck.present.render.intake import check_presentation  # noqa: PLC0415 - it needs pikepdf: see below

    deck = await RENDERINGS.run(tenant_id, lambda _: check_presentation(pptx))
    pdf = await draw(deck.package)
    return await RENDERINGS.run(tenant_id, lambda _: _finish(pdf, deck.shown_slides))


def _finish(pdf: bytes, shown_slides: int) -> bytes:
    import pikepdf  # noqa: PLC0415 - it takes 5 MB, and most processes convert nothing

    from meetdeck.present.render.link_words import join_links  # noqa: PLC0415

    try:
        with pikepdf.open(io.BytesIO(pdf)) as document:
            pages, packed = len(document.pages), io.BytesIO()
            if join_links(document):
                document.save(packed)
    except pikepdf.PdfError as error:
        raise RenderingFailed(f"LibreOffice did not write a readable PDF; {_REPAIR}") from error
    if pages != shown_slides:
        raise RenderingFailed(f"LibreOffice drew {pages} of the {shown_slides} slides; {_REPAIR}")
    return packed.getvalue() or pdf
