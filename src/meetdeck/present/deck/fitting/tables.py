"""Heights of a table's rows: as declared, or as their cells require. Lengths are in points."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from meetdeck.present.deck.fitting.boxes import END_MARGIN, SIDE_MARGIN
from meetdeck.present.deck.fitting.inheritance import TextLook
from meetdeck.present.deck.fitting.layout import Measurer
from meetdeck.present.deck.fitting.styles import POINTS_PER_EMU, ParagraphStyle, read_length, read_number
from meetdeck.present.deck.opc.xml import A, Element, P
from meetdeck.present.deck.program.template import SlideSize

_PARAGRAPH: Final = A + "p"
# The tolerance for rounding, and the lines around cells.
_TOLERANCE: Final = 3.0
_TRUE: Final = frozenset({"1", "true"})
# Styles without bold headers: "No Style, No Grid" and "No Style, Table Grid".
_PLAIN_STYLES: Final = frozenset({"{2D5ABB26-0587-4C30-8999-92F81FD0307C}", "{5940675A-B579-460E-94D1-54222C63F5DA}"})
# A cell with vertical text has the row's height as its width: it never makes the row higher.
_UPRIGHT: Final = frozenset({"horz", ""})


class TableRoom(NamedTuple):
    """The room of a table: `top` is its distance from the slide's upper edge, None if unknown.

    `own` is the height of the template's rows, `limit` the slide's. `sides` and `ends` are the widest margins of a
    cell, left and right together and top and bottom together, `lines` the most paragraphs of one.
    """

    top: float | None
    own: float
    limit: float
    sides: float
    ends: float
    lines: int

    @property
    def height(self) -> float:
        """The height that rows may have, at least that of the template's own."""
        return max(self.limit - (self.top or 0), self.own)

    def excess(self, height: float) -> float:
        """Return the excess of rows over the slide's lower edge, minus that of the template's own rows."""
        if self.top is None:
            return 0.0
        excess = self.top + height - max(self.limit, self.top + self.own)
        return excess if excess > _TOLERANCE else 0.0


def read_room(frame: Element, template: Element, slide: SlideSize) -> TableRoom:
    """Return the room of a table in a frame; `template` is the template's table with the templates of its rows."""
    offset = frame.find(f"{P}xfrm/{A}off")
    is_nested = next(frame.iterancestors(P + "grpSp"), None) is not None
    cells, properties = len(list(template.iter(A + "tc"))), list(template.iter(A + "tcPr"))
    margins = {_margins(one) for one in properties}
    if len(properties) < cells:
        margins.add(_margins(None))
    lines = max(map(_count_paragraphs, template.iter(A + "txBody")), default=0 if cells else 1)
    return TableRoom(
        top=None if offset is None or is_nested else read_length(offset.get("y")),
        own=sum(read_length(row.get("h")) for row in template.iter(A + "tr")),
        limit=slide.height * POINTS_PER_EMU,
        sides=max((sides for sides, _ in margins), default=0),
        ends=max((ends for _, ends in margins), default=0),
        lines=lines,
    )


def _count_paragraphs(body: Element) -> int:
    return len(list(body.iterchildren(_PARAGRAPH)))


class _Cell(NamedTuple):
    row: int
    rows: int
    need: float


def measure_rows(table: Element, look: TextLook, measurer: Measurer) -> list[float]:
    """Return the heights of a table's rows."""
    widths = [read_length(column.get("w")) for column in table.findall(f"{A}tblGrid/{A}gridCol")]
    rows = table.findall(A + "tr")
    heights = [read_length(row.get("h")) for row in rows]
    cells = [cell for number in range(len(rows)) for cell in _cells(table, rows, number, widths, look, measurer)]
    for row, span, need in sorted(cells, key=lambda cell: cell.rows):
        last = min(row + span, len(rows)) - 1
        missing = need - sum(heights[row : last + 1])
        if missing > 0:
            heights[last] += missing
    return heights


def _cells(
    table: Element,
    rows: Sequence[Element],
    number: int,
    widths: Sequence[float],
    look: TextLook,
    measurer: Measurer,
) -> Iterator[_Cell]:
    cells = rows[number].findall(A + "tc")
    for column, cell in enumerate(cells):
        if cell.get("hMerge") in _TRUE or cell.get("vMerge") in _TRUE:
            continue
        properties, body = cell.find(A + "tcPr"), cell.find(A + "txBody")
        if body is None or (properties is not None and properties.get("vert", "horz") not in _UPRIGHT):
            continue
        span = int(read_number(cell.get("gridSpan"))) or 1
        width = sum(widths[column : column + span])
        sides, ends = _margins(properties)
        is_bold = _is_bold(table, number == 0, number == len(rows) - 1, column == 0, column + span >= len(cells))
        levels = _embolden(look.levels) if is_bold else look.levels
        text = measurer.measure(body, levels, max(width - sides, 1))
        yield _Cell(number, int(read_number(cell.get("rowSpan"))) or 1, text.height + ends)


def _margins(properties: Element | None) -> tuple[float, float]:
    """Return a cell's margins: left and right together, top and bottom together."""
    usual = (SIDE_MARGIN, SIDE_MARGIN, END_MARGIN, END_MARGIN)
    if properties is None or not properties.keys():
        return 2 * SIDE_MARGIN, 2 * END_MARGIN
    found = [properties.get(name) for name in ("marL", "marR", "marT", "marB")]
    left, right, top, bottom = (u if t is None else read_length(t) for t, u in zip(found, usual, strict=True))
    return left + right, top + bottom


def _is_bold(table: Element, *places: bool) -> bool:
    """Return whether the table's style makes a cell bold: in a marked first or last row or column."""
    properties = table.find(A + "tblPr")
    if properties is None:
        return False
    style = properties.find(A + "tableStyleId")
    if style is None or (style.text or "").upper() in _PLAIN_STYLES:
        return False
    names = ("firstRow", "lastRow", "firstCol", "lastCol")
    return any(place and properties.get(name) in _TRUE for place, name in zip(places, names, strict=True))


def _embolden(levels: tuple[ParagraphStyle, ...]) -> tuple[ParagraphStyle, ...]:
    return tuple(style._replace(run=style.run._replace(bold=True)) for style in levels)
