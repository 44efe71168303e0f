"""Filled rectangles of a PDF's pages, by which tests find the rows and shapes of a drawn slide."""

import ctypes
from collections.abc import Iterator
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw


class DrawnBox(NamedTuple):
    """A filled rectangle: its color like `FF8000`, and its edges in points from the page's upper left corner."""

    color: str
    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        """The distance between its upper and lower edge."""
        return self.bottom - self.top


def read_boxes(pdf: bytes) -> list[list[DrawnBox]]:
    """Return the filled rectangles of each page, in the order in which they are drawn."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [list(_read_page(page)) for page in document]


def _read_page(page: Any) -> Iterator[DrawnBox]:
    height = page.get_height()
    for shape in page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_PATH]):
        mode, strokes = ctypes.c_int(), ctypes.c_int()
        pypdfium2.raw.FPDFPath_GetDrawMode(shape.raw, mode, strokes)
        red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
        if mode.value and pypdfium2.raw.FPDFPageObj_GetFillColor(shape.raw, red, green, blue, alpha):
            left, bottom, right, top = shape.get_bounds()
            color = f"{red.value:02X}{green.value:02X}{blue.value:02X}"
            yield DrawnBox(color, left, height - top, right, height - bottom)


def row_heights(boxes: list[DrawnBox], color: str) -> list[float]:
    """Return the heights of a table's rows from above, whose cells all have the color."""
    rows = {round(box.top, 1): box.height for box in boxes if box.color == color}
    return [rows[top] for top in sorted(rows)]
