"""Mark the texts and tables of a slide that the data fills, so that they are measured against their room."""

from collections.abc import Container, Iterable
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.marking.arrangement import GrowingShapes
from meetdeck.present.deck.compile.marking.surroundings import shape_name
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.fitting.estimates import Form, Pitch, read_pitch
from meetdeck.present.deck.fitting.floors import Bounds, find_floor, read_bounds
from meetdeck.present.deck.fitting.inheritance import TextLook
from meetdeck.present.deck.fitting.limits import CellLimit, Limit, PlainText
from meetdeck.present.deck.fitting.nodes import AUTOFIT_SLOT, MeasuredText
from meetdeck.present.deck.fitting.pushing import PushedRoom
from meetdeck.present.deck.fitting.row_forms import RowForms
from meetdeck.present.deck.fitting.styles import AUTOFITS, POINTS_PER_EMU
from meetdeck.present.deck.fitting.table_nodes import FRAME_SLOT, MeasuredTable
from meetdeck.present.deck.fitting.tables import read_room
from meetdeck.present.deck.language.values import escape_attribute
from meetdeck.present.deck.opc.xml import (
    MC,
    A,
    Element,
    P,
    find_child,
    insert_before,
    list_around,
    remove,
    serialize_inside,
)
from meetdeck.present.deck.presentation.geometry import find_placeholder
from meetdeck.present.deck.presentation.table_styles import read_table_colors
from meetdeck.present.deck.program.continuing import AfterItems, ContinuingBlock
from meetdeck.present.deck.program.nodes import Block, Hyperlink, RtlTextValue, Slot, TextValue, WithFallback
from meetdeck.present.deck.program.replaceable import Replaceable
from meetdeck.present.deck.program.scope import Program
from meetdeck.present.deck.program.tables.colors import TableColors
from meetdeck.present.deck.program.text.language import IfLanguageIsSet, LanguageAttribute
from meetdeck.present.deck.program.text.rich import LinkNode, MarkdownNode, ParagraphsNode, SlideLinkNode
from meetdeck.present.deck.program.typefaces import TypefacesCache

# Nodes that write something beside values that is not text.
_WITHOUT_TEXT: Final = (bytes, LanguageAttribute, Replaceable)
# Nodes that write text in the formats of the template's own runs and paragraphs.
_OF_THE_TEMPLATES_FORM: Final = frozenset(
    {
        *_WITHOUT_TEXT,
        *(TextValue, RtlTextValue, LinkNode, SlideLinkNode, MarkdownNode, ParagraphsNode, Hyperlink, Slot),
        *(Block, ContinuingBlock, AfterItems, WithFallback, IfLanguageIsSet),
    }
)
# The nodes of nearly all texts, which contain no others.
_LEAVES: Final = frozenset({*_WITHOUT_TEXT, TextValue})
_TABLE: Final = f"{A}graphic/{A}graphicData/{A}tbl"


def mark_fitting(root: Element, context: PartContext, continuing: Element | None = None) -> bool:
    """Mark the filled stories of a part, see `PartContext.list_stories`, and the tables whose rows come from the data.

    The part is a slide, or a layout or master whose shapes, except placeholders, the slides show. Return whether the
    story that is `continuing` on further slides is among them.
    """
    measured: list[Element] = []
    arranging = GrowingShapes(root, context)
    tables: dict[Element, bool] = dict.fromkeys(context.list_filled_tables(), True)
    for story, repeats in context.list_stories():
        if not _is_drawn(story, root):
            continue
        shape = story.getparent()
        if shape is not None and shape.tag == P + "sp" and (context.slide or find_placeholder(shape) is None):
            if _mark_text(story, shape, context, arranging, continues=story is continuing):
                measured.append(story)
        elif story.tag == A + "tbl":
            for frame in list_around(story, P + "graphicFrame")[:1]:
                tables.setdefault(frame, repeats)
    for frame, grows in (dict.fromkeys(context.list_pictured_tables(), False) | tables).items():
        table = frame.find(_TABLE)
        if table is None or not _is_drawn(frame, root):
            continue
        if _mark_table(frame, table, context, arranging, grows=grows, continues=table is continuing):
            measured.append(table)
    arranging.mark()
    return continuing is None or continuing in measured


