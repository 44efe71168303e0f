"""`{{fill:status}}`, `{{line:status}}` and `{{change | color:"red"}}`: colors of shapes, cells and text from the data.

The existing color is kept beside the new one in the order of the schema, and replaces it when the data has none.
"""

from collections.abc import Callable, Collection
from copy import deepcopy
from typing import Final

from msgspec import structs

from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.directives.fillings import Filling
from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import Directive, Tag
from meetdeck.present.deck.language.text_colors import read_text_color
from meetdeck.present.deck.opc.xml import A, Element, P, insert_after, insert_before, local_name, parse, prefix_for
from meetdeck.present.deck.presentation.paragraphs import find_carrier, lift_out, put_between
from meetdeck.present.deck.program.paint import Paint, TextPaint
from meetdeck.present.deck.program.scope import Node, Program

# The fills of DrawingML; an element has one of them.
FILLS: Final = ("noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill")
_BEFORE_LINE: Final = frozenset({"xfrm", "custGeom", "prstGeom", *FILLS})
# The elements before a fill in the properties of shapes, cells and runs (ECMA-376 part 1, CT_ShapeProperties,
# CT_TableCellProperties, CT_TextCharacterProperties); in those of outlines it is the first.
_BEFORE: Final = frozenset(
    {"xfrm", "custGeom", "prstGeom", "ln", "lnL", "lnR", "lnT", "lnB", "lnTlToBr", "lnBlToTr", "cell3D"}
)
_PROPERTIES: Final = ("spPr", "grpSpPr")
_RUN: Final = f'<a:r xmlns:a="{A[1:-1]}"><a:t/></a:r>'.encode()


def _has_fill(shape: Element, _: PartContext) -> bool:
    return shape.tag in {P + "sp", P + "pic", P + "grpSp"}


def _has_line(shape: Element, _: PartContext) -> bool:
    return shape.tag in {P + "sp", P + "pic", P + "cxnSp"}


def _mark_fill(shape: Element, directive: Directive, place: Place, context: PartContext) -> None:
    if shape.get("useBgFill"):
        shape.set("useBgFill", "0")
    _mark_color(_properties_of(shape), directive, place, context.markers, _BEFORE - {"ln"})


def _mark_line(shape: Element, directive: Directive, place: Place, context: PartContext) -> None:
    properties = _properties_of(shape)
    line = properties.find(A + "ln")
    if line is None:
        line = add_property(properties, "ln", _BEFORE_LINE)
    _mark_color(line, directive, place, context.markers, frozenset())


def _properties_of(shape: Element) -> Element:
    found = next((child for child in shape.iterchildren() if local_name(child) in _PROPERTIES), None)
    if found is None:
        # The schema requires it, after the names.
        found = parse(f'<p:spPr xmlns:p="{P[1:-1]}" xmlns:a="{A[1:-1]}"/>'.encode())
        shape.insert(1, found)
    return found


def mark_cell(cell: Element, make: Callable[[str, Program], Node], markers: Markers) -> None:
    """Mark a table's cell to have its fill from the data; see `mark_choice`."""
    properties = cell.find(A + "tcPr")
    if properties is None:
        properties = add_property(cell, "tcPr", frozenset({"txBody"}))
    mark_choice(properties, make, markers, _BEFORE)


def color_name(tag: Tag) -> Directive | None:
    """Return the name that a tag's color filter reads its color from, None when the filter states the color."""
    name = read_text_color(*tag.filters[-1]).name
    return Directive("fill", tag.source, name, tuple(name.split("."))) if name else None


def color_text(paragraph: Element, marker: str, tag: Tag, place: Place, markers: Markers) -> None:
    """Move a text's marker into a run of its own, in the format of its run except for the color."""
    around = find_carrier(paragraph, marker)
    old = around.getparent() if around is not None else None
    if old is None:
        return
    lift_out(paragraph, marker)
    run = parse(_RUN)
    if (format_ := old.find(A + "rPr")) is not None:
        run.insert(0, deepcopy(format_))
    carrier = run.find(A + "t")
    if carrier is not None:
        carrier.text = marker
    put_between(paragraph, marker, run)
    rule, named, value = read_text_color(*tag.filters[-1]), color_name(tag), structs.replace(tag, filters=())
    properties = run.find(A + "rPr")
    if properties is None:
        properties = add_property(run, "rPr", frozenset())
    mark_choice(
        properties,
        lambda prefix, body: TextPaint(value, place, prefix, rule.steps, named, body),
        markers,
        frozenset({"ln"}),
    )


def _mark_color(
    properties: Element, directive: Directive, place: Place, markers: Markers, before: frozenset[str]
) -> None:
    mark_choice(properties, lambda prefix, body: Paint(directive, place, prefix, body), markers, before)


def mark_choice(
    properties: Element,
    make: Callable[[str, Program], Node],
    markers: Markers,
    before: frozenset[str],
    choice: Collection[str] = FILLS,
) -> None:
    """Put markers around the one of a choice that a property element has, or where it would be, after those `before`.

    `make` receives DrawingML's prefix there, with its colon, and the program of the author's own.
    """
    opening, closing = markers.range(lambda body: make(prefix, body))
    prefix = f"{bound}:" if (bound := prefix_for(properties, A)) else ""
    own = next((child for child in properties.iterchildren() if local_name(child) in choice), None)
    behind = [child for child in properties.iterchildren() if local_name(child) in before]
    if own is not None:
        insert_before(own, opening)
        insert_after(own, closing)
    elif behind:
        insert_after(behind[-1], opening + closing)
    else:
        properties.text = opening + closing + (properties.text or "")


def add_property(parent: Element, name: str, before: frozenset[str]) -> Element:
    """Return a new DrawingML element inside of another, after those `before` it."""
    child = parse(f'<a:{name} xmlns:a="{A[1:-1]}"/>'.encode())
    parent.insert(sum(local_name(one) in before for one in parent.iterchildren()), child)
    return child


FILL: Final = Filling(_has_fill, _mark_fill, None)
LINE: Final = Filling(_has_line, _mark_line, None)
