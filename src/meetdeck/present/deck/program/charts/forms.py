"""The three forms in which a caller sends a chart's data.

All of them say the same:

- an object: `{"categories": ["Q1", "Q2"], "series": [{"name": "Sales", "values": [1, 2]}, {"name": "Cost", …}]}`;
- a list of rows, the first with the names: `[["", "Sales", "Cost"], ["Q1", 1, 3], ["Q2", 2, 4]]`;
- a list of objects, whose first member is the category: `[{"quarter": "Q1", "Sales": 1, "Cost": 3}, …]`. Series come in
  order of first appearance; a member that an object lacks is a gap.

For a scatter or bubble chart the object is `{"series": [{"name": "A", "x": [1, 2], "y": [3, 4], "size": [5, 6]}]}`
(`values` says the same as `y`), and the first column of the lists is x; in a bubble chart y and size take turns.

A series of an object may have `labels`, a text for each of its points, and colors: `color` is its own, `colors` are
those of its points, by place or by name, `negative` is that of values below nought.

Values are numbers, null is a gap. Categories are texts, numbers, or dates (ISO 8601) where the template's axis has
dates; of several levels: see `levels`. An empty list is an empty chart.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from meetdeck.present.deck.language.values import ABSENT, is_list, is_object
from meetdeck.present.deck.program.charts.axes import read_axes
from meetdeck.present.deck.program.charts.columns import RawColumn, RawSeries, assemble
from meetdeck.present.deck.program.charts.data import (
    MOST_POINTS,
    MOST_SERIES,
    ChartData,
    ChartTemplate,
    UnplottableError,
    too_many,
)
from meetdeck.present.deck.program.charts.differences import MEMBERS as DIFFERENCE_MEMBERS
from meetdeck.present.deck.program.charts.differences import read_differences
from meetdeck.present.deck.program.charts.levels import MOST_LEVELS, count_levels, find_starts, read_levels
from meetdeck.present.deck.program.charts.paint import PAINT_MEMBERS, RawPaint, find_paint, show_name
from meetdeck.present.deck.program.charts.subtotals import RawSubtotals
from meetdeck.present.deck.program.scope import IgnoredMember, find_unknown

_FORMS: Final = 'write {"categories": […], "series": [{"name": …, "values": […]}, …]}, or a list of rows or objects.'

_MEMBERS: Final = frozenset({"categories", "series", "axes", "totals", "differences"})
# The members for any kind of chart: the same data may fill several.
_SERIES_MEMBERS: Final = frozenset({"name", "values", "x", "y", "size", "labels", "subtotals"}) | PAINT_MEMBERS
_SERIES_ADVICE: Final = (
    "A series has name and values, or name, x, y and size, and perhaps labels, color, colors and negative; all "
    "other formatting is the template's."
)


def read_chart_data(value: object, template: ChartTemplate) -> ChartData:
    """Return a chart's data, read from any of the three forms. Raises `UnplottableError`."""
    if value is ABSENT or value is None:
        raise UnplottableError("", f"it is missing; {_FORMS}")
    if isinstance(value, Mapping):
        members = cast("Mapping[object, object]", value)
        data = assemble(_from_object(members, template), template)
        differences = read_differences(members.get("differences"), _leaves(members.get("categories")))
        axes, totals = read_axes(members.get("axes")), _read_totals(members.get("totals"))
        return data._replace(axes=axes, totals=totals, differences=differences)
    if not is_list(value):
        raise UnplottableError("", f"it is not data for a chart; {_FORMS}")
    if not value:
        return ChartData((), ())
    if len(value) > MOST_POINTS + 1:
        raise too_many("rows", MOST_POINTS)
    columns = _from_objects(value) if isinstance(value[0], Mapping) else _from_rows(value)
    return assemble(_pair_columns(columns, template), template)


def _read_totals(value: object) -> bool:
    if value is None or isinstance(value, bool):
        return value is True
    raise UnplottableError("totals", "it is neither true nor false; write true to show the sum of each column.")


