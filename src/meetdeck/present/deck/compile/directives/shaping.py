"""`{{width:share}}`, `{{height:share}}`, `{{rotate:degrees}}` and `{{pie:share}}` in an alternative text."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Final

from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.directives.fillings import Filling
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import Directive, TagFinding
from meetdeck.present.deck.opc.xml import A, Element, P, find_child, local_name, parse, prefix_for, without
from meetdeck.present.deck.presentation.geometry import Frame, find_frame, read_flat_frame
from meetdeck.present.deck.program.shaping import UNITS, PieAngles, ShapedFrame, ShapedTurn, Sizing

FRAMES: Final = frozenset({"width", "height", "rotate"})
_SIZED: Final = frozenset({P + "sp", P + "pic", P + "cxnSp", P + "grpSp"})
_PROPERTIES: Final = frozenset({"spPr", "grpSpPr"})
# The shapes with two angles, and the adjustments that PowerPoint gives new ones.
_PIES: Final = {
    "pie": {"adj1": "val 0", "adj2": "val 16200000"},
    "arc": {"adj1": "val 16200000", "adj2": "val 0"},
    "blockArc": {"adj1": "val 10800000", "adj2": "val 0", "adj3": "val 25000"},
}
_ANCHORS: Final = {"width": "left", "height": "bottom"}


def _can_be_shaped(shape: Element, context: PartContext) -> bool:
    """Return whether a shape has a place and a size of its own, or inherits them."""
    return shape.tag in _SIZED and (_find_transform(shape) is not None or _find_inherited(shape, context) is not None)


def _find_transform(shape: Element) -> Element | None:
    properties = _find_properties(shape)
    return properties.find(A + "xfrm") if properties is not None else None


def _find_properties(shape: Element) -> Element | None:
    return next((child for child in shape.iterchildren() if local_name(child) in _PROPERTIES), None)


def _find_inherited(shape: Element, context: PartContext) -> Frame | None:
    return find_frame(shape, context.part.name, context.package) if shape.tag != P + "grpSp" else None


def _pass(_shape: Element, _directive: Directive, _place: Place, _context: PartContext) -> None:
    """Do nothing: the directives about one frame are marked together, see `mark_frame`."""


def mark_frame(shape: Element, directives: Sequence[Directive], place: Place, context: PartContext) -> None:
    """Mark the frame of a shape for the directives that size and turn it, at most one of each kind.

    Report those that find its size taken by a picture.
    """
    asked = {one.kind: one for one in directives}
    transform = give_transform(shape, context)
    if transform is None:
        return
    turn, own = asked.pop("rotate", None), _read_angle(transform.get("rot"))
    if turn:
        transform.set("rot", context.markers.attribute(ShapedTurn(turn, place, own)))
    frame = read_flat_frame(transform)
    if frame is None:
        for directive in asked.values():
            message = f"{directive.source} is on a shape that is sized by a picture; write fit=stretch there."
            context.report(place, TagFinding("Warning", "missing-target", message, directive.source))
    elif asked:
        without(transform.iterchildren(), "off", "ext")
        sides = _read_side("width", asked, place), _read_side("height", asked, place)
        angle, in_card = own / UNITS, context.repeats(shape)
        node = ShapedFrame(_prefix(transform), frame[1:], sides, angle, turn, place, in_card=in_card)
        transform.text = context.markers.node(node)


def give_transform(shape: Element, context: PartContext) -> Element | None:
    """Return the `a:xfrm` of a shape, a copy of the inherited one added to it when it has none."""
    properties, transform = _find_properties(shape), _find_transform(shape)
    frame = _find_inherited(shape, context) if transform is None else None
    if properties is not None and frame is not None:
        transform = deepcopy(frame.element)
        transform.tail = None
        properties.insert(0, transform)
    return transform


def _read_side(kind: str, asked: dict[str, Directive], place: Place) -> Sizing | None:
    directive = asked.get(kind)
    return Sizing(directive, place, dict(directive.options).get("from", _ANCHORS[kind])) if directive else None


def _read_angle(text: str | None) -> int:
    digits = (text or "").removeprefix("-")
    return int(text or 0) if digits.isascii() and digits.isdigit() and len(digits) <= len("21600000") else 0


def _is_pie(shape: Element, _: PartContext) -> bool:
    """Return whether a shape is a pie, a block arc or an arc."""
    geometry = find_child(shape, P + "spPr", A + "prstGeom")
    return geometry is not None and geometry.get("prst") in _PIES


def _mark_pie(shape: Element, directive: Directive, place: Place, context: PartContext) -> None:
    geometry = find_child(shape, P + "spPr", A + "prstGeom")
    if geometry is None:
        return
    own = dict(_PIES[geometry.get("prst") or ""])
    guides = geometry.find(A + "avLst")
    if guides is None:
        guides = parse(f'<a:avLst xmlns:a="{A[1:-1]}"/>'.encode())
        geometry.insert(0, guides)
    for guide in guides.iterchildren(A + "gd"):
        if (name := guide.get("name")) in own and _is_plain(formula := guide.get("fmla") or ""):
            own[name] = formula
    without(guides.iterchildren(), "gd")
    guides.text = context.markers.node(PieAngles(directive, place, _prefix(guides), tuple(own.items())))


def _is_plain(formula: str) -> bool:
    value = formula.removeprefix("val ").removeprefix("-")
    return formula.startswith("val ") and value.isascii() and value.isdigit()


def _prefix(element: Element) -> str:
    return f"{bound}:" if (bound := prefix_for(element, A)) else ""


FRAME: Final = Filling(_can_be_shaped, _pass, None)
PIE: Final = Filling(_is_pie, _mark_pie, None)
