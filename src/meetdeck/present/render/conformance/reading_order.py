"""The reading order of a page's elements, and their positions."""

import ctypes
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeVar

import pypdfium2
import pypdfium2.raw as pdfium_c

T = TypeVar("T")
# Boxes that overlap by less are side by side: letters have space around them.
_SLACK: Final = 2.0  # points


class Box(NamedTuple):
    """Left, bottom, right and top in points, from the lower left corner of the page."""

    left: float
    bottom: float
    right: float
    top: float


def read_boxes(pdf: bytes) -> list[dict[int, Box]]:
    """Return the box around each marked content of each page."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [_boxes_of(document[index]) for index in range(len(document))]


def _boxes_of(page: pypdfium2.PdfPage) -> dict[int, Box]:
    boxes: dict[int, Box] = {}
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    for index in range(pdfium_c.FPDFPage_CountObjects(page)):
        drawn = pdfium_c.FPDFPage_GetObject(page, index)
        number: int = pdfium_c.FPDFPageObj_GetMarkedContentID(drawn)
        if number >= 0 and pdfium_c.FPDFPageObj_GetBounds(drawn, left, bottom, right, top):
            box = Box(left.value, bottom.value, right.value, top.value)
            boxes[number] = around([box, boxes.get(number, box)])
    return boxes


def around(boxes: Sequence[Box]) -> Box:
    """Return the box around boxes; there must be at least one."""
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return Box(min(lefts), min(bottoms), max(rights), max(tops))


def by_position(items: Sequence[T], box_of: Callable[[T], Box]) -> list[T]:
    """Return items in reading order: rows from the top, and within each row from the left.

    A page is cut where a gap goes all the way through, first from side to side, then from top to bottom; items without
    a gap between them keep their order.
    """
    rows = _parted(items, lambda item: (-box_of(item).top, -box_of(item).bottom))
    if len(rows) > 1:
        return [item for row in rows for item in by_position(row, box_of)]
    columns = _parted(items, lambda item: (box_of(item).left, box_of(item).right))
    if len(columns) > 1:
        return [item for column in columns for item in by_position(column, box_of)]
    return list(items)


def _parted(items: Sequence[T], span: Callable[[T], tuple[float, float]]) -> list[list[T]]:
    """Return items in groups with a gap between their spans, each group in the given order."""
    groups: list[list[tuple[int, T]]] = []
    reach = 0.0
    for number, item in sorted(enumerate(items), key=lambda one: span(one[1])):
        start, end = span(item)
        if not groups or start > reach - _SLACK:
            groups.append([])
            reach = end
        groups[-1].append((number, item))
        reach = max(reach, end)
    return [[item for _, item in sorted(group, key=lambda one: one[0])] for group in groups]
