"""Series of a filled chart: the data of each, in the look of one of the template's series."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from meetdeck.present.deck.program.charts.adjustable import as_in_template
from meetdeck.present.deck.program.charts.cells import DATE_FORMAT, column_letters, is_date_format
from meetdeck.present.deck.program.charts.data import ChartData, Series
from meetdeck.present.deck.program.charts.error_bars import POINTS_SLOT
from meetdeck.present.deck.program.charts.labels import fill_label_slots
from meetdeck.present.deck.program.charts.paint import follow
from meetdeck.present.deck.program.charts.points import fill_paint_slots, list_points
from meetdeck.present.deck.program.charts.rows import SheetRows
from meetdeck.present.deck.program.scope import Program, Scope, run

# The slots of a series' template; set again for each series.
HEAD_SLOT: Final = "chart:head"
CONTENT_SLOT: Final = "chart:content"


class SeriesForm(Struct, frozen=True):
    """A series of the template: `number` counts all of the chart's, `index` is its c:idx; an additional one has none.

    `is_xy`: the series has x and y (and sizes) instead of categories and values; the formats (XML text) are those of
    these. `categories` are the names of its points (XML text).
    """

    number: int
    index: int | None
    is_xy: bool
    label_format: str
    value_format: str
    size_format: str
    categories: tuple[str, ...]


class SeriesTemplate(Struct, frozen=True):
    """A series of the template without its data: `body` in its own look.

    `painted` is for colors of the data, and for moving `points`, the points with a look of their own.
    """

    form: SeriesForm
    body: Program
    painted: Program
    points: tuple[int, ...]

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the series with the contents of its slots."""
        run(self.body, out, scope)


def make_series(form: SeriesForm, body: Program) -> SeriesTemplate:
    """Return a series from its program."""
    return SeriesTemplate(form, as_in_template(body), body, list_points(body))


class ChartSheet(NamedTuple):
    """The sheet with a chart's data: `name` as formulas spell it (XML text).

    Its rows are written together with the chart, so that the data is read once, into `slot`; the workbook is rendered
    after its chart. `rows` is None for a chart without a workbook.
    """

    name: str
    slot: str
    rows: SheetRows | None


class SeriesWriter:
    """Writes the series of one chart; a column that several series share is written once."""

    def __init__(self, sheet: ChartSheet, prefix: str, next_index: int, data: ChartData) -> None:
        self._sheet = sheet
        self._prefix = prefix
        self._data = data
        self._next_index = next_index
        self._references: dict[tuple[int, str], str] = {}

    def write(self, template: SeriesTemplate, order: int, out: list[bytes], scope: Scope) -> None:
        """Append the series number `order` of the data."""
        one = self._data.series[order]
        texts = self._data.columns[one.texts].cells if one.texts is not None else None
        self.write_series(template, one, order, texts, out, scope)

    def write_series(
        self,
        template: SeriesTemplate,
        one: Series,
        order: int,
        texts: Sequence[str | None] | None,
        out: list[bytes],
        scope: Scope,
    ) -> None:
        """Append a series as number `order`, with the texts of its labels."""
        slots = scope.slots
        labels = self._data.columns[one.labels]
        slots[HEAD_SLOT] = self._head(template, one, order).encode()
        slots[CONTENT_SLOT] = self._content(template, one).encode()
        fill_label_slots(scope, texts, self._cells(one.texts) if one.texts is not None else "")
        slots[POINTS_SLOT] = b"%d" % self._data.columns[one.values].height
        moved = follow(template.points, template.form.categories, labels.cells) if template.points else None
        if one.paint is None and moved is None:
            run(template.body, out, scope)
            return
        painted = fill_paint_slots(scope, one.paint, moved)
        run(template.painted, out, scope)
        for name in painted:
            slots.pop(name, None)

    def _head(self, template: SeriesTemplate, one: Series, order: int) -> str:
        """Write c:idx, c:order and c:tx."""
        p, index = self._prefix, template.form.index
        if index is None:
            index, self._next_index = self._next_index, self._next_index + 1
        header = self._data.columns[one.values].header
        point = f'<{p}pt idx="0"><{p}v>{header}</{p}v></{p}pt>' if header else ""
        formula = f"{self._sheet.name}!${column_letters(one.values)}$1"
        return (
            f'<{p}idx val="{index}"/><{p}order val="{order}"/><{p}tx><{p}strRef><{p}f>{formula}</{p}f><{p}strCache>'
            f'<{p}ptCount val="1"/>{point}</{p}strCache></{p}strRef></{p}tx>'
        )

    def _content(self, template: SeriesTemplate, one: Series) -> str:
        """Write c:cat and c:val, or c:xVal, c:yVal and c:bubbleSize."""
        p = self._prefix
        labels, values = ("xVal", "yVal") if template.form.is_xy else ("cat", "val")
        label_format = template.form.label_format
        if self._data.columns[one.labels].dated and not is_date_format(label_format):
            label_format = DATE_FORMAT
        written = self._levels(one) if one.levels > 1 else self._reference(one.labels, label_format)
        content = (
            f"<{p}{labels}>{written}</{p}{labels}>"
            f"<{p}{values}>{self._reference(one.values, template.form.value_format)}</{p}{values}>"
        )
        if one.sizes is not None:
            content += f"<{p}bubbleSize>{self._reference(one.sizes, template.form.size_format)}</{p}bubbleSize>"
        return content

    def _reference(self, number: int, number_format: str) -> str:
        key = number, number_format
        written = self._references.get(key)
        if written is None:
            written = self._references[key] = self._write_reference(number, number_format)
        return written

    def _levels(self, one: Series) -> str:
        """Write categories of several levels, the innermost first."""
        p, columns = self._prefix, range(one.labels, one.labels - one.levels, -1)
        levels = "".join(f"<{p}lvl>{self._points(number)}</{p}lvl>" for number in columns)
        height, first = self._data.columns[one.labels].height, column_letters(columns[-1])
        formula = f"{self._sheet.name}!${first}$2:${column_letters(one.labels)}${height + 1}"
        return (
            f'<{p}multiLvlStrRef><{p}f>{formula}</{p}f><{p}multiLvlStrCache><{p}ptCount val="{height}"/>{levels}'
            f"</{p}multiLvlStrCache></{p}multiLvlStrRef>"
        )

    def _cells(self, number: int) -> str:
        """Return the cells of a column as a formula (XML text)."""
        letters, height = column_letters(number), self._data.columns[number].height
        first = f"{self._sheet.name}!${letters}$2"
        return f"{first}:${letters}${height + 1}" if height > 1 else first

    def _points(self, number: int) -> str:
        p, cells = self._prefix, self._data.columns[number].cells
        return "".join(
            [f'<{p}pt idx="{i}"><{p}v>{cell}</{p}v></{p}pt>' for i, cell in enumerate(cells) if cell is not None]
        )

    def _write_reference(self, number: int, number_format: str) -> str:
        p, column, formula = self._prefix, self._data.columns[number], self._cells(number)
        cache = f'<{p}ptCount val="{column.height}"/>{self._points(number)}'
        if column.numeric:
            cache = f"<{p}numCache><{p}formatCode>{number_format}</{p}formatCode>{cache}</{p}numCache>"
            return f"<{p}numRef><{p}f>{formula}</{p}f>{cache}</{p}numRef>"
        return f"<{p}strRef><{p}f>{formula}</{p}f><{p}strCache>{cache}</{p}strCache></{p}strRef>"
