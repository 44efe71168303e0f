"""Compile a chart that an alternative text fills: `{{chart:sales}}`.

The template's chart gives the form. A series of the data takes the form of the template's series with the same name, or
else at the same position; additional series take the last one's, without its colors and single points. Categories,
values and names come from the data, in the chart's part and in its workbook. `program.charts.forms` describes the data.
"""

from collections.abc import Sequence
from copy import deepcopy
from typing import Final, NamedTuple

from meetdeck.present.deck.compile.charts.axes import axis_id, mark_axis
from meetdeck.present.deck.compile.charts.extended import CX, mark_extended, read_form
from meetdeck.present.deck.compile.charts.series import (
    C,
    TemplateSeries,
    mark_additional,
    mark_series,
    read_number,
    read_series,
    read_value,
    remove_cell_extensions,
)
from meetdeck.present.deck.compile.charts.totals import find_stacked, make_totals, mark_legend
from meetdeck.present.deck.compile.charts.workbook import ChartWorkbook, compile_workbook, open_workbook, read_rows
from meetdeck.present.deck.compile.charts.workbook_file import WorkbookError
from meetdeck.present.deck.compile.context import ChartFilling, PartContext
from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.language.constructs import TagFinding
from meetdeck.present.deck.language.values import escape_attribute, escape_text
from meetdeck.present.deck.opc.xml import Element, R, insert_after, insert_before, local_name, parse, remove, without
from meetdeck.present.deck.program.charts.cells import is_date_format, quote_sheet
from meetdeck.present.deck.program.charts.data import ChartKind, ChartTemplate
from meetdeck.present.deck.program.charts.nodes import (
    axis_slot,
    make_chart,
    make_plot,
)
from meetdeck.present.deck.program.charts.points import PointRange
from meetdeck.present.deck.program.charts.series import ChartSheet
from meetdeck.present.deck.program.charts.source import ChartSource
from meetdeck.present.deck.program.charts.totals import TotalsTemplate
from meetdeck.present.deck.program.nodes import Slot
from meetdeck.present.deck.program.scope import Program

_AXES: Final = tuple(C + name for name in ("catAx", "valAx", "dateAx", "serAx"))
_DEFAULT_SHEET: Final = "Sheet1"
_FALSE: Final = frozenset({"0", "false"})
# The elements that the schema requires before a plot's series.
_BEFORE_SERIES: Final = frozenset(
    {"barDir", "grouping", "varyColors", "wireframe", "scatterStyle", "radarStyle", "ofPieType"}
)


class FilledWorkbook(NamedTuple):
    """The workbook of a chart that the data fills, and the relationship to it; without a program both are dropped."""

    relationship_id: str
    part: str
    program: Program | None


def fill_chart(root: Element, filling: ChartFilling, context: PartContext) -> FilledWorkbook | None:
    """Mark a chart that the data fills, see `mark_chart`, and return its workbook, if it has one."""
    identifier = _workbook_id(root)
    part = context.part.target(identifier)
    program = mark_chart(root, filling, context, context.package.read(part) if part else None)
    return FilledWorkbook(identifier, part, program) if part else None


def _find_external(root: Element) -> Element | None:
    external = root.find(C + "externalData")
    return root.find(f"{CX}chartData/{CX}externalData") if external is None else external


def _workbook_id(root: Element) -> str:
    """Return the id of the relationship to a chart's workbook, empty when it has none."""
    external = _find_external(root)
    return (external.get(R + "id", "") or "") if external is not None else ""


class TemplateChart(NamedTuple):
    """A chart that the data fills, and how many series and points it has in the template."""

    source: ChartSource
    series: int
    points: int


def read_source(root: Element, filling: ChartFilling) -> TemplateChart | None:
    """Return the source of a chart's data; None when it has no rows of data."""
    if form := read_form(root):
        return TemplateChart(ChartSource(*filling, form.template, ()), 1, max(1, len(form.categories)))
    plots = find_plots(root)
    if not plots:
        return None
    series = [read_series(element) for element in order_series(plots)]
    source = ChartSource(*filling, _read_form(root, plots, series), tuple(one.name for one in series))
    counts = [read_value(count) for plot in plots for count in plot.iter(C + "ptCount")]
    return TemplateChart(source, max(1, len(series)), max(1, 1, *counts))