def _is_drawn(element: Element, root: Element) -> bool:
    """Return whether an element is drawn, and is not in a fallback for older programs."""
    parent = element.getparent()
    while parent is not None and parent is not root:
        if parent.tag == MC + "Fallback":
            return False
        parent = parent.getparent()
    return parent is root


def _mark_text(
    body: Element, shape: Element, context: PartContext, arranging: GrowingShapes, *, continues: bool
) -> bool:
    """Mark a text to be measured; return whether it can be."""
    template, part = context.template, context.part
    shape_look, box = template.text_boxes.read(shape, part.name)
    if box is None:
        return False
    look, pushed = shape_look.text, None
    if continues and box.autofit == "grow" and box.to_edge is not None:
        # It grows to the next shape, as a table does.
        bounds = read_bounds(shape, part.name, context.package)
        lost = _lost_below(shape, bounds, context) if bounds else 0
        box, pushed = replace(box, to_edge=box.to_edge - lost), _read_pushed_room(shape, lost, context)
    prefix, opening = _read_namespaces(tuple(body.nsmap.items()))
    estimate, place = template.estimates.read(body, look, prefix), Place(shape_name(shape), 0, part.kind)
    if box.autofit == "shrink":
        _mark_autofit(body, context)
    names_part = continues and context.names_part(body)
    own_height = arranging.add_text(shape, shape_look.frame) if box.outline is not None else None
    # Do not keep the context: its markers keep what is made here, and no tree would be freed before garbage collection.
    forms = context.find_forms(body)

    def make(inside: Program) -> MeasuredText:
        values = _find_values(inside)
        limit: TypefacesCache[Limit] = TypefacesCache()
        plain: TypefacesCache[PlainText] = TypefacesCache()
        height = replace(own_height, pitch=_find_pitch(inside, forms, look)) if own_height else None
        return MeasuredText(
            place, box, continues, names_part, pushed, look, estimate, opening, values, height, limit, plain, inside
        )

    context.markers.wrap(body, make)
    return True


def _find_pitch(program: Program, forms: Iterable[Form], look: TextLook) -> Pitch | None:
    """Return the pitch of a text that a program writes, if it is the same whatever the data."""
    kinds = _find_kinds(program)
    if not kinds.issubset(_OF_THE_TEMPLATES_FORM):
        return None
    return read_pitch(forms, look, on_all_levels=ParagraphsNode in kinds)


def _find_kinds(program: Program) -> set[type]:
    """Return the types of a program's nodes, and of the nodes inside of them."""
    kinds = set(map(type, program))
    if not kinds.issubset(_LEAVES):
        kinds.update(*(_find_kinds(getattr(node, "body", ())) for node in program))
    return kinds


def _lost_below(shape: Element, bounds: Bounds, context: PartContext, ignored: Container[Element] = ()) -> float:
    """Return how much of the room below a shape belongs to another shape, in points."""
    slide, part = context.template.slide_size, context.part.name
    return slide.height * POINTS_PER_EMU - find_floor(shape, bounds, part, context.package, slide, ignored)


def _read_pushed_room(shape: Element, lost: float, context: PartContext) -> PushedRoom | None:
    """Return the room of what a continuing story pushes; `lost` is what is lost below it with these shapes."""
    plan = context.pushes
    bounds = plan.pushers.get(shape) if plan else None
    below = [one for one in plan.list_below(shape) if not one.carriers] if plan else []
    if plan is None or bounds is None or not below:
        return None
    shapes = [*(one.shape for one in below), *plan.glued]
    own = {around for one in shapes for around in (one, *one.iterancestors())}
    edges = (read_bounds(one, context.part.name, context.package) for one in plan.glued)
    more = lost - _lost_below(shape, bounds, context, own)
    least = max(one.bottom for one in (*(one.bounds for one in below), *edges) if one is not None) - bounds.bottom
    return PushedRoom(plan.left_out.get(shape, frozenset()), more, least)


