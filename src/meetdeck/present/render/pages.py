"""Pages of a PDF, counted and drawn. Bytes in, bytes out; it computes, so run it in a thread."""

import io
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from PIL import Image

PictureFormat = Literal["png", "webp"]

_MAX_HEIGHT: Final = 10_240  # pixels: a slide may be 56 times as high as it is wide
_ENCODING: Final[dict[PictureFormat, dict[str, int]]] = {
    "png": {},
    "webp": {"quality": 85, "method": 2},  # the default method takes twice the time for 3% less
}
_WHITE: Final = (255, 255, 255, 255)
_UPRIGHT: Final = 0
_PDFIUM: Final = threading.Lock()  # PDFium keeps global state and is not made for threads


def page_count(pdf: bytes) -> int:
    """Return the number of a PDF's pages. Raises pikepdf.PdfError for anything else."""
    import pikepdf  # noqa: PLC0415 - it, PDFium and Pillow take 12 MB: most processes draw nothing

    with pikepdf.open(io.BytesIO(pdf)) as document:
        return len(document.pages)


def picture_size(width: int, page_width: float, page_height: float) -> tuple[int, int]:
    """Return the size in pixels of a page's picture of that `width`, in the page's proportions.

    It is narrower only if it would be too high.
    """
    scale = min(width / page_width, _MAX_HEIGHT / page_height)
    return max(1, round(page_width * scale)), max(1, round(page_height * scale))


def page_picture(
    pdf: bytes, index: int, *, width: int, height: int | None = None, picture_format: PictureFormat = "webp"
) -> bytes:
    """Return the picture of page `index` (from 0), exactly `width` times `height` pixels.

    Without a `height` it is drawn in its own proportions (see `picture_size`). Raises IndexError for a missing page.
    """
    import pypdfium2  # noqa: PLC0415 - see above

    with _PDFIUM, pypdfium2.PdfDocument(pdf) as document:
        if not 0 <= index < len(document):
            raise IndexError(f"page {index} of {len(document)}")
        page = document[index]
        picture = _drawn(page, picture_size(width, *page.get_size()) if height is None else (width, height))
    return _encoded(picture, picture_format)


def page_pictures(pdf: bytes, *, width: int, picture_format: PictureFormat = "webp") -> Iterator[bytes]:
    """Yield the picture of every page like `page_picture`, in order, one at a time."""
    import pypdfium2  # noqa: PLC0415 - see above

    with _PDFIUM:
        document = pypdfium2.PdfDocument(pdf)
    try:
        for index in range(len(document)):
            with _PDFIUM:
                page = document[index]
                picture = _drawn(page, picture_size(width, *page.get_size()))
            yield _encoded(picture, picture_format)
    finally:
        with _PDFIUM:
            document.close()


def _drawn(page: Any, size: tuple[int, int]) -> "Image.Image":  # noqa: ANN401 - pypdfium2 has no types for drawing
    import pypdfium2  # noqa: PLC0415 - see above
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    drawing: Any = pypdfium2.PdfBitmap
    # Its own `render` takes a scale, and is off by a pixel where that is a fraction.
    bitmap = drawing.new_native(*size, pdfium.FPDFBitmap_BGR)
    bitmap.fill_rect(_WHITE, 0, 0, *size)
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, *size, _UPRIGHT, pdfium.FPDF_ANNOT)
    return bitmap.to_pil().copy()  # a copy outlives the document


def _encoded(picture: "Image.Image", picture_format: PictureFormat) -> bytes:
    packed = io.BytesIO()
    picture.save(packed, picture_format, **_ENCODING[picture_format])
    return packed.getvalue()
