"""A chart's data as it is sent, read into the columns of a sheet and the series that refer to them.

Three forms say the same:

- an object: `{"categories": ["Q1", "Q2"], "series": [{"name": "Sales", "values": [1, 2]}, {"name": "Cost", …}]}`;
- a list of rows, the first with the names: `[["", "Sales", "Cost"], ["Q1", 1, 3], ["Q2", 2, 4]]`;
- a list of objects, whose first member is the category: `[{"quarter": "Q1", "Sales": 1, "Cost": 3}, …]`. Series come in
  order of first appearance; a member that an object lacks is a gap.

For a scatter or bubble chart the object is `{"series": [{"name": "A", "x": [1, 2], "y": [3, 4], "size": [5, 6]}]}`
(`values` says the same as `y`), and the first column of the lists is x; in a bubble chart y and size take turns.

A series of an object may have `labels`, a text for each of its points.

Values are numbers, null is a gap. Categories are texts, numbers, or dates (ISO 8601) where the template's axis has
dates. An empty list is an empty chart.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final, Literal, NamedTuple, cast

from meetdeck.present.deck.language.numbers import read_number
from meetdeck.present.deck.language.values import ABSENT, Unwritable, is_list, is_object, write_plain
from meetdeck.present.deck.program.charts.cells import MOST_CHARACTERS, write_string
from meetdeck.present.deck.program.scope import Ignored, find_unknown

MOST_SERIES: Final = 255
MOST_POINTS: Final = 100_000
# Each series repeats the categories in the chart's part.
_MOST_LABEL_CHARACTERS: Final = 8_000_000
# A double holds integers up to 2^53; larger numbers have fewer exact digits, as in Excel.
_EXACT: Final = 2**53
_MOST: Final = 1e60
_FORMS: Final = 'write {"categories": […], "series": [{"name": …, "values": […]}, …]}, or a list of rows or objects.'

_MEMBERS: Final = frozenset({"categories", "series"})
# Of any kind of chart: the same data may fill several.
_SERIES_MEMBERS: Final = frozenset({"name", "values", "x", "y", "size", "labels"})
_SERIES_ADVICE: Final = (
    "A series has name and values, or name, x, y and size, and perhaps labels; colors and formats are the template's."
)

ChartKind = Literal["category", "scatter", "bubble"]


class ChartTemplate(NamedTuple):
    """The kind of the template's chart; `dated` when its categories or x are dates, counted from 1904 or 1900."""

    kind: ChartKind = "category"
    dated: bool = False
    since_1904: bool = False


class Column(NamedTuple):
    """A column of the sheet: `header` in its first row, then `cells`, all as XML text; None is an empty cell."""

    header: str
    cells: Sequence[str | None]
    numeric: bool
    dated: bool = False

    @property
    def height(self) -> int:
        """The number of rows below its header, at least one: a range has a cell."""
        return len(self.cells) or 1


class Series(NamedTuple):
    """One series; `labels` (categories or x), `values`, `sizes` and the points' `texts` are its columns, from 0."""

    name: str
    labels: int
    values: int
    sizes: int | None
    texts: int | None = None


class ChartData(NamedTuple):
    """The contents of a chart: the columns of its sheet and its series."""

    columns: tuple[Column, ...]
    series: tuple[Series, ...]

    def texts(self) -> Iterator[str | None]:
        """Yield the headers of the columns, and the cells of text columns."""
        for column in self.columns:
            yield column.header
            if not column.numeric:
                yield from column.cells


class UnplottableError(ValueError):
    """The data fits no chart; `path` leads from the chart's data to the fault, the message says what to write."""

    def __init__(self, path: str, reason: str) -> None:
        self.path = path
        super().__init__(reason)


class _Raw(NamedTuple):
    """A column as it was sent; cell number i has the path `before`, i + `first`, `after`."""

    name: object
    values: Sequence[object]
    name_path: str
    before: str
    first: int = 0
    after: str = ""

    def path(self, number: int) -> str:
        """Return the path to a cell."""
        return f"{self.before}{self.first + number}{self.after}"


class _RawSeries(NamedTuple):
    labels: _Raw
    values: _Raw
    sizes: _Raw | None = None
    texts: _Raw | None = None


def read_chart_data(value: object, template: ChartTemplate) -> ChartData:
    """Return a chart's data, read from any of the three forms. Raises `UnplottableError`."""
    if value is ABSENT or value is None:
        raise UnplottableError("", f"it is missing; {_FORMS}")
    if isinstance(value, Mapping):
        return _assemble(_from_object(cast("Mapping[object, object]", value), template), template)
    if not is_list(value):
        raise UnplottableError("", f"it is no data for a chart; {_FORMS}")
    if not value:
        return ChartData((), ())
    if len(value) > MOST_POINTS + 1:
        raise _too_many("rows", MOST_POINTS)
    columns = _from_objects(value) if isinstance(value[0], Mapping) else _from_rows(value)
    return _assemble(_take_turns(columns, template), template)


