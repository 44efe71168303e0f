"""Arrows between the columns of a chart: its fixed plot area, which says where the columns stand."""

from collections.abc import Sequence
from typing import Final

from meetdeck.present.deck.compile.charts.chart import find_plots, order_series, read_source
from meetdeck.present.deck.compile.charts.series import C
from meetdeck.present.deck.compile.charts.totals import find_stacked
from meetdeck.present.deck.compile.context import ChartFilling, PartContext
from meetdeck.present.deck.opc.xml import Element, P, local_name
from meetdeck.present.deck.presentation.geometry import Frame, read_flat_frame, shape_id
from meetdeck.present.deck.program.charts.arrows import ChartArrows, PlotArea
from meetdeck.present.deck.program.charts.data import ChartTemplate
from meetdeck.present.deck.program.charts.source import ChartSource
from meetdeck.present.deck.program.charts.substitute import Box

_CATEGORIES: Final = (C + "catAx", C + "dateAx")
_MOST_DIGITS: Final = 9


def mark_arrows(shape: Element, part: str, filling: ChartFilling, context: PartContext) -> None:
    """Mark a chart's frame for the arrows that its data may ask for."""
    root, transform = context.package.peek(part), shape.find(P + "xfrm")
    if root is None:
        return
    plots = find_plots(root)
    frame = read_flat_frame(transform) if transform is not None else None
    area = _read_area(root, plots, frame) if frame else None
    # Without the area there is nothing but a report.
    chart = read_source(root, filling) if area else None
    source = chart.source if chart else ChartSource(*filling, ChartTemplate(), ())
    stacked = find_stacked(plots, order_series(plots)) if area else None
    identifier = shape_id(shape) if area else ""
    number = int(identifier) if identifier.isdecimal() and len(identifier) <= _MOST_DIGITS else 0
    numbers = stacked.numbers if stacked else frozenset[int]()
    context.markers.wrap(shape, lambda body: ChartArrows(source, area, numbers, number, body))


def _read_area(root: Element, plots: Sequence[Element], frame: Frame) -> PlotArea | None:
    """Return the inner plot area of columns or bars, None where PowerPoint chooses it."""
    columns = next((plot for plot in plots if local_name(plot) == "barChart"), None)
    layout = root.find(f"{C}chart/{C}plotArea/{C}layout/{C}manualLayout")
    if columns is None or layout is None or _value(layout, "layoutTarget") != "inner":
        return None
    if {_value(layout, "xMode"), _value(layout, "yMode")} != {"edge"}:
        return None
    shares = [_read_share(_value(layout, name)) for name in "xywh"]
    if any(share is None for share in shares):
        return None
    x, y, width, height = (share or 0.0 for share in shares)
    box = Box(frame.x + x * frame.width, frame.y + y * frame.height, width * frame.width, height * frame.height)
    axis = next(root.iter(*_CATEGORIES), None)
    orientation = axis.find(f"{C}scaling/{C}orientation") if axis is not None else None
    is_reversed = orientation is not None and orientation.get("val") == "maxMin"
    return PlotArea(box, _value(columns, "barDir") == "bar", is_reversed)


def _read_share(text: str) -> float | None:
    try:
        share = float(text)
    except ValueError:
        return None
    return share if 0 <= share <= 1 else None


def _value(parent: Element, name: str) -> str:
    child = parent.find(C + name)
    return (child.get("val", "") or "") if child is not None else ""
