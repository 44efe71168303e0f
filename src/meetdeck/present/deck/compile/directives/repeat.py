"""`{{repeat:kpis columns=4 gap=5}}` in an alternative text: the shape or group is written for each item of a list."""

from typing import Final

from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.directives.fillings import Filling
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.fitting.styles import POINTS_PER_EMU
from meetdeck.present.deck.language.constructs import Directive
from meetdeck.present.deck.opc.xml import MC, A, Element, P, insert_before, prefix_for
from meetdeck.present.deck.presentation.geometry import Frame, drawn_size, read_own_frame, shape_id
from meetdeck.present.deck.program.cards import CardOffset, Cards, Grid, HasItems

_REPEATED: Final = frozenset({P + "sp", P + "pic", P + "grpSp"})
_EMU_IN_A_MILLIMETER: Final = 36_000
# The gap without an option, as a share of the shape's width.
_GAP: Final = 0.05


def _can_repeat(shape: Element, context: PartContext) -> bool:
    """Return whether a shape can be copied: no placeholders, tables, charts or repeated shapes."""
    return (
        shape.tag in _REPEATED
        and read_own_frame(shape) is not None
        and not context.names_around(shape)
        and next(shape.iterancestors(MC + "AlternateContent"), None) is None
        and next(shape.iter(P + "ph", P + "graphicFrame", P + "contentPart"), None) is None
    )


def _mark_repeated(shape: Element, directive: Directive, place: Place, context: PartContext) -> None:
    frame = read_own_frame(shape)
    offset = next(shape.iter(A + "off"), None)
    if frame is None or offset is None:
        return
    context.repeat_shape(shape, directive)
    grid, highest = _read_grid(shape, frame, directive, context), _highest_id(shape)
    prefix = f"{bound}:" if (bound := prefix_for(offset, A)) else ""
    before, after = context.markers.range(lambda _: CardOffset(prefix, frame.x, frame.y))
    insert_before(offset, before)
    offset.tail = after + (offset.tail or "")
    key, scale = shape_id(shape), drawn_size(shape, frame)[1] * POINTS_PER_EMU / frame.height
    context.markers.wrap(shape, lambda body: Cards(key, scale, directive, place, grid, highest, body))


def _read_grid(shape: Element, frame: Frame, directive: Directive, context: PartContext) -> Grid:
    options, size = dict(directive.options), context.template.slide_size
    gap = int(options["gap"]) * _EMU_IN_A_MILLIMETER if "gap" in options else round(frame.width * _GAP)
    is_on_slide = next(shape.iterancestors(P + "grpSp"), None) is None
    # The right margin is as wide as the author's left margin.
    right = size.width - max(0, frame.x) if "columns" not in options else size.width
    return Grid(
        width=frame.width,
        height=frame.height,
        gap=gap,
        columns=int(options.get("columns", "0")),
        downwards=options.get("direction") == "column",
        room=right - frame.x if is_on_slide else None,
        bottom=size.height - frame.y if is_on_slide else None,
    )


def _highest_id(shape: Element) -> int:
    root = list(shape.iterancestors())[-1]
    ids = (properties.get("id") or "" for properties in root.iter("{*}cNvPr"))
    return max(
        (int(text) for text in ids if text.isascii() and text.isdigit() and len(text) <= len("999999999")), default=0
    )


REPEAT: Final = Filling(_can_repeat, _mark_repeated, HasItems)
