"""The floor below a shape that grows from slide to slide: the next shape below it, else the slide's lower edge."""

from collections.abc import Container, Iterator
from typing import Final, NamedTuple

from meetdeck.present.deck.fitting.styles import POINTS_PER_EMU, read_number
from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.xml import A, Element, P, find_child
from meetdeck.present.deck.presentation.geometry import Frame, drawn_place, drawn_size, find_frame, find_placeholder
from meetdeck.present.deck.presentation.placeholders import find_master, find_related
from meetdeck.present.deck.program.template import SlideSize

_SHAPES: Final = (P + "sp", P + "pic", P + "graphicFrame", P + "grpSp", P + "cxnSp")
_FRAME: Final = P + "graphicFrame"
_HOLDERS: Final = {P + "grpSp": P + "grpSpPr"}
_SHAPE_PROPERTIES: Final = P + "spPr"
_TRANSFORM: Final = A + "xfrm"
_FRAMES_TRANSFORM: Final = P + "xfrm"
_OFFSET: Final = A + "off"
_EXTENT: Final = A + "ext"
# A quarter turn makes the width the height.
_UPENDED: Final = frozenset({"5400000", "16200000", "-5400000"})
_FALSE: Final = frozenset({"0", "false"})


class Bounds(NamedTuple):
    """The edges of a shape, in points."""

    left: float
    top: float
    right: float
    bottom: float


def read_bounds(shape: Element, part: str, package: Package) -> Bounds | None:
    """Return the edges of a shape of a slide, layout or master; None when they are not known."""
    frame = read_whole_frame(shape) or find_frame(shape, part, package)
    return bounds_of(shape, frame) if frame is not None else None


def bounds_of(shape: Element, frame: Frame) -> Bounds | None:
    """Return the edges of a shape that has a frame, its own or inherited; None in a rotated group."""
    place = drawn_place(shape, frame)
    if place is None:
        return None
    left, top = place
    width, height = drawn_size(shape, frame)
    if frame.element.get("rot") in _UPENDED:
        left, top, width, height = left + (width - height) / 2, top + (height - width) / 2, height, width
    right, bottom = (left + width) * POINTS_PER_EMU, (top + height) * POINTS_PER_EMU
    return Bounds(left * POINTS_PER_EMU, top * POINTS_PER_EMU, right, bottom)


def read_whole_frame(shape: Element) -> Frame | None:
    """Return the frame of a shape itself: that of a line has no width, or no height."""
    tag = shape.tag
    holder = shape if tag == _FRAME else find_child(shape, _HOLDERS.get(tag, _SHAPE_PROPERTIES))
    transform = find_child(holder, _FRAMES_TRANSFORM if tag == _FRAME else _TRANSFORM) if holder is not None else None
    place = find_child(transform, _OFFSET) if transform is not None else None
    size = find_child(transform, _EXTENT) if transform is not None else None
    if transform is None or place is None or size is None:
        return None
    x, y = int(read_number(place.get("x"))), int(read_number(place.get("y")))
    width, height = int(read_number(size.get("cx"))), int(read_number(size.get("cy")))
    return Frame(transform, x, y, width, height) if min(width, height) >= 0 < max(width, height) else None


def find_floor(
    shape: Element,
    bounds: Bounds,
    part: str,
    package: Package,
    slide: SlideSize,
    ignored: Container[Element] = (),
) -> float:
    """Return how far down a shape may grow: to the next shape below it, on the slide, layout or master."""
    floor = slide.height * POINTS_PER_EMU
    for other, owner in list_shapes(shape, part, package):
        edges = read_bounds(other, owner, package)
        if edges is None or other is shape or other in ignored:
            continue
        if edges.top >= bounds.bottom - 1 and edges.left < bounds.right and bounds.left < edges.right:
            floor = min(floor, edges.top)
    return floor


def list_shapes(shape: Element, part: str, package: Package) -> Iterator[tuple[Element, str]]:
    """Yield the shapes drawn beside one, with their parts: of layout and master all but the placeholders."""
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
