"""The box that a shape has for its text, and the excess of a text over it. Lengths are in points."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from msgspec import Struct

from meetdeck.present.deck.fitting.inheritance import Inheritance, ShapeLook
from meetdeck.present.deck.fitting.layout import Extent
from meetdeck.present.deck.fitting.styles import AUTOFITS, POINTS_PER_EMU, Alignment, Autofit, read_length, read_number
from meetdeck.present.deck.opc.xml import A, Element, P, find_child, list_around, write
from meetdeck.present.deck.presentation.geometry import drawn_place, drawn_size
from meetdeck.present.deck.program.template import SlideSize

_GROUP: Final = P + "grpSp"
_PROPERTIES: Final = P + "spPr"
_BODY: Final = P + "txBody"
_HOLDERS: Final = (A + "bodyPr", A + "lstStyle")
# PowerPoint's default margins: 0.1 and 0.05 inches.
SIDE_MARGIN: Final = 7.2
END_MARGIN: Final = 3.6
_TURNED: Final = frozenset({"vert", "vert270", "eaVert", "mongolianVert"})
# Vertical text in columns: its room is not known here.
_STACKED: Final = frozenset({"wordArtVert", "wordArtVertRtl"})
# The distance of a shape's text from its edges, as a share of width and height.
_ROUNDED: Final = {"ellipse": 0.1464, "diamond": 0.25}
_ROUND_CORNER: Final = 0.29289
_USUAL_CORNER: Final = 16_667
_LEAST_INSIDE: Final = 1.0
# Shapes whose text has all of their room; one without a geometry of its own is a text box or placeholder.
_RECTANGLES: Final = frozenset({None, "rect", "flowChartProcess", "wedgeRectCallout"})
# Nothing is said to reach further.
_BOUNDLESS: Final = 1e12


class Outline(NamedTuple):
    """The outline of a shape that is as high as its text: `ends` are its upper and lower margin together.

    `share` of its height, and `corner` of its shorter side, are the distance of its text from an edge.
    """

    width: float
    ends: float
    share: float
    corner: float

    def height(self, text: float) -> float:
        """Return the height of the shape around a text of that height."""
        inside = text + self.ends
        round_height = inside / (1 - 2 * (self.share + self.corner))
        return min(round_height, inside / (1 - 2 * self.share) + 2 * self.corner * self.width)


class Box(Struct, frozen=True):
    """The box of a shape's text: the width and height that lines may have before they show outside of it.

    `width` is None where lines do not wrap; then `across` is the width they may have between the slide's edges, by
    alignment, if known. `to_edge` is the distance from the text's beginning to the slide's lower edge, None if unknown.
    `scale` and `spacing` are the template's autofit factors for sizes and distances. A growing shape of known form has
    an `outline`.
    """

    width: float | None
    across: Mapping[Alignment, float]
    height: float
    to_edge: float | None
    columns: int
    autofit: Autofit
    scale: float
    spacing: float
    outline: Outline | None = None

    @property
    def room(self) -> float:
        """The height that a text may have: a growing shape may extend to the slide's lower edge."""
        if self.autofit != "grow":
            return self.height
        return _BOUNDLESS if self.to_edge is None else max(self.to_edge, self.height)


def find_excess_across(extent: Extent, rooms: Mapping[Alignment, float]) -> float:
    """Return the excess of the widest line over the slide's width; differences between fonts are ignored."""
    passing = (width - rooms[place] for place, width in extent.widths.items() if place in rooms)
    excess = max(passing, default=0.0)
    return excess if excess > 0.3 * extent.line + 0.01 * max(extent.widths.values()) else 0.0


def find_excess(extent: Extent, room: float) -> float:
    """Return the excess of a text over its height; less than the white space below a line is ignored."""
    excess = extent.height - room
    return excess if excess > ignored_excess(extent.height, extent.line) else 0.0


def ignored_excess(height: float, line: float) -> float:
    """Return the ignored excess of a text of that height; `line` is the height of its last line."""
    # The lowest part of a line has only the tails of letters, and fonts differ by a few per cent.
    return 0.3 * line + 0.01 * height


