"""Scaling what was drawn for slides of another size: places, sizes, lines and letters."""

import re
from typing import Final, NamedTuple

from meetdeck.present.deck.opc.xml import A, Element, P, parse
from meetdeck.present.deck.program.template import SlideSize

_TREE: Final = P + "spTree"
_GROUP: Final = P + "grpSp"
_HALF_A_POINT: Final = 50
_SMALLEST: Final = 100
# The size of text in a box that says none, in hundredths of a point.
_USUAL: Final = 1_800
_FORMATS: Final = (A + "rPr", A + "endParaRPr", A + "defRPr")
# Lengths in EMU that are attributes, by the element.
_LENGTHS: Final = {
    A + "ln": ("w",),
    **{A + name: ("w",) for name in ("lnL", "lnR", "lnT", "lnB", "gridCol")},
    A + "tr": ("h",),
    A + "tcPr": ("marL", "marR", "marT", "marB"),
    A + "bodyPr": ("lIns", "tIns", "rIns", "bIns"),
    A + "pPr": ("marL", "indent", "defTabSz"),
    **{f"{A}lvl{level}pPr": ("marL", "indent", "defTabSz") for level in range(1, 10)},
    A + "tab": ("pos",),
    # In hundredths of a point.
    A + "spcPts": ("val",),
}
_MOST_DIGITS: Final = 10
_SIZES: Final = re.compile(rb'(<(?:[\w.-]+:)?(?:rPr|defRPr|endParaRPr)\b[^>]*? sz=")([0-9]{3,6})(")')


class Scaling(NamedTuple):
    """A factor, and how far right and down the scaled drawing begins, in EMU."""

    factor: float
    right: int
    down: int


def find_scaling(source: SlideSize, target: SlideSize) -> Scaling:
    """Return the scaling of a slide to another size: as large as fits, in the middle."""
    factor = min(target.width / source.width, target.height / source.height)
    right, down = (target.width - source.width * factor) / 2, (target.height - source.height * factor) / 2
    return Scaling(factor, round(right), round(down))


def scale_slide(root: Element, scaling: Scaling) -> None:
    """Scale a slide, layout or master; placeholders that inherit their place and letters keep what they inherit."""
    for transform in root.iter(A + "xfrm", P + "xfrm"):
        if _is_outermost(transform):
            _move(transform, scaling)
    scale_contents(root, scaling.factor)


def scale_contents(root: Element, factor: float) -> None:
    """Scale the letters, lines and margins of shapes, and the rows and columns of tables."""
    for body in list(root.iter(P + "txBody", A + "txBody")):
        if _has_usual_letters(body):
            _write_usual(body)
    for element in root.iter(*_FORMATS):
        if size := _read(element.get("sz")):
            element.set("sz", str(scale_letters(size, factor)))
    for element in root.iter(*_LENGTHS):
        for name in _LENGTHS[element.tag]:
            if length := _read(element.get(name)):
                element.set(name, str(round(length * factor)))


def scale_letters(size: int, factor: float) -> int:
    """Return a size of letters, in hundredths of a point, scaled to half a point."""
    return max(_SMALLEST, round(size * factor / _HALF_A_POINT) * _HALF_A_POINT)


def scale_chart(content: bytes, factor: float) -> bytes:
    """Return the part of a chart or diagram with its letters scaled."""
    return _SIZES.sub(lambda found: found[1] + b"%d" % scale_letters(int(found[2]), factor) + found[3], content)


def _is_outermost(transform: Element) -> bool:
    """Return whether it places a shape on the slide, not in a group: a group scales what is in it."""
    shape = transform.getparent() if transform.tag == P + "xfrm" else _parent_of(transform.getparent())
    if shape is None or shape.tag == _TREE:
        return False
    return not any(True for _ in shape.iterancestors(_GROUP)) and any(True for _ in shape.iterancestors(_TREE))


def _parent_of(element: Element | None) -> Element | None:
    return element.getparent() if element is not None else None


def _move(transform: Element, scaling: Scaling) -> None:
    for offset in transform.iterchildren(A + "off"):
        for name, start in (("x", scaling.right), ("y", scaling.down)):
            offset.set(name, str(round(_read(offset.get(name)) * scaling.factor) + start))
    for extent in transform.iterchildren(A + "ext"):
        for name in ("cx", "cy"):
            extent.set(name, str(round(_read(extent.get(name)) * scaling.factor)))


def _has_usual_letters(body: Element) -> bool:
    """Return whether letters without a size have the usual one: in no placeholder, and below no style of the shape."""
    shape, style = body.getparent(), body.find(A + "lstStyle")
    is_placeholder = shape is not None and next(shape.iter(P + "ph"), None) is not None
    return not is_placeholder and not (style is not None and any(one.get("sz") for one in style.iter(A + "defRPr")))


def _write_usual(body: Element) -> None:
    """Write the usual size into runs that say none."""
    for run in body.iter(A + "r", A + "fld", A + "br"):
        properties = run.find(A + "rPr")
        if properties is None:
            properties = parse(f'<a:rPr xmlns:a="{A[1:-1]}"/>'.encode())
            run.insert(0, properties)
        if not properties.get("sz"):
            properties.set("sz", str(_USUAL))
    for ending in body.iter(A + "endParaRPr"):
        if not ending.get("sz"):
            ending.set("sz", str(_USUAL))


def _read(text: str | None) -> int:
    digits = (text or "").removeprefix("-")
    return int(text or 0) if digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS else 0
