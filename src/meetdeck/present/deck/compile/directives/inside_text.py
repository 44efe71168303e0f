"""Directives inside text: `{{fill:status}}`, `{{image:photo}}` and `{{bar:share}}` in a cell, pictures in bullets."""

from typing import Final

from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.directives.drawing import mark_drawn_cell
from meetdeck.present.deck.compile.directives.paint import add_property, mark_cell, mark_choice
from meetdeck.present.deck.compile.text.bullets import has_bullet
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import Directive, TagFinding
from meetdeck.present.deck.language.directives import DRAWINGS
from meetdeck.present.deck.opc.xml import A, Element, P
from meetdeck.present.deck.presentation.geometry import read_cell_size
from meetdeck.present.deck.presentation.table_styles import find_fill
from meetdeck.present.deck.program.images.fills import CellFill, CellPicture, PictureBullet
from meetdeck.present.deck.program.paint import Paint
from meetdeck.present.deck.program.scope import Node, Program

_BULLETS: Final = ("buNone", "buAutoNum", "buChar", "buBlip")
# The elements before a bullet in a paragraph's properties (ECMA-376 part 1, CT_TextParagraphProperties).
_BEFORE_BULLET: Final = frozenset(
    ("lnSpc", "spcBef", "spcAft", "buClrTx", "buClr", "buSzTx", "buSzPct", "buSzPts", "buFontTx", "buFont")
)


def take_inside(directive: Directive, paragraph: Element, place: Place, context: PartContext) -> bool:
    """Mark the cell or paragraph around a directive, and return whether it is allowed there; report a second one."""
    if not directive.type.in_text:
        return False
    cell = next(paragraph.iterancestors(A + "tc"), None)
    if cell is None and not (directive.kind == "image" and has_bullet(paragraph, context)):
        return False
    unit = paragraph if cell is None else cell
    if not context.take(unit):
        message = (
            f"{directive.source} is in a {'paragraph' if cell is None else 'cell'} that another directive already "
            "uses: only one of its kind for each."
        )
        context.report(place, TagFinding("Warning", "missing-target", message, directive.source))
    elif cell is None:
        _mark_bullet(paragraph, directive, place, context)
    else:
        _mark_cell(cell, paragraph, directive, place, context)
    return True


def _mark_cell(cell: Element, paragraph: Element, directive: Directive, place: Place, context: PartContext) -> None:
    if directive.kind in DRAWINGS:
        mark_drawn_cell(cell, paragraph, directive, place, context)
        return
    size = context.cell_size or read_cell_size(cell)
    fit = dict(directive.options).get("fit", directive.type.fit)

    own = _read_fill(cell, context) if directive.type.fills else None
    frame = next(cell.iterancestors(P + "graphicFrame"), None)
    if directive.type.fills and frame is not None:
        context.fill_cell(frame)

    def make(prefix: str, body: Program) -> Node:
        if directive.type.fills:
            return CellPicture(directive, place, prefix, fit, size, own, body)
        return Paint(directive, place, prefix, body)

    mark_cell(cell, make, context.markers)


def _read_fill(cell: Element, context: PartContext) -> CellFill | None:
    """Return the fill of a cell, None when its table's style decides."""
    fill = find_fill(cell.find(A + "tcPr"))
    return None if fill is None else CellFill(context.theme_colors().read_fill(fill))


def _mark_bullet(paragraph: Element, directive: Directive, place: Place, context: PartContext) -> None:
    properties = paragraph.find(A + "pPr")
    if properties is None:
        properties = add_property(paragraph, "pPr", frozenset())
    mark_choice(
        properties,
        lambda prefix, body: PictureBullet(directive, place, prefix, body),
        context.markers,
        _BEFORE_BULLET,
        _BULLETS,
    )
