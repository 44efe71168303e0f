"""Charts of Office 2016 (MS-ODRAWXML 2.24): waterfalls, funnels, treemaps and sunbursts, filled with one series."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.program.charts.cells import column_letters
from meetdeck.present.deck.program.charts.data import ChartData, Series, SheetColumn
from meetdeck.present.deck.program.charts.error_bars import POINTS_SLOT
from meetdeck.present.deck.program.charts.paint import follow
from meetdeck.present.deck.program.charts.points import fill_paint_slots
from meetdeck.present.deck.program.charts.series import CONTENT_SLOT, HEAD_SLOT, ChartSheet
from meetdeck.present.deck.program.charts.source import ChartSource
from meetdeck.present.deck.program.charts.substitute import Box, draw, write
from meetdeck.present.deck.program.glyphs import report_undrawable
from meetdeck.present.deck.program.scope import IgnoredMember, Program, Scope, report_ignored, run

SUBTOTALS_SLOT: Final = "chart:subtotals"
_MOST_ROWS_SAID: Final = 30

_EMPTY: Final = ChartData(
    (SheetColumn("", (), numeric=False), SheetColumn("", (), numeric=True)), (Series("", 0, 1, None),)
)


class ExtendedChart(Struct, frozen=True):
    """A chart of Office 2016: its data and its series, which are both in `body`.

    `prefix` is that of its namespace, `sizes` the type of its numbers, `number_format` theirs (XML text). `points` are
    those of the template with a look of their own, `subtotals` its totals, `categories` its names (XML text).
    """

    source: ChartSource
    sheet: ChartSheet
    prefix: str
    sizes: str
    number_format: str
    points: tuple[int, ...]
    subtotals: tuple[int, ...]
    categories: tuple[str, ...]
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append data and series. Raises `BadData`."""
        data = read_one(self.source, scope)
        one = data.series[0]
        report_undrawable("".join(filter(None, data.texts())), self.source.place, scope)
        if self.sheet.rows:
            scope.slots[self.sheet.slot] = self.sheet.rows.write(data, [0])
        names = data.columns[one.labels].cells
        paint = one.paint
        if paint and self.source.template.is_tree:
            reason = "The parts of a treemap or sunburst have the colors of the theme, or the template's."
            report_ignored(self.source.directive, self.source.place, scope, IgnoredMember("series.0.color", reason))
            paint = None
        painted = fill_paint_slots(scope, paint, follow(self.points, self.categories, names))
        scope.slots |= {
            HEAD_SLOT: self._head(data, one).encode(),
            CONTENT_SLOT: self._content(data, one).encode(),
            POINTS_SLOT: b"%d" % data.columns[one.values].height,
            SUBTOTALS_SLOT: self._write_subtotals(find_totals(data, self.subtotals, self.categories)),
        }
        run(self.body, out, scope)
        for name in painted:
            scope.slots.pop(name, None)

    def _head(self, data: ChartData, one: Series) -> str:
        p, name = self.prefix, data.columns[one.values].header
        cell = f"{self.sheet.name}!${column_letters(one.values)}$1"
        return f"<{p}tx><{p}txData><{p}f>{cell}</{p}f><{p}v>{name}</{p}v></{p}txData></{p}tx>"

    def _content(self, data: ChartData, one: Series) -> str:
        p = self.prefix
        columns = range(one.labels, one.labels - one.levels, -1)
        levels = "".join(self._level(data.columns[number], "") for number in columns)
        names = self._cells(columns[-1], one.labels, data)
        numbers = self._level(data.columns[one.values], f' formatCode="{self.number_format}"')
        return (
            f'<{p}strDim type="cat"><{p}f>{names}</{p}f>{levels}</{p}strDim><{p}numDim type="{self.sizes}">'
            f"<{p}f>{self._cells(one.values, one.values, data)}</{p}f>{numbers}</{p}numDim>"
        )

    def _cells(self, first: int, last: int, data: ChartData) -> str:
        height = data.columns[last].height
        return f"{self.sheet.name}!${column_letters(first)}$2:${column_letters(last)}${height + 1}"

    def _level(self, column: SheetColumn, attributes: str) -> str:
        p = self.prefix
        points = "".join(f'<{p}pt idx="{i}">{cell}</{p}pt>' for i, cell in enumerate(column.cells) if cell is not None)
        return f'<{p}lvl ptCount="{column.height}"{attributes}>{points}</{p}lvl>'

    def _write_subtotals(self, places: Sequence[int]) -> bytes:
        return "".join(f'<{self.prefix}idx val="{place}"/>' for place in places).encode()


def read_one(source: ChartSource, scope: Scope) -> ChartData:
    """Return data of exactly one series, an empty one for none. Raises `BadData`."""
    data = source.read(scope)
    if len(data.series) > 1:
        raise source.refuse(scope, f"it has {len(data.series)} series; a {source.template.layout} shows one.")
    return data if data.series else _EMPTY


def find_totals(data: ChartData, own: Sequence[int], known: Sequence[str]) -> Sequence[int]:
    """Return the positions of the totals: the data's, else those of the template by their names."""
    one = data.series[0]
    if one.subtotals is not None:
        return one.subtotals
    moved = follow(own, known, data.columns[one.labels].cells)
    places = own if moved is None else [place for place in moved.values() if place is not None]
    return sorted(place for place in places if place < len(data.columns[one.values].cells))


class Substitute(Struct, frozen=True):
    """The drawing that replaces a chart in programs that do not know it, in a frame of EMU.

    `identifier` is the shape's, `name` its name as an attribute's value with quotes.
    """

    source: ChartSource
    subtotals: tuple[int, ...]
    categories: tuple[str, ...]
    box: Box
    identifier: int
    name: str

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the drawing. Raises `BadData`."""
        data = read_one(self.source, scope)
        layout = self.source.template.layout
        pieces = draw(layout, data, find_totals(data, self.subtotals, self.categories), self.box)
        one = data.series[0]
        rows = zip(*(data.columns[number].cells for number in range(one.values + 1)), strict=True)
        # The cells are XML already; an attribute needs more escapes.
        says = "; ".join(" ".join(filter(None, row)) for row, _ in zip(rows, range(_MOST_ROWS_SAID), strict=False))
        alternative = '"{}"'.format(says.replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;"))
        out.append(write(pieces, self.box, self.identifier, (self.name, alternative)).encode())
