"""Directives in alternative texts: `{{image:logo}}`, `{{chart:sales}}`, `{{table:rows}}`, `{{if:x}}`, `{{each:x}}`.

Conditions drop their shape, or the slide when they are on its title or in the first line of its notes; pictures, charts
and tables without a value drop their shape, too.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from meetdeck.present.deck.compile.content_types import SLIDE
from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.directives.chart import CHART
from meetdeck.present.deck.compile.directives.drawing import DRAWING
from meetdeck.present.deck.compile.directives.fillings import Filling
from meetdeck.present.deck.compile.directives.image import CODE, IMAGE
from meetdeck.present.deck.compile.directives.paint import FILL, LINE
from meetdeck.present.deck.compile.directives.reading import split_alternative_text, split_chapter_ends, split_name
from meetdeck.present.deck.compile.directives.repeat import REPEAT
from meetdeck.present.deck.compile.directives.shapes import drop_unless
from meetdeck.present.deck.compile.directives.shaping import FRAME, FRAMES, PIE, mark_frame
from meetdeck.present.deck.compile.directives.shared_shape import SHARED_SHAPE
from meetdeck.present.deck.compile.directives.slides import is_title
from meetdeck.present.deck.compile.directives.table import TABLE
from meetdeck.present.deck.compile.marking.pushing import mark_pushing
from meetdeck.present.deck.compile.text.stories import mark_plain
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.brackets import find_near_pictures
from meetdeck.present.deck.language.constructs import Directive, TagFinding
from meetdeck.present.deck.language.field_types import CONDITION
from meetdeck.present.deck.language.syntax import explain_near_miss, holds_tags
from meetdeck.present.deck.opc.xml import MC, Element, P
from meetdeck.present.deck.program.conditions import VisibleIf
from meetdeck.present.deck.program.pushing import PushWord

_FILLINGS: Final[Mapping[str, Filling]] = {
    "image": IMAGE,
    "chart": CHART,
    "table": TABLE,
    "qr": CODE,
    "barcode": CODE,
    "bar": DRAWING,
    "harvey": DRAWING,
    "spark": DRAWING,
    "repeat": REPEAT,
    "fill": FILL,
    "line": LINE,
    "width": FRAME,
    "height": FRAME,
    "rotate": FRAME,
    "pie": PIE,
    "shape": SHARED_SHAPE,
}
# The part of its shape that a directive decides, by its kind.
_CLAIMS: Final[Mapping[str, str]] = {
    "repeat": "list",
    "line": "color of the outline",
    "width": "width",
    "height": "height",
    "rotate": "turn",
    "pie": "angle",
}


_PUSH: Final = re.compile(r"\s*\{\{\s*push\s*\}\}")


def mark_alternative_texts(root: Element, context: PartContext) -> None:
    """Mark the tags in alternative texts, and compile the directives in them."""
    tagged: list[Element] = []
    pushers: dict[Element, Place] = {}
    has_brackets = context.may_hold(b"[") or context.may_hold(b"#")
    for properties in root.iter("{*}cNvPr"):
        names = properties.keys()
        if not has_brackets and "descr" not in names and "title" not in names:
            continue
        texts = f"{properties.get('descr')}{properties.get('title')}"
        if "{{" in texts or "[" in f"{texts}{properties.get('name')}":
            tagged.append(properties)
            if _PUSH.search(texts) and (shape := _shape_of(properties)) is not None:
                pushers[shape] = _place_of(properties)
    if pushers and context.part.content_type == SLIDE:
        mark_pushing(pushers, context)
    for properties in tagged:
        _mark_alternative_text(properties, context)


def mark_shared_alternative_texts(root: Element, context: PartContext) -> None:
    """Mark the tags in a layout's or master's alternative texts, and report directives, which belong on slides."""
    for properties in list(root.iter("{*}cNvPr")):
        place = Place(properties.get("name", "") or "", 0, "alternative text")
        directives = _take_name(properties, context)
        for attribute in ("descr", "title"):
            text, found = split_alternative_text(properties.get(attribute, "") or "")
            directives += found
            if found or holds_tags(text):
                properties.set(attribute, mark_plain(text, place, context))
                context.markers.changed()
        for directive in directives:
            message = (
                f"{directive.source} is on the {context.part.kind}, which all slides share, and has no effect "
                "there: put it into the alternative text of a shape on the slide."
            )
            context.report(place, TagFinding("Warning", "missing-target", message, directive.source))


def _mark_alternative_text(properties: Element, context: PartContext) -> None:
    place = _place_of(properties)
    named = _take_name(properties, context)
    directives, texts = [*named], dict[str, str]()
    shape = _shape_of(properties)
    for attribute in ("descr", "title"):
        if attribute in properties.attrib:
            text = properties.get(attribute, "") or ""
            _report_near_pictures(text, place, context)
            text, found = split_alternative_text(text)
            # The name and the text may hold the same directive.
            directives += (directive for directive in found if directive not in named)
            if "/" in text and shape is not None and is_title(shape):
                text = _take_chapter_ends(text, context)
            texts[attribute] = text
    names = _names_inside(shape, directives, context)
    for attribute, text in texts.items():
        pieces = _PUSH.split(text) if context.part.content_type == SLIDE else [text]
        marked = [mark_plain(piece, place, context, names=names) for piece in pieces]
        properties.set(attribute, context.markers.node(PushWord(place)).join(marked) if marked[1:] else marked[0])
    if shape is None or next(shape.iterancestors(MC + "Fallback"), None) is not None:
        # The fallback of a newer element is kept or dropped with it.
        return
    taken: dict[str, Directive] = {}
    for directive in sorted(directives, key=_order):
        claim = _claim(directive, shape)
        if other := taken.get(claim):
            message = (
                f"{directive.source} is on a shape that {other.source} already uses: only one {claim} for each shape."
            )
            context.report(place, TagFinding("Warning", "missing-target", message, directive.source))
            continue
        if claim:
            taken[claim] = directive
        _obey(directive, shape, place, context)
    if framing := [one for one in taken.values() if one.kind in FRAMES and FRAME.fits(shape, context)]:
        mark_frame(shape, framing, place, context)


def _place_of(properties: Element) -> Place:
    return Place(properties.get("name", "") or "", 0, "alternative text")


def _names_inside(shape: Element | None, directives: Sequence[Directive], context: PartContext) -> tuple[str, ...]:
    """Return the names that a shape with these directives, and the shapes around it, repeat for."""
    if shape is None:
        return ()
    own = (one.item_name for one in directives if one.kind == "repeat" and REPEAT.fits(shape, context))
    return (*context.names_around(shape), *own)


def _order(directive: Directive) -> int:
    """Return the rank of a directive: conditions precede copies of their shape, and copies precede their pictures."""
    return 0 if directive.type.field is CONDITION else 1 if directive.kind == "repeat" else 2


def _claim(directive: Directive, shape: Element) -> str:
    """Return the part of its shape that a directive fills, which no second one can have; empty for none."""
    if claim := _CLAIMS.get(directive.kind):
        return claim
    if shape.tag == P + "sp" and (directive.type.fills or directive.kind == "fill"):
        return "picture or color"
    if directive.type.fills:
        return "picture, chart or table"
    return "color" if directive.kind == "fill" else ""


def _take_name(properties: Element, context: PartContext) -> list[Directive]:
    """Remove the directives from a shape's name, and return them."""
    name = properties.get("name", "") or ""
    _report_near_pictures(name, Place(name, 0, "shape name"), context)
    rest, directives = split_name(name)
    if directives:
        properties.set("name", rest)
        context.markers.changed()
    return directives


def _take_chapter_ends(text: str, context: PartContext) -> str:
    """Move the ends of chapters from a title's alternative text into the context, and return the rest of the text."""
    rest, ends = split_chapter_ends(text)
    for end in ends:
        context.end_chapter(end)
    return rest


def _report_near_pictures(text: str, place: Place, context: PartContext) -> None:
    for miss in find_near_pictures(text):
        context.report(place, explain_near_miss(text, miss))


def _shape_of(properties: Element) -> Element | None:
    parent = properties.getparent()
    return parent.getparent() if parent is not None else None


def _obey(directive: Directive, shape: Element, place: Place, context: PartContext) -> None:
    filling, names = _FILLINGS.get(directive.kind), context.names_around(shape)
    if directive.type.on_slides and is_title(shape):
        context.direct_slide(directive)
    elif filling is not None and filling.fits(shape, context):
        if filling.condition:
            drop_unless(filling.condition(directive, place), shape, context)
        filling.fill(shape, directive, place, context)
    elif directive.type.field is CONDITION:
        drop_unless(VisibleIf(directive, place), shape, context)
    else:
        message = f"{directive.source} {directive.type.advice}"
        context.report(place, TagFinding("Warning", "missing-target", message, directive.source))
        return
    context.use(directive, place, names)