def find_ignored(value: object) -> Iterator[Ignored]:
    """Yield the members of a chart's data that no chart reads; those of several series once."""
    if not is_object(value) or not is_list(series := value.get("series")):
        return
    yield from find_unknown(value, _MEMBERS, "A chart has categories and series.")
    if not series and value.get("categories"):
        yield Ignored(
            "categories", "There are no series, so the chart is empty: write name and values of each as series."
        )
    seen = set(_SERIES_MEMBERS)
    for number, one in enumerate(series):
        if is_object(one) and not seen.issuperset(one):
            yield from find_unknown(one, seen, _SERIES_ADVICE, f"series.{number}.")
            seen.update(one)


def _too_many(what: str, most: int, path: str = "") -> UnplottableError:
    return UnplottableError(path, f"it has more {what} than a chart can show; send at most {most:,}.")


# ---------------------------------------------------------------- the three forms


def _from_object(value: Mapping[object, object], template: ChartTemplate) -> list[_RawSeries]:
    series = value.get("series")
    if not is_list(series):
        raise UnplottableError("series" if "series" in value else "", f"there is no list of series; {_FORMS}")
    if len(series) > MOST_SERIES:
        raise _too_many("series", MOST_SERIES, "series")
    if template.kind != "category":
        return [_read_points(one, f"series.{i}", template) for i, one in enumerate(series)]
    labels = _Raw("", _list_at(value, "categories", ""), "", "categories.")
    found: list[_RawSeries] = []
    for number, one in enumerate(series):
        values = _column_of(one, "values", f"series.{number}")
        _agree(values, len(labels.values), "categories")
        found.append(_RawSeries(labels, values, texts=_texts_of(one, values, f"series.{number}")))
    return found


def _read_points(series: object, path: str, template: ChartTemplate) -> _RawSeries:
    y = _column_of(series, "values", path)
    x = _column_of(series, "x", path)._replace(name="")
    _agree(y, len(x.values), "x")
    texts = _texts_of(series, y, path)
    if template.kind != "bubble":
        return _RawSeries(x, y, texts=texts)
    sizes = _column_of(series, "size", path)._replace(name="")
    _agree(sizes, len(x.values), "x")
    return _RawSeries(x, y, sizes, texts)


def _texts_of(series: object, values: _Raw, path: str) -> _Raw | None:
    """Return the labels of a series' points, None without labels."""
    members = cast("Mapping[object, object]", series)
    if members.get("labels") is None:
        return None
    texts = _column_of(series, "labels", path)._replace(name="")
    if len(texts.values) != len(values.values):
        reason = f"there are {len(texts.values):,} labels for {len(values.values):,} values; null is for none."
        raise UnplottableError(f"{path}.labels", reason)
    return texts


def _column_of(series: object, member: str, path: str) -> _Raw:
    if not isinstance(series, Mapping):
        raise UnplottableError(path, f"it is no series; write an object with name and {member}.")
    members = cast("Mapping[object, object]", series)
    if member == "values" and member not in members and "y" in members:
        member = "y"
    values = _list_at(members, member, path)
    return _Raw(members.get("name"), values, f"{path}.name", f"{path}.{member}.")


def _list_at(members: Mapping[object, object], member: str, path: str) -> Sequence[object]:
    values = members.get(member, ABSENT)
    if values is ABSENT:
        raise UnplottableError(path, f"it has no {member}; write a list of them as its member {member!r}.")
    if not is_list(values):
        raise UnplottableError(f"{path}.{member}" if path else member, "it is no list; write one between brackets.")
    return values


def _agree(column: _Raw, count: int, what: str) -> None:
    if len(column.values) != count:
        reason = (
            f"the series {_show(column.name)} has {len(column.values):,} values for {count:,} {what}; write one for "
            "each, and null for a gap."
        )
        raise UnplottableError(column.before[:-1], reason)


def _show(name: object) -> str:
    return repr(name[:60]) if isinstance(name, str) and name else "without a name"


def _from_rows(rows: Sequence[object]) -> list[_Raw]:
    header = rows[0]
    if not is_list(header):
        raise UnplottableError("0", f"it is no row; {_FORMS}")
    _bound_table(len(header), len(rows) - 1)
    table: list[Sequence[object]] = []
    for number, row in enumerate(rows[1:], start=1):
        if not is_list(row):
            raise UnplottableError(str(number), "it is no row; write a list like the first one.")
        if len(row) != len(header):
            reason = f"it has {len(row):,} cells and the first row {len(header):,}; write as many, null for a gap."
            raise UnplottableError(str(number), reason)
        table.append(row)
    return [_Raw(name, [row[c] for row in table], f"0.{c}", "", 1, f".{c}") for c, name in enumerate(header)]


def _from_objects(rows: Sequence[object]) -> list[_Raw]:
    names: dict[object, None] = {}
    objects: list[Mapping[object, object]] = []
    for number, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise UnplottableError(str(number), "it is no object like the first one; write one with the same members.")
        members = cast("Mapping[object, object]", row)
        names.update(dict.fromkeys(members))
        objects.append(members)
        _bound_table(len(names), len(rows))
        label = next(iter(names), "")
        if label not in members:
            raise UnplottableError(
                str(number), f"it has no member {str(label)[:60]!r}, which holds the category in the first."
            )
    return [_Raw(name, [row.get(name) for row in objects], "0", "", 0, f".{name}") for name in names]


