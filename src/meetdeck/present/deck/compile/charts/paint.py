"""Marks of a series' look: the parts that the data may color, and its single points.

Filled series (bars, areas, pieces of a pie, bubbles) get the color as their fill; drawn series (lines, points of a
scatter chart) as their line and the fill of their markers. Negative points are colored one by one (`c:dPt`), not by
`c:invertIfNegative`, whose color only PowerPoint draws. After Edit Data a point therefore keeps its color when it
becomes positive. A point's look belongs to its category's name, not its position, so that a red "Total" stays on
"Total"; without any common name, positions count. A colored scatter point without a line is a step larger: otherwise
LibreOffice ignores its color.
"""

from copy import deepcopy
from typing import Final, NamedTuple

from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.opc.xml import (
    A,
    Element,
    insert_after,
    insert_before,
    local_name,
    parse,
    remove,
    serialize_inside,
)
from meetdeck.present.deck.program.charts.points import POINT_SLOT, ColorHole, PointRange, Points, SeriesLook
from meetdeck.present.deck.program.nodes import Slot
from meetdeck.present.deck.program.scope import Program

C: Final = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"

_NAMESPACES: Final = f'xmlns:c="{C[1:-1]}" xmlns:a="{A[1:-1]}"'
_FILLS: Final = tuple(A + name for name in ("noFill", "solidFill", "gradFill", "pattFill", "blipFill", "grpFill"))
_BEFORE_LINE: Final = frozenset({*(fill.rpartition("}")[2] for fill in _FILLS), "xfrm", "custGeom", "prstGeom"})
_DRAWN: Final = frozenset({"lineChart", "scatterChart", "stockChart", "radarChart"})
_INVERTED: Final = frozenset({"barChart", "bar3DChart", "bubbleChart"})
_UNPAINTED: Final = frozenset({"surfaceChart", "surface3DChart"})
# The elements that the schema requires before a series' c:dPt.
_BEFORE_POINTS: Final = frozenset(
    {"idx", "order", "tx", "spPr", "invertIfNegative", "pictureOptions", "marker", "explosion"}
)
# The elements before the c:marker of a series or point, and before the c:spPr of a point.
_BEFORE_MARKER: Final = frozenset({"idx", "invertIfNegative"})
_BEFORE_POINT_LOOK: Final = _BEFORE_MARKER | {"marker", "bubble3D", "explosion"}
_MOST_DIGITS: Final = 9
_LARGEST_MARKER: Final = 72


class _PlotKind(NamedTuple):
    """The painting of a plot's series: `drawn` as lines; `marked` with markers, even when none is written."""

    drawn: bool
    marked: bool
    inverted: bool


def mark_paint(series: Element, markers: Markers) -> None:
    """Mark the look of a series, and the looks of its single points."""
    plot = series.getparent()
    if plot is None or local_name(plot) in _UNPAINTED:
        return
    kind = _read_kind(plot)
    colored = _color_point(_new_point(series, kind), kind, markers)
    form = markers.cut_bytes(serialize_inside(colored, series))
    _mark_points(series, form, kind, markers)
    _mark_look(series, kind, markers)


def _read_kind(plot: Element) -> _PlotKind:
    name = local_name(plot)
    style = next((child.get("val", "") or "" for child in plot.iterchildren(C + "radarStyle", C + "scatterStyle")), "")
    drawn = name in _DRAWN and style != "filled"
    marked = drawn and (
        "arker" in style
        if name in {"radarChart", "scatterChart"}
        else any(marker.get("val", "1") not in {"0", "false"} for marker in plot.iterchildren(C + "marker"))
    )
    return _PlotKind(drawn, marked, name in _INVERTED)


def _new_point(series: Element, kind: _PlotKind) -> Element:
    """Return a c:dPt that looks like the others of its series, not yet colored."""
    point = parse(f'<c:dPt {_NAMESPACES}><c:idx val="0"/></c:dPt>'.encode())
    parts = [series.find(C + name) for name in ("marker", "bubble3D")]
    looks = series.find(C + "spPr")
    if looks is None:
        # Each piece of a pie has its own look.
        looks = next((look for own in series.iterchildren(C + "dPt") for look in own.iterchildren(C + "spPr")), None)
    for part in (*parts, looks):
        if part is not None and (local_name(part) != "marker" or kind.drawn):
            copy = deepcopy(part)
            copy.tail = None
            _append(point, copy)
    return point


def _color_point(point: Element, kind: _PlotKind, markers: Markers) -> Element:
    """Color a c:dPt, and add a slot for its position."""
    index = point.find(C + "idx")
    if index is not None:
        index.set("val", markers.node(Slot(POINT_SLOT)))
    inverted = point.find(C + "invertIfNegative")
    if kind.inverted and inverted is None:
        inverted = _new("invertIfNegative")
        _insert_behind(point, inverted, frozenset({"idx"}))
    if inverted is not None:
        inverted.set("val", "0")
    _color_look(point, kind, markers)
    marker, line = point.find(C + "marker"), point.find(f"{C}spPr/{A}ln/{A}noFill")
    if marker is not None and line is not None:
        _enlarge(marker)
    return point


def _enlarge(marker: Element) -> None:
    """Enlarge a point without a line by a step: LibreOffice gives it its own color only with another size."""
    size = marker.find(C + "size")
    if size is None:
        size = _new("size")
        size.set("val", "5")
        _insert_behind(marker, size, frozenset({"symbol"}))
    number = int(text) if (text := size.get("val", "") or "").isdecimal() and len(text) <= len("72") else 5
    size.set("val", str(number + 1 if number < _LARGEST_MARKER else number - 1))