def find_ignored(value: object) -> Iterator[IgnoredMember]:
    """Yield the members of a chart's data that no chart reads; those of several series once."""
    if not is_object(value) or not is_list(series := value.get("series")):
        return
    yield from find_unknown(value, _MEMBERS, "A chart has categories, series, axes, totals and differences.")
    differences = value.get("differences")
    for number, one in enumerate(differences if is_list(differences) else ()):
        if is_object(one):
            advice = "A difference has from, to, as and series."
            yield from find_unknown(one, DIFFERENCE_MEMBERS, advice, f"differences.{number}.")
    if not series and value.get("categories"):
        yield IgnoredMember(
            "categories", "There are no series, so the chart is empty: write name and values of each as series."
        )
    seen = set(_SERIES_MEMBERS)
    for number, one in enumerate(series):
        if is_object(one) and not seen.issuperset(one):
            yield from find_unknown(one, seen, _SERIES_ADVICE, f"series.{number}.")
            seen.update(one)
        if is_object(one) and (colors := one.get("colors")):
            yield from _find_unused_colors(colors, one, value, f"series.{number}.colors")


def _find_unused_colors(
    colors: object, series: Mapping[str, object], chart: Mapping[str, object], path: str
) -> Iterator[IgnoredMember]:
    values = series.get("values", series.get("y"))
    if is_list(colors) and is_list(values) and len(colors) > len(values):
        reason = f"There are {len(colors):,} colors for {len(values):,} points: write one for each, null for none."
        yield IgnoredMember(f"{path}.{len(values)}", reason)
    if is_object(colors):
        named = [names for names in (_leaves(chart.get("categories")), series.get("labels")) if is_list(names)]
        if colors.keys().isdisjoint(show_name(name) for names in named for name in names):
            yield IgnoredMember(
                path, "None of its members is the name of a point: a category, or a label of points with x."
            )


def _leaves(categories: object) -> object:
    """Return the names of categories; with several levels, those of the innermost."""
    try:
        levels = read_levels(categories)
    except UnplottableError:
        return ()
    return levels[-1].values if levels else categories


def _from_object(value: Mapping[object, object], template: ChartTemplate) -> list[RawSeries]:
    series = value.get("series")
    if not is_list(series):
        raise UnplottableError("series" if "series" in value else "", f"there is no list of series; {_FORMS}")
    if len(series) > MOST_SERIES:
        raise too_many("series", MOST_SERIES, "series")
    if template.kind != "category":
        return [_read_points(one, f"series.{i}", template) for i, one in enumerate(series)]
    levels = read_levels(value.get("categories")) if series else None
    labels = levels[-1] if levels else RawColumn("", _list_at(value, "categories", ""), "", "categories.")
    outer = _outer(levels, template) if levels else ()
    found: list[RawSeries] = []
    for number, one in enumerate(series):
        values = _column_of(one, "values", f"series.{number}")
        _agree(values, len(labels.values), "categories")
        path = f"series.{number}"
        texts, paint = _texts_of(one, values, path), _paint_of(one, path)
        found.append(RawSeries(labels, values, None, texts, paint, outer, _subtotals(one, path)))
    return found


def _read_points(series: object, path: str, template: ChartTemplate) -> RawSeries:
    y = _column_of(series, "values", path)
    x = _column_of(series, "x", path)._replace(name="")
    _agree(y, len(x.values), "x")
    texts = _texts_of(series, y, path)
    if template.kind != "bubble":
        return RawSeries(x, y, None, texts, _paint_of(series, path))
    sizes = _column_of(series, "size", path)._replace(name="")
    _agree(sizes, len(x.values), "x")
    return RawSeries(x, y, sizes, texts, _paint_of(series, path))


def _outer(levels: list[RawColumn], template: ChartTemplate) -> Sequence[Sequence[object]]:
    """Return the names of the outer levels, in a hierarchical chart for every row."""
    return [level.values for level in levels[:-1]] if template.is_tree else find_starts(levels)


def _subtotals(series: object, path: str) -> RawSubtotals | None:
    value = cast("Mapping[object, object]", series).get("subtotals")
    return None if value is None else RawSubtotals(value, f"{path}.subtotals")


def _paint_of(series: object, path: str) -> RawPaint | None:
    return find_paint(cast("Mapping[object, object]", series), path)