def _bound_table(columns: int, rows: int) -> None:
    # A bubble chart has two columns for each series.
    if columns > 2 * MOST_SERIES + 1:
        raise _too_many("series", MOST_SERIES)
    if columns * rows > 2 * MOST_POINTS:
        raise _too_many("points", MOST_POINTS)


def _take_turns(columns: list[_Raw], template: ChartTemplate) -> list[_RawSeries]:
    if not columns:
        return []
    labels, *others = columns
    if template.kind != "bubble":
        return [_RawSeries(labels, values) for values in others]
    if len(others) % 2:
        raise UnplottableError("", "a bubble chart takes x, then two columns for each series: y and size.")
    return [_RawSeries(labels, y, size) for y, size in zip(others[::2], others[1::2], strict=True)]


# ---------------------------------------------------------------- columns of a sheet


def _assemble(series: list[_RawSeries], template: ChartTemplate) -> ChartData:
    if len(series) > MOST_SERIES:
        raise _too_many("series", MOST_SERIES)
    if sum(len(one.values.values) for one in series) > MOST_POINTS:
        raise _too_many("points", MOST_POINTS)
    columns: list[Column] = []
    found: list[Series] = []
    raw, at = None, 0
    for one in series:
        if one.labels is not raw:
            raw = one.labels
            labels = _read_labels(raw, template)
            # Series with the same x share a column.
            if not columns or labels.cells != columns[at].cells:
                at = len(columns)
                columns.append(labels)
        name, values = _read_values(one.values)
        columns.append(values)
        sizes = None
        if one.sizes is not None:
            sizes = len(columns)
            columns.append(_read_values(one.sizes)[1])
        found.append(Series(name, at, len(columns) - (1 if sizes is None else 2), sizes))
    for number, one in enumerate(series):
        if one.texts is not None:
            found[number] = found[number]._replace(texts=len(columns))
            columns.append(Column("", _read_texts(one.texts), numeric=False))
    if columns and sum(map(len, filter(None, columns[0].cells))) * len(found) > _MOST_LABEL_CHARACTERS:
        raise UnplottableError("", "its categories are too long for so many series; write shorter ones.")
    return ChartData(tuple(columns), tuple(found))


def _read_values(column: _Raw) -> tuple[str, Column]:
    """Return the column's plain name and the column."""
    name = "" if column.name is None else _read_text(column.name, column.name_path)
    return name, Column(write_string(name), _read_numbers(column), numeric=True)


def _read_text(value: object, path: str) -> str:
    try:
        text = value if isinstance(value, str) else write_plain(value)
    except Unwritable as problem:
        raise UnplottableError(path, str(problem)) from problem
    if len(text) > MOST_CHARACTERS:
        reason = f"it has {len(text):,} characters; a cell of a chart's workbook holds {MOST_CHARACTERS:,}."
        raise UnplottableError(path, reason)
    return text


def _read_numbers(column: _Raw) -> list[str | None]:
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
    # Adding nought makes minus nought nought.
    return repr(number + 0.0).removesuffix(".0")


def _read_labels(column: _Raw, template: ChartTemplate) -> Column:
    header = "" if column.name is None else write_string(_read_text(column.name, column.name_path))
    if template.dated and (serials := _find_serials(column, template)):
        return Column(header, serials, numeric=True, dated=True)
    if template.kind != "category":
        _refuse_gaps(column)
        return Column(header, _read_numbers(column), numeric=True)
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in column.values):
        return Column(header, _read_numbers(column), numeric=bool(column.values))
    return Column(header, _read_texts(column), numeric=False)


def _read_texts(column: _Raw) -> list[str | None]:
    texts: list[str | None] = []
    for number, value in enumerate(column.values):
        if type(value) is not str or len(value) > MOST_CHARACTERS:
            value = "" if value is None else _read_text(value, column.path(number))  # noqa: PLW2901 - its text
        texts.append(write_string(value) or None)
    return texts


def _refuse_gaps(column: _Raw) -> None:
    for number, value in enumerate(column.values):
        if value is None:
            raise UnplottableError(column.path(number), "it is null; a point has an x, write a number.")


def _find_serials(column: _Raw, template: ChartTemplate) -> list[str | None] | None:
    """Return the dates as Excel counts them; None when there is no date among the values."""
    moments = [_find_moment(value) for value in column.values]
    if not any(moments):
        return None
    cells: list[str | None] = []
    for number, (moment, value) in enumerate(zip(moments, column.values, strict=True)):
        if moment is None and value is not None:
            reason = "it is no date like the others; write it like 2026-01-31."
            raise UnplottableError(column.path(number), reason)
        cells.append(None if moment is None else _serial(moment, column.path(number), template))
    return cells


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