def find_plots(root: Element) -> list[Element]:
    """Return the plots of a chart."""
    area = root.find(f"{C}chart/{C}plotArea") if root.tag == C + "chartSpace" else None
    return [child for child in area.iterchildren() if _is_plot(child)] if area is not None else []


def mark_chart(root: Element, filling: ChartFilling, context: PartContext, workbook: bytes | None) -> Program | None:
    """Replace a chart's plots by a node that the data fills, and return the program of its workbook.

    `workbook` is the file of the chart's external data, None when the template has none. A workbook that cannot be
    filled is returned as None, with a finding; then the chart has no external data any more, so that nobody edits the
    template's.
    """
    directive, place = filling
    if form := read_form(root):
        own = _open_workbook(root, filling, context, workbook, [form.series])
        source = ChartSource(*filling, form.template, ())
        sheet = mark_extended(root, form, source, own, context.part.name, context.markers)
        return compile_workbook(own, sheet.slot) if own else None
    plots = find_plots(root)
    if not plots:
        message = (
            f"{directive.source} needs a chart with rows of data: a column, bar, line, area, pie, doughnut, radar, "
            "scatter, bubble, stock or surface chart; or a waterfall, funnel, treemap or sunburst chart. Maps, "
            "histograms and similar charts are left unchanged."
        )
        context.report(place, TagFinding("Warning", "missing-target", message, directive.source))
        if (external := _find_external(root)) is not None:
            remove(external)
            context.markers.changed()
        return None
    elements = order_series(plots)
    series = [read_series(element) for element in elements]
    book = _open_workbook(root, filling, context, workbook, series)
    source = ChartSource(*filling, _read_form(root, plots, series), tuple(one.name for one in series))
    name = book.sheet.name if book else next((one.sheet for one in series if one.sheet), _DEFAULT_SHEET)
    rows = read_rows(book, series) if book else None
    sheet = ChartSheet(escape_text(quote_sheet(name)), f"rows:{context.part.name}", rows)
    _remove_pivot(root)
    stacked = find_stacked(plots, elements)
    if stacked:
        mark_legend(root, context.markers)
    elif directive.totals:
        message = f"{directive.source} is on a chart without stacked columns or bars; only these have totals."
        context.report(place, TagFinding("Warning", "chart-totals", message, directive.source))
    totals = make_totals(stacked, series, context.markers) if stacked else None
    _mark_plots(plots, elements, series, (source, sheet), totals, context.markers)
    return compile_workbook(book, sheet.slot) if book else None


def _is_plot(element: Element) -> bool:
    return local_name(element).endswith("Chart") and element.tag.startswith(C)


def order_series(plots: Sequence[Element]) -> list[Element]:
    """Return all series in the order of the sheet's columns."""
    elements = [series for plot in plots for series in plot.iterchildren(C + "ser")]
    return sorted(elements, key=lambda series: read_number(series, "order"))


def _open_workbook(
    root: Element,
    filling: ChartFilling,
    context: PartContext,
    data: bytes | None,
    series: Sequence[TemplateSeries],
) -> ChartWorkbook | None:
    external = _find_external(root)
    if external is None:
        return None
    try:
        return open_workbook(data, next((one.sheet for one in series if one.sheet), ""))
    except WorkbookError as problem:
        message = (
            f"The workbook of the chart cannot be filled: {problem}. The chart gets its data but no workbook, so "
            "Edit Data will not work; insert a new chart to have one."
        )
        context.report(filling.place, TagFinding("Warning", "chart-workbook", message, filling.directive.source))
        remove(external)
        return None


