"""The series for totals of a template's stacked columns or bars, ready before anything in the chart is marked."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Final, NamedTuple

from meetdeck.present.deck.compile.charts.series import C, TemplateSeries, mark_additional
from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.language.values import escape_attribute
from meetdeck.present.deck.opc.xml import A, Element, append_text, insert_after, local_name, parse, serialize_inside
from meetdeck.present.deck.program.charts.nodes import axis_slot
from meetdeck.present.deck.program.charts.series import SeriesTemplate
from meetdeck.present.deck.program.charts.totals import TotalsEntry, TotalsTemplate
from meetdeck.present.deck.program.nodes import Slot

_STACKED: Final = frozenset({"stacked", "percentStacked"})
_NAMESPACES: Final = f'xmlns:c="{C[1:-1]}" xmlns:a="{A[1:-1]}"'
_SHOWN: Final = "".join(
    f'<c:{name} val="{int(name == "showVal")}"/>'
    for name in ("showLegendKey", "showVal", "showCatName", "showSerName", "showPercent", "showBubbleSize")
)
_UNSEEN: Final = "<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>"
_BOLD: Final = (
    '<c:txPr><a:bodyPr/><a:lstStyle/><a:p><a:pPr><a:defRPr b="1"/></a:pPr><a:endParaRPr lang="en-US"/></a:p></c:txPr>'
)


class StackedPlot(NamedTuple):
    """A plot of stacked columns or bars, its series' numbers, and whether its bars lie (`is_horizontal`)."""

    element: Element
    numbers: frozenset[int]
    is_horizontal: bool


def find_stacked(plots: Sequence[Element], elements: Sequence[Element]) -> StackedPlot | None:
    """Return the first plot of stacked columns or bars; `elements` are all series of the chart, in order."""
    for plot in plots:
        if local_name(plot) == "barChart" and _value(plot, "grouping") in _STACKED:
            own = frozenset(number for number, one in enumerate(elements) if one.getparent() is plot)
            # Additional series stand beside the last one.
            is_last = not elements or elements[-1].getparent() is plot
            numbers = own | {len(elements)} if is_last else own
            return StackedPlot(plot, numbers, _value(plot, "barDir") == "bar")
    return None


def make_totals(plot: StackedPlot, series: Sequence[TemplateSeries], markers: Markers) -> TotalsTemplate:
    """Return the template of a plot's totals."""
    labels = _make_labels(plot)
    about = next((one for one in series), None)
    element = parse(f"<c:ser {_NAMESPACES}>{_UNSEEN}{_FORM[plot.is_horizontal]}</c:ser>".encode())
    element.insert(len(list(element.iterchildren())) - (not plot.is_horizontal), labels)
    around = _make_plot(plot)
    around.insert(2, element)
    known = about or TemplateSeries("", 0, 0, "", "General", "General", "General", "", "", "", "")
    mark_additional(element, len(series) + 1, known._replace(labels=deepcopy(labels), categories=()), markers)
    for position, axis in enumerate(around.findall(C + "axId")):
        axis.set("val", markers.node(Slot(axis_slot(position))))
    program = markers.cut_bytes(serialize_inside(around, plot.element))
    at, found = next((at, node) for at, node in enumerate(program) if isinstance(node, SeriesTemplate))
    return TotalsTemplate(plot.numbers, plot.is_horizontal, found, program[:at], program[at + 1 :])


# The parts of a line's series before and after its labels.
_FORM: Final = {True: "", False: '<c:marker><c:symbol val="none"/></c:marker><c:smooth val="0"/>'}


def _make_plot(plot: StackedPlot) -> Element:
    """Return the plot of the totals: a line of the columns' axes; of bars only what the series needs around it."""
    grouping = "percentStacked" if _value(plot.element, "grouping") == "percentStacked" else "standard"
    name = "barChart" if plot.is_horizontal else "lineChart"
    axes = "".join('<c:axId val=""/>' for _ in plot.element.findall(C + "axId"))
    inside = f'<c:grouping val="{grouping}"/><c:varyColors val="0"/>{axes}'
    return parse(f"<c:{name} {_NAMESPACES}>{inside}</c:{name}>".encode())


def _make_labels(plot: StackedPlot) -> Element:
    code = next((one.get("formatCode") for one in plot.element.iter(C + "numFmt")), None)
    number = f'<c:numFmt formatCode="{escape_attribute(code)}" sourceLinked="0"/>' if code else ""
    position = "inBase" if plot.is_horizontal else "t"
    inside = f'{number}{_UNSEEN}{_BOLD}<c:dLblPos val="{position}"/>{_SHOWN}'
    return parse(f"<c:dLbls {_NAMESPACES}>{inside}</c:dLbls>".encode())


def mark_legend(root: Element, markers: Markers) -> None:
    """Mark the place in a chart's legend that hides the totals."""
    legend = root.find(f"{C}chart/{C}legend")
    if legend is None:
        return
    prefix = f"{legend.prefix}:" if legend.prefix else ""
    mark = markers.node(TotalsEntry(prefix))
    before = [one for one in legend.iterchildren() if local_name(one) in {"legendPos", "legendEntry"}]
    if before:
        insert_after(before[-1], mark)
    elif len(legend):
        legend.text = mark + (legend.text or "")
    else:
        append_text(legend, mark)


def _value(parent: Element, name: str) -> str:
    child = parent.find(C + name)
    return (child.get("val", "") or "") if child is not None else ""
