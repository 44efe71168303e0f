"""Totals of stacked columns and bars: a series that cannot be seen, whose labels are the sums.

Of columns it is a line through their upper ends. A line has no place beside bars, so there it is a piece without
length at the end of each bar.
"""

from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from msgspec import Struct

from meetdeck.present.deck.language.numbers import write_number as write_for_readers
from meetdeck.present.deck.program.charts.columns import write_number
from meetdeck.present.deck.program.charts.data import ChartData, Series, SheetColumn
from meetdeck.present.deck.program.charts.series import SeriesTemplate
from meetdeck.present.deck.program.scope import Program, Scope

TOTAL: Final = "Total"
_POSITIONS: Final = "Total (position)"
# Programs disagree about how entries of a legend of bars are counted, so the entry stays there, and is blank.
_BLANK: Final = "\u00a0"
_ENTRY_SLOT: Final = "chart:total-entry"


class TotalsTemplate(Struct, frozen=True):
    """The series for totals of a stacked plot, and the `numbers` of the template's series in that plot.

    Of columns, the series stands between the programs `before` and `after`, which are a plot; of bars in the plot
    itself (`is_horizontal`).
    """

    numbers: Collection[int]
    is_horizontal: bool
    series: SeriesTemplate
    before: Program
    after: Program


class Total(NamedTuple):
    """A chart's data with the columns of its totals, their series, and the texts of its labels if they need any."""

    data: ChartData
    series: Series
    texts: tuple[str | None, ...] | None


def make_total(template: TotalsTemplate, data: ChartData, numbers: Sequence[int], locale: str) -> Total | None:
    """Return the totals of a chart; `numbers` are the template's series that its series follow.

    None when no series is stacked.
    """
    stacked = [one for one, number in zip(data.series, numbers, strict=True) if number in template.numbers]
    if not stacked:
        return None
    rows = list(zip(*(data.columns[one.values].cells for one in stacked), strict=True))
    sums = add_up(rows)
    columns = [*data.columns, SheetColumn(TOTAL, [_write(one) for one in sums], numeric=True)]
    first, place = stacked[0], len(data.columns)
    series = Series(TOTAL, first.labels, place, None, levels=first.levels)
    is_reached = not template.is_horizontal and not any(cell and cell[0] == "-" for row in rows for cell in row)
    if is_reached:
        return Total(data._replace(columns=tuple(columns)), series, None)
    # The label is not where its number is: above what is positive, or at the end of a bar.
    positions = [None if one is None else _find_end(row, template) for one, row in zip(sums, rows, strict=True)]
    header = _BLANK if template.is_horizontal else _POSITIONS
    columns.append(SheetColumn(header, [_write(one) for one in positions], numeric=True))
    texts = tuple(None if one is None else write_for_readers(one, None, locale) for one in sums)
    series = series._replace(values=place + 1, texts=place)
    return Total(data._replace(columns=tuple(columns)), series, texts)


def add_up(rows: Sequence[Sequence[str | None]]) -> list[Decimal | None]:
    """Return the sum of each row, None for a row without numbers."""
    known = [[Decimal(cell) for cell in row if cell is not None] for row in rows]
    return [sum(row, Decimal(0)) if row else None for row in known]


def _find_end(row: Sequence[str | None], template: TotalsTemplate) -> Decimal:
    if template.is_horizontal:
        return Decimal(0)
    return sum((Decimal(cell) for cell in row if cell and cell[0] != "-"), Decimal(0))


def _write(number: Decimal | None) -> str | None:
    return None if number is None else write_number(float(number))


class TotalsEntry(Struct, frozen=True):
    """The entry of the totals in the legend, which is not shown; nothing for a chart without totals."""

    prefix: str

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the entry."""
        if place := scope.slots.get(_ENTRY_SLOT):
            p = self.prefix
            inside = f'<{p}idx val="{place.decode()}"/><{p}delete val="1"/>'
            out.append(f"<{p}legendEntry>{inside}</{p}legendEntry>".encode())


def hide_entry(template: TotalsTemplate, total: Total | None, scope: Scope) -> None:
    """Hide the entry of the totals, the last one, in the legend of columns."""
    is_hidden = total is not None and not template.is_horizontal
    scope.slots[_ENTRY_SLOT] = b"%d" % len(total.data.series) if total and is_hidden else b""
