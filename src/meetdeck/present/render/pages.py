"""Counts and draws the pages of a PDF. Bytes in, bytes out; it computes, so run it in a thread."""

import io
import threading
from collections.abc import Iterator
from typing import Any, Final, Literal

import pikepdf
import pypdfium2
from PIL import Image

PictureFormat = Literal["png", "webp"]

_MAX_HEIGHT: Final = 10_240  # pixels: a slide may be 56 times as high as it is wide
_ENCODING: Final[dict[PictureFormat, dict[str, int]]] = {
    "png": {},
    "webp": {"quality": 85, "method": 2},  # the default method takes twice the time for 3% less
}
_PDFIUM: Final = threading.Lock()  # PDFium keeps global state and is not made for threads


def page_count(pdf: bytes) -> int:
    """How many pages a PDF has; raises pikepdf.PdfError when it is none."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        return len(document.pages)


def page_picture(pdf: bytes, index: int, *, width: int, picture_format: PictureFormat = "webp") -> bytes:
    """Draw page `index` (from 0), `width` pixels wide, in its own proportions; raises IndexError when there is none."""
    with _PDFIUM, pypdfium2.PdfDocument(pdf) as document:
        if not 0 <= index < len(document):
            raise IndexError(f"page {index} of {len(document)}")
        picture = _drawn(document[index], width)
    return _encoded(picture, picture_format)


def page_pictures(pdf: bytes, *, width: int, picture_format: PictureFormat = "webp") -> Iterator[bytes]:
    """Draw every page like `page_picture`, in order, one at a time."""
    with _PDFIUM:
        document = pypdfium2.PdfDocument(pdf)
    try:
        for index in range(len(document)):
            with _PDFIUM:
                picture = _drawn(document[index], width)
            yield _encoded(picture, picture_format)
    finally:
        with _PDFIUM:
            document.close()


def _drawn(page: Any, width: int) -> Image.Image:  # noqa: ANN401 - pypdfium2 has no types for drawing
    page_width, page_height = page.get_size()
    bitmap = page.render(scale=min(width / page_width, _MAX_HEIGHT / page_height))
    return bitmap.to_pil().copy()  # a copy outlives the document


def _encoded(picture: Image.Image, picture_format: PictureFormat) -> bytes:
    packed = io.BytesIO()
    picture.save(packed, picture_format, **_ENCODING[picture_format])
    return packed.getvalue()