def _read_form(root: Element, plots: Sequence[Element], series: Sequence[TemplateSeries]) -> ChartTemplate:
    kinds = {local_name(plot) for plot in plots}
    kind: ChartKind = "scatter" if kinds == {"scatterChart"} else "bubble" if kinds == {"bubbleChart"} else "category"
    dated = root.find(f"{C}chart/{C}plotArea/{C}dateAx") is not None or any(
        is_date_format(one.label_format) for one in series
    )
    system = root.find(C + "date1904")
    since_1904 = system is not None and system.get("val", "1") not in _FALSE
    caches = (cache for plot in plots for cache in plot.iter(C + "multiLvlStrCache"))
    levels = max((len(cache.findall(C + "lvl")) for cache in caches), default=1)
    return ChartTemplate(kind, dated=dated, since_1904=since_1904, levels=max(1, levels))


def _remove_pivot(root: Element) -> None:
    """Turn a pivot chart into a plain one, since its data no longer come from a pivot table."""
    without(root.iterchildren(), "pivotSource")
    without([child for chart in root.iterchildren(C + "chart") for child in chart.iterchildren()], "pivotFmts")
    for extension in list(root.iter(C + "ext")):
        if any(local_name(child) == "pivotOptions" for child in extension.iterchildren()):
            remove(extension)


def _mark_plots(
    plots: Sequence[Element],
    elements: Sequence[Element],
    series: Sequence[TemplateSeries],
    about: tuple[ChartSource, ChartSheet],
    totals: TotalsTemplate | None,
    markers: Markers,
) -> None:
    area = plots[0].getparent()
    axes = list(area.iterchildren(*_AXES)) if area is not None else []
    prefix = f"{plots[0].prefix}:" if plots[0].prefix else ""
    next_index = max((one.idx for one in series), default=-1) + 1
    label_texts = tuple(one.label_texts for one in series)
    opening, closing = markers.range(make_chart(about, label_texts, prefix, next_index, totals))
    insert_before(plots[0], opening)
    insert_after((axes or plots)[-1], closing)
    first = [axis.get("val", "") or "" for axis in plots[0].iterchildren(C + "axId")]
    for plot in plots:
        _mark_plot(plot, markers)
    kind = about[0].template.kind
    for axis in axes:
        mark_axis(axis, _find_role(axis, first, kind), markers)
    additional, last = _insert_additional(plots[0], elements, series)
    for number, element in enumerate(elements):
        mark_series(element, number, series[number], about[0].place, markers)
    mark_additional(additional, len(elements), last, markers)


def _insert_additional(
    plot: Element, elements: Sequence[Element], series: Sequence[TemplateSeries]
) -> tuple[Element, TemplateSeries]:
    """Insert a copy of the last series after it, or an empty series into a chart without any."""
    if elements:
        last = elements[-1]
        additional = deepcopy(last)
        additional.tail = None
        parent = last.getparent()
        if parent is not None:
            parent.insert(parent.index(last) + 1, additional)
        return additional, series[-1]
    prefix, uri = plot.prefix, C[1:-1]
    additional = parse(
        f'<{prefix}:ser xmlns:{prefix}="{uri}"/>'.encode() if prefix else f'<ser xmlns="{uri}"/>'.encode()
    )
    before = [child for child in plot.iterchildren() if local_name(child) in _BEFORE_SERIES]
    plot.insert(len(before), additional)
    return additional, read_series(additional)


def _mark_plot(plot: Element, markers: Markers) -> None:
    remove_cell_extensions(plot)
    used: list[str] = []
    for position, axis in enumerate(plot.findall(C + "axId")):
        used.append(escape_attribute(axis.get("val", "") or ""))
        axis.set("val", markers.node(Slot(axis_slot(position))))
    for point in plot.iter(C + "secondPiePt"):
        number = read_value(point)
        markers.wrap(point, lambda body, number=number: PointRange(number, body))
    kind, axes = local_name(plot), tuple(used)
    markers.wrap(plot, lambda body: make_plot(kind, axes, body))


def _find_role(axis: Element, first: Sequence[str], kind: ChartKind) -> str:
    """Return the name that an axis has in the data, empty for none; `first` are the ids of the first plot's axes."""
    name, identifier = local_name(axis), axis_id(axis)
    if identifier not in first:
        return "secondValue" if name == "valAx" and kind == "category" else ""
    if kind != "category":
        return "category" if identifier == first[0] else "value"
    return {"valAx": "value", "catAx": "category", "dateAx": "category"}.get(name, "")
