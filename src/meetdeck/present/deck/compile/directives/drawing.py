"""`{{bar:share}}`, `{{harvey:share}}`, `{{spark:numbers}}`: small drawings in shapes, pictures and cells."""

from typing import Final

from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.directives.fillings import Filling
from meetdeck.present.deck.compile.directives.image import (
    can_show_pictures,
    get_properties,
    is_empty_placeholder,
    make_picture,
)
from meetdeck.present.deck.compile.directives.paint import FILLS, mark_cell, mark_choice
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.colors import read_color
from meetdeck.present.deck.language.constructs import Directive
from meetdeck.present.deck.opc.xml import A, Element, P, find_child, local_name, parse, prefix_for, without
from meetdeck.present.deck.presentation.geometry import drawn_size, find_frame, read_cell_size
from meetdeck.present.deck.presentation.table_styles import find_fill
from meetdeck.present.deck.program.images.drawing_nodes import CellDrawing, DrawingText, DrawnFill, DrawnValues
from meetdeck.present.deck.program.images.drawings import HasDrawing, Ink
from meetdeck.present.deck.program.tables.colors import Rgba

_BLACK: Final[Rgba] = (0, 0, 0, 255)
_TRUE: Final = frozenset({"1", "true"})
# The margins of a cell that says none, in EMU: left, top, right, bottom.
_MARGINS: Final = {"marL": 91_440, "marT": 45_720, "marR": 91_440, "marB": 45_720}
_MOST_DIGITS: Final = 9


def _mark_drawing(shape: Element, directive: Directive, place: Place, context: PartContext) -> None:
    """Mark a shape or picture to be filled with the drawing, on its own color, and its text to say the value."""
    if is_empty_placeholder(shape):
        make_picture(shape)
    properties = shape.find(f"*/{P}cNvPr")
    if properties is not None:
        opening, closing = context.markers.range(lambda body: DrawingText(directive, place, body))
        properties.set("descr", opening + (properties.get("descr") or "") + closing)
    frame = find_frame(shape, context.part.name, context.package)
    size = _round(drawn_size(shape, frame)) if frame else None
    own = get_properties(shape)
    ink = Ink(_find_ink(directive, shape, context), _find_background(shape, own, context), None, _is_rtl(shape))
    if shape.tag == P + "pic":
        _fill_picture(shape, directive, place, ink, size, context)
        return
    if shape.get("useBgFill"):
        shape.set("useBgFill", "0")
    without(own.iterchildren(), *FILLS)
    mark_choice(
        own,
        lambda prefix, _: DrawnFill(directive, place, f"{prefix}blipFill", prefix, ink, size),
        context.markers,
        frozenset({"xfrm", "custGeom", "prstGeom"}),
    )


def _fill_picture(
    shape: Element,
    directive: Directive,
    place: Place,
    ink: Ink,
    size: tuple[int, int] | None,
    context: PartContext,
) -> None:
    """Replace the picture of a `p:pic`."""
    without(shape.iterchildren(), "blipFill")
    names = next(iter(shape.iterchildren()))
    prefix, own = _prefix(names, A) or "a:", _prefix(names, P)
    node = DrawnFill(directive, place, f"{own}blipFill", prefix, ink, size)
    names.tail = context.markers.node(node) + (names.tail or "")


def _round(size: tuple[float, float]) -> tuple[int, int]:
    return round(size[0]), round(size[1])


def mark_drawn_cell(
    cell: Element, paragraph: Element, directive: Directive, place: Place, context: PartContext
) -> None:
    """Mark a table's cell to be filled with the drawing, and the table's alternative text to say the value."""
    frame = next(cell.iterancestors(P + "graphicFrame"), None)
    if frame is not None:
        context.fill_cell(frame)
        if context.say_values(frame):
            _say_values(frame, context)
    own, table = find_fill(cell.find(A + "tcPr")), next(cell.iterancestors(A + "tbl"), None)
    style = find_child(table, A + "tblPr") if table is not None else None
    from_right = (style is not None and style.get("rtl") in _TRUE) or _reads_from_right(paragraph)
    background = context.theme_colors().read_fill(own) if own is not None else None
    ink = Ink(_find_ink(directive, paragraph, context), background, _read_margins(cell), from_right)
    size = context.cell_size or read_cell_size(cell)
    mark_cell(cell, lambda prefix, body: CellDrawing(directive, place, prefix, ink, size, body), context.markers)


def _say_values(frame: Element, context: PartContext) -> None:
    properties = frame.find(f"*/{P}cNvPr")
    if properties is not None:
        text = properties.get("descr") or ""
        properties.set("descr", text + context.markers.node(DrawnValues(is_alone=not text)))


def _find_ink(directive: Directive, around: Element, context: PartContext) -> Rgba:
    """Return the color that the directive names, else that of the text: of its first run, of its shape's style."""
    theme = context.theme_colors()
    named = dict(directive.options).get("color")
    if named:
        fill = parse(f'<a:solidFill xmlns:a="{A[1:-1]}">{read_color(named).write("a:")}</a:solidFill>'.encode())
        return theme.read_fill(fill) or _BLACK
    for tag in (A + "rPr", A + "endParaRPr", A + "fontRef", P + "fontRef"):
        for properties in around.iter(tag):
            fill = properties if local_name(properties) == "fontRef" else properties.find(A + "solidFill")
            color = theme.read_first(fill) if fill is not None else None
            if color:
                return color
    text = parse(f'<a:solidFill xmlns:a="{A[1:-1]}"><a:schemeClr val="tx1"/></a:solidFill>'.encode())
    return theme.read_fill(text) or _BLACK


def _find_background(shape: Element, properties: Element, context: PartContext) -> Rgba | None:
    """Return the color of a shape's own fill, on which it is drawn; None for another fill, or none."""
    own = next((child for child in properties.iterchildren() if local_name(child) in FILLS), None)
    if own is None:
        style = find_child(shape, P + "style")
        own = find_child(style, A + "fillRef") if style is not None else None
    return context.theme_colors().read_fill(own) if own is not None else None


def _is_rtl(shape: Element) -> bool:
    paragraph = next(shape.iter(A + "p"), None)
    return paragraph is not None and _reads_from_right(paragraph)


def _reads_from_right(paragraph: Element) -> bool:
    properties = paragraph.find(A + "pPr")
    return properties is not None and properties.get("rtl") in _TRUE


def _read_margins(cell: Element) -> tuple[int, int, int, int]:
    properties = cell.find(A + "tcPr")
    written = [properties.get(name) if properties is not None else None for name in _MARGINS]
    left, top, right, bottom = (
        int(text) if text and text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else margin
        for text, margin in zip(written, _MARGINS.values(), strict=True)
    )
    return left, top, right, bottom


def _prefix(element: Element, namespace: str) -> str:
    return f"{bound}:" if (bound := prefix_for(element, namespace)) else ""


DRAWING: Final = Filling(can_show_pictures, _mark_drawing, HasDrawing)