def _color_look(owner: Element, kind: _PlotKind, markers: Markers) -> None:
    """Color the c:spPr and c:marker of a series or of a point."""
    look = owner.find(C + "spPr")
    if look is None:
        look = _new("spPr")
        _insert_behind(owner, look, _BEFORE_POINT_LOOK)
    marker = owner.find(C + "marker")
    if kind.marked and marker is None:
        marker = _new("marker")
        _insert_behind(owner, marker, _BEFORE_MARKER)
    if marker is not None and kind.drawn:
        _color_marker(marker, markers)
    if kind.drawn:
        _set_fill(_line_of(look), markers)
    else:
        _color_fill(look, markers)


def _color_marker(marker: Element, markers: Markers) -> None:
    symbol = marker.find(C + "symbol")
    if symbol is not None and symbol.get("val") == "none":
        return
    look = marker.find(C + "spPr")
    if look is None:
        look = _new("spPr")
        _insert_behind(marker, look, frozenset({"symbol", "size"}))
    if look.find(A + "noFill") is None:
        _set_fill(look, markers, force=True)
    _set_fill(_line_of(look), markers)


def _color_fill(look: Element, markers: Markers) -> None:
    """Color a fill, and the surrounding line of the same color."""
    fill, line = look.find(A + "solidFill"), look.find(A + "ln")
    around = line.find(A + "solidFill") if line is not None else None
    same = fill is not None and around is not None and _text(fill) == _text(around)
    _set_fill(look, markers, force=True)
    if line is not None and same:
        _set_fill(line, markers)


def _text(fill: Element) -> bytes:
    return b"".join(serialize_inside(child, fill) for child in fill.iterchildren())


def _line_of(look: Element) -> Element:
    line = look.find(A + "ln")
    if line is None:
        line = next(parse(f"<a:x {_NAMESPACES}><a:ln/></a:x>".encode()).iterchildren())
        _insert_behind(look, line, _BEFORE_LINE)
    return line


def _set_fill(owner: Element, markers: Markers, *, force: bool = False) -> None:
    """Replace the fill of a look or of a line by a slot; no fill stays no fill, unless forced."""
    fills = list(owner.iterchildren(*_FILLS))
    if not force and any(fill.tag == A + "noFill" for fill in fills):
        return
    for fill in fills:
        remove(fill)
    fill = next(parse(f"<a:x {_NAMESPACES}><a:solidFill/></a:x>".encode()).iterchildren())
    _insert_behind(owner, fill, frozenset({"xfrm", "custGeom", "prstGeom"}))
    fill.text = markers.node(ColorHole(f"{fill.prefix}:" if fill.prefix else ""))


def _mark_points(series: Element, form: Program, kind: _PlotKind, markers: Markers) -> None:
    points = list(series.iterchildren(C + "dPt"))
    if not points:
        _put_behind(series, markers.node(Points((), form)), _BEFORE_POINTS)
        return
    opening, closing = markers.range(lambda body: Points(body, form))
    insert_before(points[0], opening)
    insert_after(points[-1], closing)
    for point in points:
        copy = deepcopy(point)
        copy.tail = None
        number = _read_index(point)
        colored = markers.cut_bytes(serialize_inside(_color_point(copy, kind, markers), series))
        for index in point.iterchildren(C + "idx"):
            index.set("val", markers.node(Slot(POINT_SLOT)))
        markers.wrap(point, lambda body, number=number, colored=colored: PointRange(number, body, colored))


def _read_index(point: Element) -> int:
    index = point.find(C + "idx")
    text = (index.get("val", "") or "") if index is not None else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else 0


def _mark_look(series: Element, kind: _PlotKind, markers: Markers) -> None:
    """Mark a series' own look, c:spPr and c:marker with the elements between them."""
    colored = deepcopy(series)
    for child in list(colored.iterchildren()):
        if local_name(child) not in {"spPr", "marker"}:
            remove(child)
    colored.text = None
    _color_look(colored, kind, markers)
    for name in ("marker", "spPr"):
        part = colored.find(C + name)
        if part is None or (name == "marker" and not kind.drawn):
            continue
        part.tail = None
        program = markers.cut_bytes(serialize_inside(part, series))
        own = series.find(C + name)
        if own is not None:
            markers.wrap(own, lambda body, program=program: SeriesLook(body, program))
        else:
            before = ("idx", "order", "tx", *(["spPr"] if name == "marker" else []))
            _put_behind(series, markers.node(SeriesLook((), program)), frozenset(before))


def _new(name: str) -> Element:
    return next(parse(f"<c:x {_NAMESPACES}><c:{name}/></c:x>".encode()).iterchildren())


def _append(parent: Element, child: Element) -> None:
    parent.insert(len(list(parent.iterchildren())), child)


def _insert_behind(parent: Element, child: Element, before: frozenset[str]) -> None:
    """Insert a child after those with the local names `before`."""
    parent.insert(sum(local_name(other) in before for other in parent.iterchildren()), child)


def _put_behind(parent: Element, mark: str, before: frozenset[str]) -> None:
    """Insert a mark directly after the children with the local names `before`, ahead of existing marks."""
    previous = [child for child in parent.iterchildren() if local_name(child) in before]
    if previous:
        insert_after(previous[-1], mark)
    else:
        parent.text = mark + (parent.text or "")
