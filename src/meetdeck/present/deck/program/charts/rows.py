"""The rows of a worksheet that holds a chart's data: names in the first, categories in column A."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from msgspec import Struct

from meetdeck.present.deck.program.charts.cells import column_letters
from meetdeck.present.deck.program.charts.data import ChartData, SheetColumn


class SeriesStyles(NamedTuple):
    """The style attributes of a series' cells, like ` s="2"`: of its name, values and sizes."""

    name: str = ""
    values: str = ""
    sizes: str = ""


class SheetRows(Struct, frozen=True):
    """The styles of the rows: `corner`, `labels` and `series` are those of the template's cells.

    `prefix` is that of the sheet's namespace, with its colon.
    """

    prefix: str
    corner: str
    labels: str
    series: tuple[SeriesStyles, ...]

    def write(self, data: ChartData, numbers: Sequence[int]) -> bytes:
        """Return the rows; `numbers` are the numbers of the template's series that the series follow."""
        p, styles = self.prefix, self._column_styles(data, numbers)
        cells = (self._cells(number, column, *styles[number]) for number, column in enumerate(data.columns))
        rows = enumerate(zip_longest(*cells, fillvalue=""), start=1)
        return "".join([f'<{p}row r="{number}">{"".join(row)}</{p}row>' for number, row in rows]).encode()

    def _column_styles(self, data: ChartData, numbers: Sequence[int]) -> list[tuple[str, str]]:
        """Return the styles of header and cells for each column."""
        styles = [(self.corner, self.labels)] * len(data.columns)
        last = len(self.series) - 1
        for one, number in zip(data.series, numbers, strict=True):
            own = self.series[min(number, last)]
            styles[one.values] = (own.name, own.values)
            if one.sizes is not None:
                styles[one.sizes] = (own.name, own.sizes)
        return styles

    def _cells(self, number: int, column: SheetColumn, header_style: str, style: str) -> list[str]:
        letters = column_letters(number)
        cells = [self._text(f"{letters}1", header_style, column.header)]
        if column.numeric:
            p = self.prefix
            cells += [
                "" if cell is None else f'<{p}c r="{letters}{row}"{style}><{p}v>{cell}</{p}v></{p}c>'
                for row, cell in enumerate(column.cells, start=2)
            ]
        else:
            cells += [self._text(f"{letters}{row}", style, cell) for row, cell in enumerate(column.cells, start=2)]
        return cells

    def _text(self, at: str, style: str, text: str | None) -> str:
        if not text:
            return ""
        p = self.prefix
        space = ' xml:space="preserve"' if text[0].isspace() or text[-1].isspace() or "\n" in text else ""
        return f'<{p}c r="{at}"{style} t="inlineStr"><{p}is><{p}t{space}>{text}</{p}t></{p}is></{p}c>'
