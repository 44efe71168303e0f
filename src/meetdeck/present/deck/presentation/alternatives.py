"""The alternatives of a slide's shapes: the texts for people who cannot see them."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.xml import MC, Element, P, query
from meetdeck.present.deck.presentation.geometry import Frame, drawn_place, drawn_size, find_frame, read_frame

_SHAPES: Final = (P + "sp", P + "pic", P + "cxnSp", P + "graphicFrame")
# These show text, which a screen reader reads.
_READABLE: Final = query(
    "a:graphic/a:graphicData[a:tbl or @uri='http://schemas.openxmlformats.org/drawingml/2006/diagram']"
)
_PICTURE_FILL: Final = query("p:spPr/a:blipFill")
_TEXTS: Final = query("p:txBody//a:t")
DECORATIVE: Final = "{http://schemas.microsoft.com/office/drawing/2017/decorative}decorative"
_TRUE: Final = frozenset({"1", "true"})


class Place(Struct, frozen=True):
    """The position of a shape, in fractions of the slide's width and height from its upper left corner."""

    x: float
    y: float
    width: float
    height: float


class Alternative(Struct, frozen=True):
    """The alternative text of a shape; `needed` if it shows what no text on the slide says: pictures and charts.

    `text` is empty without one. A shape that its author marked as decorative needs none. `is_drawn` is False for what a
    screen reader reads: tables, diagrams (SmartArt), shapes with text of their own.
    """

    shape: str
    text: str
    needed: bool
    is_decorative: bool
    is_drawn: bool
    number: int
    place: Place | None


def read_alternatives(slide: Element, part: str, package: Package, size: tuple[int, int]) -> list[Alternative]:
    """Return the alternatives of a slide's visible shapes, in their order; `size` is the slide's, in EMU.

    The text of a group belongs to its first drawn shape; the others of the group need none.
    """
    groups: set[Element] = set()
    return [_read(shape, part, package, size, groups) for shape in _visible(slide)]


def _visible(slide: Element) -> Iterator[Element]:
    for shape in slide.iter(*_SHAPES):
        properties = _properties(shape)
        if properties is None or properties.get("hidden") in _TRUE:
            continue
        if next(shape.iterancestors(MC + "Fallback"), None) is None:
            yield shape


def _read(shape: Element, part: str, package: Package, size: tuple[int, int], groups: set[Element]) -> Alternative:
    properties = _properties(shape)
    is_drawn = not _READABLE(shape) and not any((text.text or "").strip() for text in _TEXTS(shape))
    text, is_decorative = _read_alternative(properties)
    group = next((one for one in shape.iterancestors(P + "grpSp") if any(_read_alternative(_properties(one)))), None)
    if group is not None and is_drawn and not text:
        text, is_decorative = _read_alternative(_properties(group)) if group not in groups else ("", True)
        groups.add(group)
    shows = shape.tag in {P + "pic", P + "graphicFrame"} or bool(_PICTURE_FILL(shape))
    return Alternative(
        shape=(properties.get("name") or "") if properties is not None else "",
        text="" if is_decorative else text,
        needed=shows and is_drawn and not is_decorative,
        is_decorative=is_decorative,
        is_drawn=is_drawn,
        number=_number(properties),
        place=_place(shape, part, package, size),
    )


def _read_alternative(properties: Element | None) -> tuple[str, bool]:
    """Return the alternative text, and whether the shape is marked as decorative."""
    if properties is None:
        return "", False
    text = properties.get("descr") or properties.get("title") or ""
    return " ".join(text.split()), is_decorative(properties)


def is_decorative(properties: Element) -> bool:
    """Return whether the shape of a `p:cNvPr` is marked as decorative."""
    mark = next(iter(properties.iter(DECORATIVE)), None)
    return mark is not None and mark.get("val", "1") in _TRUE


def _properties(shape: Element) -> Element | None:
    """Return the shape's own `p:cNvPr`."""
    return shape.find(f"*/{P}cNvPr")


def _number(properties: Element | None) -> int:
    written = (properties.get("id") or "") if properties is not None else ""
    return int(written) if written.isascii() and written.isdigit() and len(written) <= len("4294967295") else 0


def _place(shape: Element, part: str, package: Package, size: tuple[int, int]) -> Place | None:
    transform = shape.find(P + "xfrm")
    frame: Frame | None = find_frame(shape, part, package) if transform is None else read_frame(transform)
    corner = drawn_place(shape, frame) if frame is not None else None
    if frame is None or corner is None:
        return None
    width, height = drawn_size(shape, frame)
    return Place(corner[0] / size[0], corner[1] / size[1], width / size[0], height / size[1])
