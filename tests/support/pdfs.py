"""Slides to finish and lay out, and a PDF as its reader sees it: text, bookmarks, links."""

import io
from collections.abc import Iterable
from itertools import cycle
from typing import Any, NamedTuple

import numpy as np
import pikepdf
import pypdfium2
from pikepdf import Array, Dictionary, Name, String
from pptx import Presentation
from pptx.util import Inches

_LINK_COLORS = ((255, 0, 0), (0, 160, 0), (0, 0, 255))
_SCALE = 2


class Rectangle(NamedTuple):
    """Left, bottom, right and top, in points from the lower left corner of the page."""

    left: float
    bottom: float
    right: float
    top: float


class Bookmark(NamedTuple):
    """A bookmark; `top` is its target's height on the page, in points, None for the page as a whole."""

    level: int
    title: str
    page: int
    top: float | None


class SeenLink(NamedTuple):
    """A link: where it can be clicked, and the address or page (from 0) that it leads to."""

    rectangle: Rectangle
    target: str | int
    says: str


def make_slides(
    count: int, size: tuple[float, float] = (720, 405), links: Iterable[tuple[int, Rectangle, str | int]] = ()
) -> bytes:
    """Make a PDF of that many slides, each with its number.

    A link is on a page and leads to an address or a page; the rectangles of the first three have a color each.
    """
    document = pikepdf.new()
    helvetica = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    contents = [f"BT /F 40 Tf 50 200 Td (Slide {number}) Tj ET" for number in range(1, count + 1)]
    for _ in contents:
        document.add_blank_page(page_size=size).Resources = Dictionary(Font=Dictionary(F=helvetica))
    annotations: dict[int, list[Dictionary]] = {}
    for (page, place, target), color in zip(links, cycle(_LINK_COLORS)):
        red, green, blue = (part / 255 for part in color)
        width, height = place.right - place.left, place.top - place.bottom
        contents[page] += f" {red} {green} {blue} rg {place.left} {place.bottom} {width} {height} re f"
        annotations.setdefault(page, []).append(_annotation(document, place, target))
    for number, content in enumerate(contents):
        document.pages[number].Contents = pikepdf.Stream(document, content.encode())
        document.pages[number].Annots = Array(annotations.get(number, []))
    packed = io.BytesIO()
    document.save(packed)
    return packed.getvalue()


def _annotation(document: pikepdf.Pdf, place: Rectangle, target: str | int) -> Dictionary:
    link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array(place), Contents=String("Go to document"))
    if isinstance(target, int):
        link.Dest = Array([document.pages[target].obj, Name.XYZ, None, None, 0])
    else:
        link.A = Dictionary(S=Name.URI, URI=String(target))
    return link


def text_of(pdf: bytes, page: int) -> str:
    """Return the text of a page."""
    with pypdfium2.PdfDocument(pdf) as document:
        return document[page].get_textpage().get_text_range()


def bookmarks(pdf: bytes) -> list[Bookmark]:
    """Return the bookmarks in the order in which a reader shows them."""
    found: list[Bookmark] = []
    with pypdfium2.PdfDocument(pdf) as opened:
        document: Any = opened  # its types are partial
        for mark in document.get_toc():
            destination = mark.get_dest()
            view = destination.get_view()[1]
            found.append(Bookmark(mark.level, mark.get_title(), destination.get_index(), view[1] if view else None))
    return found


def links_of(pdf: bytes, page: int) -> list[SeenLink]:
    """Return the links of a page, in their order."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        annotations: Any = document.pages[page].obj.get("/Annots", ())
        return [_seen(document, one) for one in annotations if one.Subtype == Name.Link]


def _seen(document: pikepdf.Pdf, link: Any) -> SeenLink:
    rectangle = Rectangle(*(float(edge) for edge in link.Rect))
    assert ("/Dest" in link) != ("/A" in link)  # PDF 32000-1, 12.5.6.5
    target = document.pages.index(link.Dest[0]) if "/Dest" in link else str(link.A.URI)
    return SeenLink(rectangle, target, str(link.Contents))


def painted_places(pdf: bytes, page: int, count: int) -> list[Rectangle]:
    """Return where the page shows the colors of the first links painted by `make_slides`."""
    with pypdfium2.PdfDocument(pdf) as document:
        drawn: Any = document[page]
        height: float = drawn.get_height()
        pixels = np.asarray(drawn.render(scale=_SCALE).to_pil().convert("RGB"), dtype=np.int16)
    places: list[Rectangle] = []
    for color in _LINK_COLORS[:count]:
        rows, columns = np.nonzero((np.abs(pixels - np.array(color, dtype=np.int16)) < 40).all(axis=2))
        top, bottom = height - rows.min() / _SCALE, height - (rows.max() + 1) / _SCALE
        places.append(Rectangle(columns.min() / _SCALE, bottom, (columns.max() + 1) / _SCALE, top))
    return places


def place_of(pdf: bytes, page: int, text: str) -> Rectangle:
    """Return where a page shows a text that is on it once."""
    with pypdfium2.PdfDocument(pdf) as document:
        read: Any = document[page].get_textpage()
        start, count = read.search(text).get_next()
        boxes = [read.get_charbox(index) for index in range(start, start + count)]
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return Rectangle(min(lefts), min(bottoms), max(rights), max(tops))


def make_linked_deck() -> bytes:
    """Make a deck whose first slide links to the web, to a mailbox and to its last slide; the one between is hidden.

    Its text is Danish, its document property of the title "Pension", its author a person.
    """
    deck: Any = Presentation()
    deck.core_properties.title, deck.core_properties.author = "Pension", "Karen Bek Lund"
    first, hidden, last = (deck.slides.add_slide(deck.slide_layouts[5]) for _ in range(3))
    for slide, title in ((first, "Velkommen"), (hidden, "Kladde"), (last, "Tak")):
        slide.shapes.title.text = title
    hidden.element.set("show", "0")
    for row, (text, address) in enumerate(
        (("Read more", "https://example.org/?a=1&b=2"), ("Write to us", "mailto:anna@example.org"), ("Goodbye", ""))
    ):
        box = first.shapes.add_textbox(Inches(1), Inches(2 + row), Inches(4), Inches(0.5))
        run = box.text_frame.paragraphs[0].add_run()
        run.text = text
        if address:
            run.hyperlink.address = address
    first.shapes[-1].click_action.target_slide = last
    for run in (run for slide in deck.slides for run in slide.element.iter("{*}r")):
        run.get_or_add_rPr().set("lang", "da-DK")
    packed = io.BytesIO()
    deck.save(packed)
    return packed.getvalue()
