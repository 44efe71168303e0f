"""The columns of a chart's sheet, made from the columns that the caller sent."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from meetdeck.present.deck.language.numbers import read_number
from meetdeck.present.deck.language.values import Unwritable, write_plain
from meetdeck.present.deck.program.charts.cells import MOST_CHARACTERS, write_string
from meetdeck.present.deck.program.charts.data import (
    MOST_POINTS,
    MOST_SERIES,
    ChartData,
    ChartTemplate,
    Series,
    SheetColumn,
    UnplottableError,
    too_many,
)
from meetdeck.present.deck.program.charts.paint import RawPaint, mix
from meetdeck.present.deck.program.charts.subtotals import RawSubtotals, read_subtotals

# Each series repeats the categories in the chart's part.
_MOST_LABEL_CHARACTERS: Final = 8_000_000
# A double holds integers up to 2^53; larger numbers have fewer exact digits, as in Excel.
_EXACT: Final = 2**53
_MOST: Final = 1e60


class RawColumn(NamedTuple):
    """A column as sent; cell number i has the path `before`, i + `first`, `after`."""

    name: object
    values: Sequence[object]
    name_path: str
    before: str
    first: int = 0
    after: str = ""

    def path(self, number: int) -> str:
        """Return the path to a cell."""
        return f"{self.before}{self.first + number}{self.after}"


class RawSeries(NamedTuple):
    """A series as sent: its columns of labels, values, sizes and the points' texts, and its colors.

    `outer` are the names of the outer levels of categories, None where they continue.
    """

    labels: RawColumn
    values: RawColumn
    sizes: RawColumn | None = None
    texts: RawColumn | None = None
    paint: RawPaint | None = None
    outer: Sequence[Sequence[object]] = ()
    subtotals: RawSubtotals | None = None


def assemble(series: list[RawSeries], template: ChartTemplate) -> ChartData:
    """Return a chart's data made from its series as sent. Raises `UnplottableError`."""
    if len(series) > MOST_SERIES:
        raise too_many("series", MOST_SERIES)
    if sum(len(one.values.values) for one in series) > MOST_POINTS:
        raise too_many("points", MOST_POINTS)
    columns: list[SheetColumn] = []
    found: list[Series] = []
    raw, at = None, 0
    for one in series:
        if one.labels is not raw:
            raw = one.labels
            columns += [SheetColumn("", _write_texts(names), numeric=False) for names in one.outer]
            labels = _read_labels(raw, template, texts=bool(one.outer))
            # Series with the same x share a column.
            if raw is series[0].labels or labels.cells != columns[at].cells:
                at = len(columns)
                columns.append(labels)
        found.append(_add_series(one, at, columns, template))
    for number, one in enumerate(series):
        if one.texts is not None:
            found[number] = found[number]._replace(texts=len(columns))
            columns.append(SheetColumn("", _read_texts(one.texts), numeric=False))
    if (
        columns
        and sum(len(cell) for c in columns[: at + 1] for cell in c.cells if cell) * len(found) > _MOST_LABEL_CHARACTERS
    ):
        raise UnplottableError("", "its categories are too long for so many series; write shorter ones.")
    return ChartData(tuple(columns), tuple(found))


def _add_series(one: RawSeries, labels: int, columns: list[SheetColumn], template: ChartTemplate) -> Series:
    """Append the columns of a series' values and sizes, and return it."""
    name, values = _read_values(one.values)
    columns.append(values)
    if one.sizes is not None:
        columns.append(_read_values(one.sizes)[1])
    paint = None
    if one.paint is not None:
        # Without categories, points are named by texts.
        names = one.labels if template.kind == "category" else one.texts
        paint = mix(one.paint, values.cells, names.values if names else ())
    subtotals = None
    if one.subtotals is not None and template.layout == "waterfall":
        subtotals = read_subtotals(one.subtotals, one.labels.values)
    last = len(columns) - 1
    of_series = Series(name, labels, *((last, None) if one.sizes is None else (last - 1, last)), paint=paint)
    return of_series._replace(levels=1 + len(one.outer), subtotals=subtotals)


def _read_values(column: RawColumn) -> tuple[str, SheetColumn]:
    """Return the column's plain name and the column."""
    name = "" if column.name is None else read_text(column.name, column.name_path)
    return name, SheetColumn(write_string(name), _read_numbers(column), numeric=True)


