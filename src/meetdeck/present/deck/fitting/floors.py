"""The floor below a shape that grows from slide to slide: the next shape below it, else the slide's lower edge."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from meetdeck.present.deck.fitting.styles import POINTS_PER_EMU, read_length
from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.xml import A, Element, P
from meetdeck.present.deck.presentation.geometry import drawn_place, drawn_size, find_frame, find_placeholder
from meetdeck.present.deck.presentation.placeholders import find_master, find_related
from meetdeck.present.deck.program.template import SlideSize

_SHAPES: Final = (P + "sp", P + "pic", P + "graphicFrame", P + "grpSp", P + "cxnSp")
_FALSE: Final = frozenset({"0", "false"})


class Bounds(NamedTuple):
    """The edges of a shape, in points."""

    left: float
    top: float
    right: float
    bottom: float


def read_bounds(shape: Element, part: str, package: Package) -> Bounds | None:
    """Return the edges of a shape of a slide, layout or master; None when they are not known."""
    if shape.tag in {P + "graphicFrame", P + "grpSp"}:
        transform = shape.find(P + "xfrm") if shape.tag == P + "graphicFrame" else shape.find(f"{P}grpSpPr/{A}xfrm")
        place, size = (transform.find(A + n) if transform is not None else None for n in ("off", "ext"))
        if place is None or size is None:
            return None
        left, top, width, height = (
            read_length(e.get(n)) for e, n in ((place, "x"), (place, "y"), (size, "cx"), (size, "cy"))
        )
        return Bounds(left, top, left + width, top + height)
    frame = find_frame(shape, part, package)
    place = drawn_place(shape, frame) if frame is not None else None
    if frame is None or place is None:
        return None
    left, top = (length * POINTS_PER_EMU for length in place)
    width, height = (length * POINTS_PER_EMU for length in drawn_size(shape, frame))
    return Bounds(left, top, left + width, top + height)


def find_floor(shape: Element, bounds: Bounds, part: str, package: Package, slide: SlideSize) -> float:
    """Return how far down a shape of a slide may grow: to the next shape below it, on the slide, layout or master."""
    floor = slide.height * POINTS_PER_EMU
    for other, owner in _list_shapes(shape, part, package):
        edges = read_bounds(other, owner, package)
        if edges is None or other is shape:
            continue
        if edges.top >= bounds.bottom - 1 and edges.left < bounds.right and bounds.left < edges.right:
            floor = min(floor, edges.top)
    return floor


def _list_shapes(shape: Element, part: str, package: Package) -> Iterator[tuple[Element, str]]:
    """Yield the shapes that are drawn beside one, with their parts: of layout and master all but the placeholders."""
    roots = [*shape.iterancestors()]
    root = roots[-1] if roots else None
    layout, master = find_related(package, part, "/slideLayout"), find_master(part, package)
    for owner in (part, layout, master):
        root = root if owner == part else package.peek(owner) if owner else None
        if root is None or owner is None:
            return
        tree = root.find(f"{P}cSld/{P}spTree")
        for other in tree.iterchildren(*_SHAPES) if tree is not None else ():
            if owner == part or find_placeholder(other) is None:
                yield other, owner
        if root.get("showMasterSp") in _FALSE:
            return