class _Insets(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float


class TextBoxes:
    """The text boxes and looks of one package's shapes; identical shapes are read once."""

    def __init__(self, inheritance: Inheritance, slide: SlideSize) -> None:
        self._inheritance = inheritance
        self._slide = slide
        self._known: dict[tuple[object, ...], tuple[ShapeLook, Box | None]] = {}

    def read(self, shape: Element, part: str) -> tuple[ShapeLook, Box | None]:
        """Return the look of a `p:sp` and its text box, None when that is not known."""
        if list_around(shape, _GROUP):
            return self._read(shape, part)
        body = find_child(shape, _BODY)
        holders = (find_child(body, name) for name in _HOLDERS) if body is not None else ()
        form = [_write(one) for one in (find_child(shape, _PROPERTIES), *holders)]
        key = self._inheritance.source_of_shape(shape, part), *form
        if key not in self._known:
            self._known[key] = self._read(shape, part)
        return self._known[key]

    def _read(self, shape: Element, part: str) -> tuple[ShapeLook, Box | None]:
        look = self._inheritance.look_of_shape(shape, part)
        return look, read_box(shape, look, self._slide)


def _write(element: Element | None) -> bytes:
    """Return an element as written; empty for one without content, as most are."""
    return write(element) if element is not None and (len(element) or element.keys()) else b""


def read_box(shape: Element, look: ShapeLook, slide: SlideSize) -> Box | None:
    """Return the text box of a `p:sp` on a slide; None when it is not known."""
    frame, fit, says = look.frame, look.autofit, look.attributes
    vertical = says.get("vert") or "horz"
    if frame is None or vertical in _STACKED:
        return None
    width, height = (length * POINTS_PER_EMU for length in drawn_size(shape, frame))
    grows, lies = fit is not None and fit.tag == A + "spAutoFit", drawn_place(shape, frame)
    if grows and (lies is None or vertical in _TURNED):
        # Its direction of growth, and the limit of it, are unknown.
        return None
    insets = _read_insets(says)
    outline = _read_outline(shape, width, insets) if grows else None
    inset_x, inset_y = _shape_insets(shape, width, height)
    is_turned = vertical in _TURNED
    if is_turned:
        width, height, inset_x, inset_y = height, width, inset_y, inset_x
        insets = _Insets(insets.top, insets.right, insets.bottom, insets.left)
    inside = width - 2 * inset_x - insets.left - insets.right
    is_turned = is_turned or frame.element.get("rot", "0") not in {"0", None}
    anchor = says.get("anchor") or "t"
    from_edge = {"t": insets.top, "b": insets.bottom}.get(anchor, abs(insets.top - insets.bottom)) + inset_y
    place = None if is_turned else lies
    is_endless = says.get("wrap") == "none"
    columns = int(read_number(says.get("numCol"))) or 1
    if columns > 1:
        gap = read_length(says.get("spcCol"))
        inside = (inside - gap * (columns - 1)) / columns
    return Box(
        width=None if is_endless else max(inside, _LEAST_INSIDE),
        across=_find_across(place[0] * POINTS_PER_EMU, width, insets, slide) if place and is_endless else {},
        height=max(height - from_edge, 0),
        to_edge=None if place is None else (slide.height - place[1]) * POINTS_PER_EMU - insets.top,
        columns=columns,
        autofit=AUTOFITS[fit.tag] if fit is not None else "none",
        scale=(read_number(fit.get("fontScale"), percent=True) or 100_000) / 100_000 if fit is not None else 1,
        spacing=1 - read_number(fit.get("lnSpcReduction"), percent=True) / 100_000 if fit is not None else 1,
        outline=outline,
    )


def _find_across(left: float, width: float, insets: "_Insets", slide: SlideSize) -> Mapping[Alignment, float]:
    """Return the width that unwrapped lines may have, by alignment.

    Programs differ for a shape that grows, or text that shrinks: it may keep its middle or its left.
    """
    page, begin, end = slide.width * POINTS_PER_EMU, left + insets.left, left + width - insets.right
    from_left, from_middle = page - begin, min(begin + end, 2 * page - begin - end)
    return {"l": max(from_left, from_middle), "ctr": max(from_left, from_middle), "r": max(end, from_left, from_middle)}


def _read_insets(says: Mapping[str, str]) -> _Insets:
    found = [says.get(name) for name in ("lIns", "tIns", "rIns", "bIns")]
    usual = (SIDE_MARGIN, END_MARGIN) * 2
    return _Insets(*(other if text is None else read_length(text) for text, other in zip(found, usual, strict=True)))


def _shape_insets(shape: Element, width: float, height: float) -> tuple[float, float]:
    """Return the distance of text from the edges of a shape that is not a rectangle."""
    share, corner = _read_form(shape)
    off_corner = corner * min(width, height)
    return width * share + off_corner, height * share + off_corner


def _read_form(shape: Element) -> tuple[float, float]:
    """Return the distance of text from a shape's edges, as shares of its sides and of its shorter side."""
    geometry = find_child(shape, P + "spPr", A + "prstGeom")
    if geometry is None or geometry.get("prst") != "roundRect":
        return (_ROUNDED.get(geometry.get("prst") or "", 0.0) if geometry is not None else 0.0), 0.0
    guide = geometry.find(f"{A}avLst/{A}gd")
    text = (guide.get("fmla", "") or "").removeprefix("val ") if guide is not None else ""
    corner = min(read_number(text) if text else _USUAL_CORNER, 50_000) / 100_000
    return 0.0, corner * _ROUND_CORNER


def _read_outline(shape: Element, width: float, insets: "_Insets") -> Outline | None:
    """Return the outline of a shape; None if the position of its text is not known."""
    properties = find_child(shape, P + "spPr")
    form = find_child(shape, P + "spPr", A + "prstGeom")
    kind = form.get("prst") if form is not None else None
    is_own = properties is not None and find_child(properties, A + "custGeom") is not None
    if is_own or not (kind in _RECTANGLES or kind in _ROUNDED or kind == "roundRect"):
        return None
    return Outline(width, insets.top + insets.bottom, *_read_form(shape))