def _texts_of(series: object, values: RawColumn, path: str) -> RawColumn | None:
    """Return the labels of a series' points, None without labels."""
    members = cast("Mapping[object, object]", series)
    if members.get("labels") is None:
        return None
    texts = _column_of(series, "labels", path)._replace(name="")
    if len(texts.values) != len(values.values):
        reason = f"there are {len(texts.values):,} labels for {len(values.values):,} values; null is for none."
        raise UnplottableError(f"{path}.labels", reason)
    return texts


def _column_of(series: object, member: str, path: str) -> RawColumn:
    if not isinstance(series, Mapping):
        raise UnplottableError(path, f"it is not a series; write an object with name and {member}.")
    members = cast("Mapping[object, object]", series)
    if member == "values" and member not in members and "y" in members:
        member = "y"
    values = _list_at(members, member, path)
    return RawColumn(members.get("name"), values, f"{path}.name", f"{path}.{member}.")


def _list_at(members: Mapping[object, object], member: str, path: str) -> Sequence[object]:
    values = members.get(member, ABSENT)
    if values is ABSENT:
        raise UnplottableError(path, f"it has no {member}; write a list of them as its member {member!r}.")
    if not is_list(values):
        raise UnplottableError(f"{path}.{member}" if path else member, "it is not a list; write one between brackets.")
    return values


def _agree(column: RawColumn, count: int, items: str) -> None:
    if len(column.values) != count:
        reason = (
            f"the series {_show(column.name)} has {len(column.values):,} values for {count:,} {items}; write one for "
            "each, and null for a gap."
        )
        raise UnplottableError(column.before[:-1], reason)


def _show(name: object) -> str:
    return repr(name[:60]) if isinstance(name, str) and name else "without a name"


def _from_rows(rows: Sequence[object]) -> list[RawColumn]:
    header = rows[0]
    if not is_list(header):
        raise UnplottableError("0", f"it is not a row; {_FORMS}")
    _bound_table(len(header), len(rows) - 1)
    table: list[Sequence[object]] = []
    for number, row in enumerate(rows[1:], start=1):
        if not is_list(row):
            raise UnplottableError(str(number), "it is not a row; write a list like the first one.")
        if len(row) != len(header):
            reason = f"it has {len(row):,} cells and the first row {len(header):,}; write as many, null for a gap."
            raise UnplottableError(str(number), reason)
        table.append(row)
    return [RawColumn(name, [row[c] for row in table], f"0.{c}", "", 1, f".{c}") for c, name in enumerate(header)]


def _from_objects(rows: Sequence[object]) -> list[RawColumn]:
    names: dict[object, None] = {}
    objects: list[Mapping[object, object]] = []
    for number, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise UnplottableError(
                str(number), "it is not an object like the first one; write one with the same members."
            )
        members = cast("Mapping[object, object]", row)
        names.update(dict.fromkeys(members))
        objects.append(members)
        _bound_table(len(names), len(rows))
        label = next(iter(names), "")
        if label not in members:
            raise UnplottableError(
                str(number), f"it has no member {str(label)[:60]!r}, which holds the category in the first."
            )
    return [RawColumn(name, [row.get(name) for row in objects], "0", "", 0, f".{name}") for name in names]


def _bound_table(columns: int, rows: int) -> None:
    # A bubble chart has two columns for each series.
    if columns > 2 * MOST_SERIES + 1:
        raise too_many("series", MOST_SERIES)
    if columns * rows > 2 * MOST_POINTS:
        raise too_many("points", MOST_POINTS)


def _pair_columns(columns: list[RawColumn], template: ChartTemplate) -> list[RawSeries]:
    if not columns:
        return []
    if template.levels > 1 or template.is_tree:
        count = count_levels(columns, MOST_LEVELS if template.is_tree else template.levels)
        outer = _outer(columns[:count], template)
        return [RawSeries(columns[count - 1], values, outer=outer) for values in columns[count:]]
    labels, *others = columns
    if template.kind != "bubble":
        return [RawSeries(labels, values) for values in others]
    if len(others) % 2:
        raise UnplottableError("", "a bubble chart needs x, then two columns for each series: y and size.")
    return [RawSeries(labels, y, size) for y, size in zip(others[::2], others[1::2], strict=True)]
