"""The position and size of a shape: its own `a:xfrm`, its placeholder's on layout or master, the surrounding groups."""

from typing import Final, NamedTuple

from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.xml import A, Element, P, find_child, list_around, query

_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
_SLIDE_LAYOUT: Final = _OFFICE + "slideLayout"
# The part that another inherits from, from a slide on; notes have no layout.
_ANCESTRY: Final = (_SLIDE_LAYOUT, _OFFICE + "slideMaster", _OFFICE + "notesMaster")

_PROPERTIES: Final = P + "cNvPr"
_GROUP: Final = P + "grpSp"
_PLACEHOLDER: Final = query("*/p:nvPr/p:ph")
_OWN_TRANSFORM: Final = query("p:spPr/a:xfrm | p:grpSpPr/a:xfrm")
_PLACEHOLDERS: Final = query("p:cSld/p:spTree//p:ph[parent::p:nvPr]")
# The types with placeholders of their own on masters; all others inherit from the body.
_KINDS_OF_MASTERS: Final = frozenset({"title", "dt", "ftr", "hdr", "sldNum", "sldImg"})
# A slide has at most 51,206,400 EMU.
_MOST_DIGITS: Final = 12


class Frame(NamedTuple):
    """A shape's position and size in EMU, or in units of its group; `element` is its or another's `a:xfrm`."""

    element: Element
    x: int
    y: int
    width: int
    height: int


def find_placeholder(shape: Element) -> Element | None:
    """Return a shape's `p:ph`."""
    return next(iter(_PLACEHOLDER(shape)), None)


def find_properties(shape: Element) -> Element | None:
    """Return the element with the id and name of a shape: its first `cNvPr`."""
    for child in shape:
        for inner in child:
            if inner.tag == _PROPERTIES:
                return inner
            break
        break
    # Other programs, and other kinds of drawings, have it elsewhere.
    return next(iter(shape.iter("{*}cNvPr")), None)


def shape_id(shape: Element) -> str:
    """Return the id of a shape, empty without one."""
    properties = find_properties(shape)
    return (properties.get("id", "") or "") if properties is not None else ""


def find_frame(shape: Element, part: str, package: Package) -> Frame | None:
    """Return the frame of a part's shape; None without one, or for one without width or height."""
    placeholder = find_placeholder(shape)
    return choose_frame(shape, read_inherited_frame(placeholder, part, package) if placeholder is not None else None)


def read_inherited_frame(placeholder: Element, part: str, package: Package) -> Frame | None:
    """Return the frame that a placeholder of a part inherits."""
    transform = _inherited_transform(placeholder, part, package)
    return read_frame(transform) if transform is not None else None


def choose_frame(shape: Element, inherited: Frame | None) -> Frame | None:
    """Return a shape's own frame, even a broken one, else the inherited one."""
    transform = _own_transform(shape)
    return inherited if transform is None else read_frame(transform)


def read_frame(transform: Element) -> Frame | None:
    """Return the frame of an `a:xfrm` or `p:xfrm`; None for one without width or height."""
    frame = read_flat_frame(transform)
    return frame if frame and min(frame.width, frame.height) > 0 else None


def read_flat_frame(transform: Element) -> Frame | None:
    """Return the frame of an `a:xfrm` or `p:xfrm`, which may be as flat as a line's."""
    place, size = _numbers(transform, "off", "x", "y"), _numbers(transform, "ext", "cx", "cy")
    return Frame(transform, *place, *size) if place and size and min(size) >= 0 else None


def drawn_size(shape: Element, frame: Frame) -> tuple[float, float]:
    """Return width and height as shown, in EMU: surrounding groups scale a shape."""
    width, height = float(frame.width), float(frame.height)
    for group in list_around(shape, _GROUP):
        transform = group.find(f"{P}grpSpPr/{A}xfrm")
        outer = _numbers(transform, "ext", "cx", "cy") if transform is not None else None
        inner = _numbers(transform, "chExt", "cx", "cy") if transform is not None else None
        if outer and inner and min(*outer, *inner) > 0:
            width *= outer[0] / inner[0]
            height *= outer[1] / inner[1]
    return width, height