def _mark_autofit(body: Element, context: PartContext) -> None:
    """Insert a node where the shape has, or would have, its autofit."""
    properties = find_child(body, A + "bodyPr")
    if properties is None:
        return
    fit = next((child for child in properties if child.tag in AUTOFITS), None)
    if fit is not None:
        own = serialize_inside(fit, properties)
        insert_before(fit, context.markers.node(Replaceable(AUTOFIT_SLOT, own)))
        remove(fit)
        return
    marker = context.markers.node(Replaceable(AUTOFIT_SLOT, b""))
    warp = properties.find(A + "prstTxWarp")
    if warp is None:
        properties.text = marker + (properties.text or "")
    else:
        warp.tail = marker + (warp.tail or "")


def _mark_table(
    frame: Element, table: Element, context: PartContext, arranging: GrowingShapes, *, grows: bool, continues: bool
) -> bool:
    """Mark a table to be measured; return whether it can be."""
    extent = frame.find(f"{P}xfrm/{A}ext")
    if extent is None:
        return False
    template, part, before = context.template, context.part, context.find_form(frame)
    form = table if before is None else before
    look, (prefix, _) = template.inheritance.look_of_table(part.name), _read_namespaces(tuple(table.nsmap.items()))
    estimate = template.estimates.read(form, look, prefix, in_cells=True)
    room, (_, opening) = read_room(frame, form, template.slide_size), _read_namespaces(tuple(frame.nsmap.items()))
    place, pushed = Place(shape_name(frame), 0, part.kind), None
    if continues:
        bounds = read_bounds(frame, part.name, context.package)
        if room.top is None or bounds is None:
            return False
        lost = _lost_below(frame, bounds, context)
        room, pushed = room._replace(limit=room.limit - lost), _read_pushed_room(frame, lost, context)
    key = arranging.add_table(frame, room.own)
    if grows:
        own = escape_attribute(extent.get("cy", "") or "").encode()
        extent.set("cy", context.markers.node(Replaceable(FRAME_SLOT, own)))
    names_part = continues and context.names_part(table)
    pushes = context.pushes is not None and frame in context.pushes.pushers
    end_of_cell, colors = f"</{prefix}tc>".encode(), _read_colors(frame, form, context)
    says_values = context.says_values(frame)

    def make(inside: Program) -> MeasuredTable:
        values = _find_values(inside, end_of_cell)
        limit: TypefacesCache[CellLimit] = TypefacesCache()
        rows: TypefacesCache[RowForms] = TypefacesCache()
        looks = look, estimate, opening, values, limit, rows, colors, says_values
        return MeasuredTable(key, place, room, continues, names_part, pushes, pushed, grows, *looks, inside)

    context.markers.wrap(frame, make)
    return True


def _read_colors(frame: Element, table: Element, context: PartContext) -> TableColors:
    """Return the colors behind the cells of a table, which its pictures need."""
    if frame not in context.list_pictured_tables():
        return TableColors()
    return read_table_colors(table, context.package, context.theme_colors())


def _find_values(program: Program, apart: bytes = b"") -> tuple[int, ...] | None:
    """Return the places of values in a program; None when other nodes write text, or two values are not `apart`."""
    if not _LEAVES.issuperset(map(type, program)):
        return None
    values: list[int] = []
    is_apart = True
    for place, node in enumerate(program):
        if type(node) is TextValue:
            if not is_apart:
                return None
            values.append(place)
            is_apart = not apart
        elif not is_apart and isinstance(node, bytes) and apart in node:
            is_apart = True
    return tuple(values)


@lru_cache(maxsize=64)  # a template has one for each kind of part
def _read_namespaces(names: tuple[tuple[str | None, str], ...]) -> tuple[str, bytes]:
    """Return DrawingML's prefix with its colon, and the beginning of a document that declares these namespaces.

    An element that has them can be read alone in it.
    """
    own = next((prefix for prefix, uri in names if prefix and uri == A[1:-1]), None)
    declarations = (f' xmlns{":" if prefix else ""}{prefix or ""}="{escape_attribute(uri)}"' for prefix, uri in names)
    return f"{own}:" if own else "", f"<w{''.join(declarations)}>".encode()
