"""Cells of a written table: their sizes once the rows' heights are known, for the pictures that fill them."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from meetdeck.present.deck.fitting.styles import POINTS_PER_EMU, read_number
from meetdeck.present.deck.opc.xml import A, Element
from meetdeck.present.deck.program.images.fills import WAITING
from meetdeck.present.deck.program.tables.colors import Rgba, TableColors, TablePlace

_LOOKS: Final = ("firstRow", "lastRow", "firstCol", "lastCol", "bandRow", "bandCol")
_TRUE: Final = frozenset({"1", "true"})


class PicturedCell(NamedTuple):
    """The size of a cell in EMU, and the color that its table puts behind it."""

    size: tuple[int, int]
    color: Rgba | None


def list_pictured(table: Element, heights: Sequence[float], colors: TableColors) -> Iterator[tuple[int, PicturedCell]]:
    """Yield the cells with waiting pictures, by the picture's number; `heights` are the rows' in points."""
    widths = [int(read_number(column.get("w"))) for column in table.findall(f"{A}tblGrid/{A}gridCol")]
    rows = table.findall(A + "tr")
    properties = table.find(A + "tblPr")
    looks = frozenset(name for name in _LOOKS if properties is not None and properties.get(name) in _TRUE)
    needed = [round(height / POINTS_PER_EMU) for height in heights]
    for number, row in enumerate(rows):
        cells = row.findall(A + "tc")
        for column, cell in enumerate(cells):
            fill = cell.find(f"{A}tcPr/{A}blipFill")
            waiting = fill.get(WAITING) if fill is not None else None
            if waiting is None:
                continue
            width = sum(widths[column : column + (int(read_number(cell.get("gridSpan"))) or 1)])
            height = sum(needed[number : number + (int(read_number(cell.get("rowSpan"))) or 1)])
            place = TablePlace(number, column, len(rows), len(cells), looks)
            yield int(read_number(waiting)), PicturedCell((width, height), colors.find(place))