def read_text(value: object, path: str) -> str:
    """Return a name or label as text that a cell can hold. Raises `UnplottableError`."""
    try:
        text = value if isinstance(value, str) else write_plain(value)
    except Unwritable as problem:
        raise UnplottableError(path, str(problem)) from problem
    if len(text) > MOST_CHARACTERS:
        reason = f"it has {len(text):,} characters; a cell of a chart's workbook holds {MOST_CHARACTERS:,}."
        raise UnplottableError(path, reason)
    return text


def _read_numbers(column: RawColumn) -> list[str | None]:
    cells: list[str | None] = []
    try:
        for value in column.values:
            cells.append(None if value is None else write_number(value))  # noqa: PERF401 - its length tells where it failed
    except Unwritable as problem:
        reason = "it is not a number; write digits with a decimal point, like 1234.5, and null for a gap."
        raise UnplottableError(column.path(len(cells)), reason) from problem
    return cells


def write_number(value: object) -> str:
    """Return a number as XML Schema's double. Raises `Unwritable` for any other value."""
    if type(value) is int and -_EXACT < value < _EXACT:
        return str(value)
    number = value if type(value) is float and -_MOST < value < _MOST else float(read_number(value))
    # Adding zero turns minus zero into zero.
    return repr(number + 0.0).removesuffix(".0")


def _read_labels(column: RawColumn, template: ChartTemplate, *, texts: bool) -> SheetColumn:
    header = "" if column.name is None else write_string(read_text(column.name, column.name_path))
    if texts:
        return SheetColumn(header, _read_texts(column), numeric=False)
    if template.dated and (serials := _find_serials(column, template)):
        return SheetColumn(header, serials, numeric=True, dated=True)
    if template.kind != "category":
        _refuse_gaps(column)
        return SheetColumn(header, _read_numbers(column), numeric=True)
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in column.values):
        return SheetColumn(header, _read_numbers(column), numeric=bool(column.values))
    return SheetColumn(header, _read_texts(column), numeric=False)


def _read_texts(column: RawColumn) -> list[str | None]:
    texts: list[str | None] = []
    for number, value in enumerate(column.values):
        if type(value) is not str or len(value) > MOST_CHARACTERS:
            value = "" if value is None else read_text(value, column.path(number))  # noqa: PLW2901 - its text
        texts.append(write_string(value) or None)
    return texts


def _write_texts(names: Sequence[object]) -> list[str | None]:
    return [write_string(name) or None if isinstance(name, str) else None for name in names]


def _refuse_gaps(column: RawColumn) -> None:
    for number, value in enumerate(column.values):
        if value is None:
            raise UnplottableError(column.path(number), "it is null; a point has an x, write a number.")


def _find_serials(column: RawColumn, template: ChartTemplate) -> list[str | None] | None:
    """Return the dates as Excel counts them; None without any date among the values."""
    moments = [_find_moment(value) for value in column.values]
    if not any(moments):
        return None
    cells: list[str | None] = []
    for number, (moment, value) in enumerate(zip(moments, column.values, strict=True)):
        if moment is None and value is not None:
            reason = "it is not a date like the others; write it like 2026-01-31."
            raise UnplottableError(column.path(number), reason)
        cells.append(None if moment is None else _serial(moment, column.path(number), template))
    return cells


def find_serial(value: object, path: str, template: ChartTemplate) -> str | None:
    """Return a date as Excel counts it, None for any other value. Raises `UnplottableError` for one too early."""
    moment = _find_moment(value)
    return None if moment is None else _serial(moment, path, template)


def _find_moment(value: object) -> datetime | None:
    """Return a date or time as written, without its offset; None for any other value."""
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        return None
    if isinstance(moment, datetime):
        return moment.replace(tzinfo=None)
    return datetime(moment.year, moment.month, moment.day) if isinstance(moment, date) else None  # noqa: DTZ001 - as written


def _serial(moment: datetime, path: str, template: ChartTemplate) -> str:
    """Return days since 1900 or 1904 (ECMA-376, 18.17.4.1); 1900 has a 29 February in Excel."""
    epoch = datetime(1904, 1, 1) if template.since_1904 else datetime(1899, 12, 30)  # noqa: DTZ001 - see above
    days = (moment - epoch) / timedelta(days=1)
    if not template.since_1904 and moment < datetime(1900, 3, 1):  # noqa: DTZ001
        days -= 1
    if days < (0 if template.since_1904 else 1):
        raise UnplottableError(
            path, f"it is before {epoch.year + 1 if days else 1900}, where a workbook's dates begin."
        )
    return write_number(days)