def drawn_place(shape: Element, frame: Frame) -> tuple[float, float] | None:
    """Return the distance of a shape from the slide's left and upper edge, in EMU; None in a rotated group."""
    x, y = float(frame.x), float(frame.y)
    for group in list_around(shape, _GROUP):
        transform = group.find(f"{P}grpSpPr/{A}xfrm")
        if transform is None:
            continue
        if transform.get("rot", "0") != "0" or "flipV" in transform.attrib:
            return None
        offset, extent = _numbers(transform, "off", "x", "y"), _numbers(transform, "ext", "cx", "cy")
        inner, inside = _numbers(transform, "chOff", "x", "y"), _numbers(transform, "chExt", "cx", "cy")
        if not (offset and extent and inner and inside and min(inside) > 0):
            return None
        x = offset[0] + (x - inner[0]) * extent[0] / inside[0]
        y = offset[1] + (y - inner[1]) * extent[1] / inside[1]
    return x, y


def read_cell_size(cell: Element) -> tuple[int, int] | None:
    """Return the width and height of a table's cell in EMU, as written: rows grow with their text.

    Return None if they are unknown.
    """
    row, table = cell.getparent(), next(cell.iterancestors(A + "tbl"), None)
    if row is None or table is None:
        return None
    widths = [_number(column.get("w")) for column in table.findall(f"{A}tblGrid/{A}gridCol")]
    heights = [_number(one.get("h")) for one in (row, *row.itersiblings(A + "tr"))]
    at = sum(1 for _ in cell.itersiblings(A + "tc", preceding=True))
    width = sum(widths[at : at + (_number(cell.get("gridSpan")) or 1)])
    height = sum(heights[: _number(cell.get("rowSpan")) or 1])
    return (width, height) if width and height else None


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else 0


def read_own_frame(shape: Element) -> Frame | None:
    """Return the frame set on a shape or group itself; None without one, or for one without width or height."""
    transform = next(iter(_OWN_TRANSFORM(shape)), None)
    return read_frame(transform) if transform is not None else None


def _own_transform(shape: Element) -> Element | None:
    return find_child(shape, P + "spPr", A + "xfrm")


def _inherited_transform(placeholder: Element, part: str, package: Package) -> Element | None:
    for step in _ANCESTRY:
        parent = next((r.part for r in package.relationships(part) if r.type == step and r.part), None)
        root = package.peek(parent) if parent else None
        if parent is None or root is None:
            continue
        part = parent
        found = _find_counterpart(placeholder, root, by_index=step == _SLIDE_LAYOUT)
        shape = next(found.iterancestors(P + "sp", P + "pic"), None) if found is not None else None
        transform = _own_transform(shape) if shape is not None else None
        if transform is not None:
            return transform
        placeholder = placeholder if found is None else found
    return None


def _find_counterpart(placeholder: Element, root: Element, *, by_index: bool) -> Element | None:
    """Return the placeholder that another inherits from: of the same index on a layout, of its kind on a master."""
    others = _PLACEHOLDERS(root)
    if by_index:
        return next((other for other in others if other.get("idx", "0") == placeholder.get("idx", "0")), None)
    return next((other for other in others if _kind(other) == _kind(placeholder)), None)


def _kind(placeholder: Element) -> str:
    kind = (placeholder.get("type") or "").replace("ctrTitle", "title")
    return kind if kind in _KINDS_OF_MASTERS else "body"


def _numbers(transform: Element, name: str, *attributes: str) -> tuple[int, ...]:
    """Return an element's attributes as numbers; none without the element, or when one of them is not a number."""
    element = find_child(transform, A + name)
    texts = [element.get(attribute) or "" for attribute in attributes] if element is not None else []
    if not all(text.removeprefix("-").isdecimal() and text.isascii() and len(text) <= _MOST_DIGITS for text in texts):
        return ()
    return tuple(map(int, texts))
