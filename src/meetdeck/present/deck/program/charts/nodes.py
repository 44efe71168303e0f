"""Nodes of a chart: its plots with the series of the data, each written by the template of one of its series."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.findings import warning
from meetdeck.present.deck.program.charts.axes import AxisTemplate, clear_members, find_axis
from meetdeck.present.deck.program.charts.cells import write_string
from meetdeck.present.deck.program.charts.data import ChartData, SheetColumn, UnplottableError
from meetdeck.present.deck.program.charts.series import ChartSheet, SeriesTemplate, SeriesWriter
from meetdeck.present.deck.program.charts.source import ChartSource
from meetdeck.present.deck.program.charts.totals import Total, TotalsTemplate, hide_entry, make_total
from meetdeck.present.deck.program.glyphs import report_undrawable
from meetdeck.present.deck.program.scope import (
    IgnoredMember,
    Program,
    Scope,
    data_path,
    report_ignored,
    report_value,
    run,
)

_STOCK: Final = "stockChart"
_STOCK_SERIES: Final = (3, 4)


def axis_slot(position: int) -> str:
    """Return the name of the slot with the id of a plot's first, second or third axis."""
    return f"chart:axis:{position}"


class PlotTemplate(Struct, frozen=True):
    """A plot (c:barChart, c:lineChart …): `axes` are the ids of its axes, `series` the series' templates by number."""

    kind: str
    axes: tuple[str, ...]
    before: Program
    series: Mapping[int, SeriesTemplate]
    after: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the plot without any series."""
        run(self.before, out, scope)
        run(self.after, out, scope)


def make_plot(kind: str, axes: tuple[str, ...], body: Program) -> PlotTemplate:
    """Return a plot from its program; the white space between its series is removed."""
    at = [number for number, node in enumerate(body) if isinstance(node, SeriesTemplate)]
    series = {node.form.number: node for node in body if isinstance(node, SeriesTemplate)}
    if not at:
        return PlotTemplate(kind, axes, body, series, ())
    return PlotTemplate(kind, axes, body[: at[0]], series, body[at[-1] + 1 :])


class ChartNode(Struct, frozen=True):
    """All plots and axes of a chart.

    `prefix` is that of the chart's namespace, with its colon; `next_index` is the first free c:idx. `label_texts` are
    the texts that each of the template's series takes from cells.
    """

    source: ChartSource
    sheet: ChartSheet
    label_texts: tuple[tuple[str | None, ...], ...]
    prefix: str
    next_index: int
    plots: tuple[PlotTemplate, ...]
    axes: tuple[AxisTemplate, ...]
    totals: TotalsTemplate | None = None

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the plots with series (the first plot when none has any) and their axes. Raises `BadData`."""
        data = self.source.read(scope)
        report_undrawable("".join(filter(None, data.texts())), self.source.place, scope)
        numbers = self.source.assign(data.series)
        data = self._keep_labels(data, numbers, scope)
        total = self._make_total(data, numbers, scope) if data.totals else None
        if self.totals:
            hide_entry(self.totals, total, scope)
        data = total.data if total else data
        if self.sheet.rows:
            scope.slots[self.sheet.slot] = self.sheet.rows.write(data, numbers)
        staying = [plot for plot in self.plots if not plot.series.keys().isdisjoint(numbers)] or self.plots[:1]
        axes = self._renumber_axes(staying)
        writer = SeriesWriter(self.sheet, self.prefix, self.next_index, data)
        for plot in staying:
            self._check_stock(plot, numbers, scope)
            for position, identifier in enumerate(axes[plot.axes]):
                scope.slots[axis_slot(position)] = identifier.encode()
            run(plot.before, out, scope)
            for order, number in enumerate(numbers):
                if template := plot.series.get(number):
                    writer.write(template, order, out, scope)
            if total and self.totals and not plot.series.keys().isdisjoint(self.totals.numbers):
                self._write_total(self.totals, total, (plot.after, writer), out, scope)
            else:
                run(plot.after, out, scope)
        gone = {axis for plot in self.plots for axis in plot.axes}.difference(*axes.values())
        staying_axes = [axis for axis in self.axes if axis.id not in gone]
        if data.axes:
            self._write_axes(staying_axes, data.axes, out, scope)
        else:
            for axis in staying_axes:
                run(axis.body, out, scope)

    def _make_total(self, data: ChartData, numbers: Sequence[int], scope: Scope) -> Total | None:
        total = make_total(self.totals, data, numbers, scope.locale) if self.totals else None
        if total is None and data.series and not self.source.directive.totals:
            message = (
                f"{self.source.directive.source} has totals in its data, but its chart has no stacked columns or "
                "bars: they are not shown."
            )
            path = f"{data_path(self.source.directive, scope)}.totals"
            report_value("chart-totals", message, self.source.directive, self.source.place, scope, path)
        return total

    def _write_total(
        self,
        template: TotalsTemplate,
        total: Total,
        ending: tuple[Program, SeriesWriter],
        out: list[bytes],
        scope: Scope,
    ) -> None:
        """Append the totals and the end of their plot: in it for bars, as a plot behind it for columns."""
        (after, writer), order = ending, len(total.data.series)
        if not template.is_horizontal:
            run((*after, *template.before), out, scope)
        writer.write_series(template.series, total.series, order, total.texts, out, scope)
        run(after if template.is_horizontal else template.after, out, scope)

    def _write_axes(
        self,
        axes: Sequence[AxisTemplate],
        members: Mapping[str, Mapping[str, object]],
        out: list[bytes],
        scope: Scope,
    ) -> None:
        """Append axes with the data's bounds and titles; report members that belong to no axis."""
        source = self.source
        names = {find_axis(name, source.template): name for name in members}
        for axis in axes:
            name = names.pop(axis.role, None) if axis.role else None
            if name is None:
                run(axis.body, out, scope)
                continue
            for ignored in axis.find_ignored(members[name], f"axes.{name}"):
                report_ignored(source.directive, source.place, scope, ignored)
            try:
                program = axis.adjust(members[name], f"axes.{name}", source.template, scope)
            except UnplottableError as problem:
                raise source.refuse(scope, str(problem), problem.path) from problem
            run(program, out, scope)
            clear_members(scope)
        has = ", ".join(axis.role for axis in axes if axis.role) or "none"
        for name in names.values():
            reason = f"The chart has no such axis; its axes are: {has}."
            report_ignored(source.directive, source.place, scope, IgnoredMember(f"axes.{name}", reason))

    def _keep_labels(self, data: ChartData, numbers: Sequence[int], scope: Scope) -> ChartData:
        """Return the data with the template's labels from cells for series without labels in the data."""
        columns, series = list(data.columns), list(data.series)
        for order, (one, number) in enumerate(zip(data.series, numbers, strict=True)):
            texts = self.label_texts[number] if number < len(self.label_texts) else ()
            points = len(data.columns[one.values].cells)
            if one.texts is not None or not texts:
                continue
            if len(texts) != points:
                self._report_lost_labels(one.name, len(texts), points, scope)
                continue
            series[order] = one._replace(texts=len(columns))
            columns.append(SheetColumn("", [write_string(text) if text else None for text in texts], numeric=False))
        return data._replace(columns=tuple(columns), series=tuple(series))

    def _report_lost_labels(self, name: str, known: int, points: int, scope: Scope) -> None:
        place = self.source.place
        message = (
            f"The template labels {known} points of the chart's series {name!r} from cells, but the data has "
            f"{points} points: these labels are left out. Send one label for each point as the series' member "
            "'labels'."
        )
        details: dict[str, str | int] = {"shape": place.shape, "tag": self.source.directive.source}
        scope.findings.append(warning("chart-labels", message, scope.slide, position=scope.position, **details))

    def _renumber_axes(self, staying: Sequence[PlotTemplate]) -> dict[tuple[str, ...], tuple[str, ...]]:
        """Return the axes for each plot by its own axes.

        Plots on secondary axes move to the primary ones when these are free: otherwise they would show no categories.
        """
        axes = {plot.axes: plot.axes for plot in staying}
        primary, other = self.plots[0].axes, staying[0].axes
        if primary not in axes and self._kinds(primary) == self._kinds(other):
            axes[other] = primary
        return axes

    def _kinds(self, axes: tuple[str, ...]) -> list[str]:
        return [axis.kind for axis in self.axes if axis.id in axes]

    def _check_stock(self, plot: PlotTemplate, numbers: Sequence[int], scope: Scope) -> None:
        if plot.kind == _STOCK and sum(number in plot.series for number in numbers) not in _STOCK_SERIES:
            reason = "a stock chart has three or four series: opening (or none), highest, lowest and closing price."
            raise self.source.refuse(scope, reason)


def make_chart(
    about: tuple[ChartSource, ChartSheet],
    series: tuple[tuple[str | None, ...], ...],
    prefix: str,
    next_index: int,
    totals: TotalsTemplate | None,
) -> Callable[[Program], ChartNode]:
    """Return a function that makes the node from the program of a chart's plots and axes.

    `series` are the texts of the series' labels.
    """

    def make(body: Program) -> ChartNode:
        plots = tuple(node for node in body if isinstance(node, PlotTemplate))
        axes = tuple(node for node in body if isinstance(node, AxisTemplate))
        return ChartNode(*about, series, prefix, next_index, plots, axes, totals)

    return make
