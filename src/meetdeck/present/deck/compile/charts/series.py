"""A series of a template's chart as the template of filled series: everything but its data."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from meetdeck.present.deck.compile.charts.error_bars import freeze_numbers
from meetdeck.present.deck.compile.charts.labels import copy_labels, mark_label_cells, mark_labels, read_own_labels
from meetdeck.present.deck.compile.charts.paint import mark_paint
from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.values import escape_text
from meetdeck.present.deck.opc.xml import A, Element, append_text, insert_after, insert_before, local_name, remove
from meetdeck.present.deck.program.charts.cells import CellReference, read_reference, write_string
from meetdeck.present.deck.program.charts.error_bars import ErrorBars
from meetdeck.present.deck.program.charts.points import POINT_SLOT, PointRange, Points
from meetdeck.present.deck.program.charts.series import CONTENT_SLOT, HEAD_SLOT, SeriesForm, make_series
from meetdeck.present.deck.program.nodes import Slot

C: Final = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
GENERAL: Final = "General"
_MOST_DIGITS: Final = 5

_DATA: Final = ("idx", "order", "tx", "cat", "val", "xVal", "yVal", "bubbleSize")
# The elements that the schema requires after the data.
_BEHIND: Final = frozenset({"smooth", "shape", "bubble3D", "extLst"})
# Extensions that refer to the template's cells: series and categories that a filter hides, labels taken from cells.
_ABOUT_CELLS: Final = ("filtered", "datalabelsRange", "categoryFilterExceptions")
_XY: Final = frozenset({"scatterChart", "bubbleChart"})
_FILLS: Final = tuple(A + name for name in ("solidFill", "gradFill", "pattFill", "blipFill", "grpFill"))


class TemplateSeries(NamedTuple):
    """A series as the template has it: formats as XML text; cells as `B1`, empty where it names none.

    `label_texts` are those that its points' labels take from cells, `labels` is a copy of its c:dLbls, `categories` are
    the names of its points (XML text).
    """

    name: str
    idx: int
    order: int
    sheet: str
    label_format: str
    value_format: str
    size_format: str
    name_cell: str
    label_cell: str
    value_cell: str
    size_cell: str
    label_texts: tuple[str | None, ...] = ()
    labels: Element | None = None
    categories: tuple[str, ...] = ()


def read_series(series: Element) -> TemplateSeries:
    """Return the contents of a c:ser, before it is marked."""
    labels, values = _find(series, "cat", "xVal"), _find(series, "val", "yVal")
    name, sizes = _find(series, "tx"), _find(series, "bubbleSize")
    references = [_first_cell(part) for part in (name, labels, values, sizes)]
    cells = [reference.cell if reference else "" for reference in references]
    return TemplateSeries(
        name=next((v.text or "" for v in name.iter(C + "v")), "") if name is not None else "",
        idx=read_number(series, "idx"),
        order=read_number(series, "order"),
        sheet=next((reference.sheet for reference in references if reference), ""),
        label_format=_number_format(labels),
        value_format=_number_format(values),
        size_format=_number_format(sizes),
        name_cell=cells[0],
        label_cell=cells[1],
        value_cell=cells[2],
        size_cell=cells[3],
        label_texts=read_own_labels(series),
        labels=copy_labels(series),
        categories=_read_categories(labels) if next(series.iter(C + "dPt", C + "dLbl"), None) is not None else (),
    )


def _read_categories(part: Element | None) -> tuple[str, ...]:
    """Return the names of a series' points, those without a name empty (XML text); none for several levels."""
    if part is None or part.tag != C + "cat" or next(part.iter(C + "lvl"), None) is not None:
        return ()
    names: dict[int, str] = {}
    for point in part.iter(C + "pt"):
        value, index = point.find(C + "v"), point.get("idx", "") or ""
        if index.isdecimal() and len(index) <= _MOST_DIGITS and value is not None:
            names[int(index)] = write_string(value.text or "")
    return tuple(names.get(number, "") for number in range(max(names, default=-1) + 1))


def _find(series: Element, *names: str) -> Element | None:
    return next((child for child in series.iterchildren(*(C + name for name in names))), None)


def _first_cell(part: Element | None) -> CellReference | None:
    formulas = part.iter(C + "f") if part is not None else ()
    return next((read_reference(formula.text or "") for formula in formulas), None)


def _number_format(part: Element | None) -> str:
    codes = part.iter(C + "formatCode") if part is not None else ()
    return escape_text(next((code.text or "" for code in codes), "") or GENERAL)


def read_number(parent: Element, name: str) -> int:
    """Return the number that a child's `val` holds, 0 for none."""
    return read_value(parent.find(C + name))


def read_value(element: Element | None) -> int:
    """Return the number that an element's `val` holds, 0 for none."""
    text = (element.get("val", "") or "") if element is not None else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < len(str(2**32)) else 0


def mark_series(series: Element, number: int, about: TemplateSeries, place: Place, markers: Markers) -> None:
    """Replace the data of a template's series by nodes."""
    _strip(series)
    _place_labels(series, about, markers)
    for bars in _custom_bars(series):
        count = freeze_numbers(bars)
        markers.wrap(bars, lambda body, count=count: ErrorBars(count, about.name, place, body))
    mark_paint(series, markers)
    _mark_point_labels(list(_labels(series)), markers)
    _wrap(series, number, about.idx, about, markers)


def _mark_point_labels(labels: Sequence[Element], markers: Markers) -> None:
    """Mark the labels of single points, which follow their points."""
    if not labels:
        return
    opening, closing = markers.range(Points)
    insert_before(labels[0], opening)
    insert_after(labels[-1], closing)
    for label in labels:
        index = read_number(label, "idx")
        for own in label.iterchildren(C + "idx"):
            own.set("val", markers.node(Slot(POINT_SLOT)))
        markers.wrap(label, lambda body, index=index: PointRange(index, body))


def mark_additional(series: Element, number: int, about: TemplateSeries, markers: Markers) -> None:
    """Mark a copy of the last series as the template of additional series; must run before the last one is marked."""
    _strip(series)
    for bars in _custom_bars(series):
        remove(bars)
    for point in (*series.iterchildren(C + "dPt"), *_labels(series)):
        remove(point)
    _remove_extensions(series, ("uniqueId",))
    for properties in (*series.iterchildren(C + "spPr"), *series.findall(f"{C}marker/{C}spPr")):
        for fill in (*properties.iterchildren(*_FILLS), *properties.findall(f"{A}ln/*")):
            if fill.tag in _FILLS:
                remove(fill)
    _place_labels(series, about, markers)
    mark_paint(series, markers)
    _wrap(series, number, None, about, markers)


def _strip(series: Element) -> None:
    for name in _DATA:
        for child in series.findall(C + name):
            remove(child)
    for label in list(_labels(series)):
        if any(field.get("type") == "CELLRANGE" for field in label.iter(A + "fld")):
            remove(label)


def _custom_bars(series: Element) -> list[Element]:
    """Return the error bars with custom lengths, which belong to the template's points."""
    found = ((bars, bars.find(C + "errValType")) for bars in series.findall(C + "errBars"))
    return [bars for bars, kind in found if kind is not None and kind.get("val") == "cust"]


def _labels(series: Element) -> Iterator[Element]:
    for labels in series.iterchildren(C + "dLbls"):
        yield from labels.iterchildren(C + "dLbl")


def remove_cell_extensions(parent: Element) -> None:
    """Remove the extensions that refer to the template's cells."""
    _remove_extensions(parent, _ABOUT_CELLS)
    for shown in parent.iter("{*}showDataLabelsRange"):
        shown.set("val", "0")


def _remove_extensions(parent: Element, names: tuple[str, ...]) -> None:
    for extension in list(parent.iter(C + "ext")):
        if any(local_name(child).startswith(names) for child in extension.iterchildren()):
            remove(extension)


def _wrap(series: Element, number: int, index: int | None, about: TemplateSeries, markers: Markers) -> None:
    series.text = markers.node(Slot(HEAD_SLOT)) + (series.text or "")
    behind = next((child for child in series.iterchildren() if local_name(child) in _BEHIND), None)
    content = markers.node(Slot(CONTENT_SLOT))
    if behind is None:
        append_text(series, content)
    else:
        insert_before(behind, content)
    if _has_labels(series):
        mark_label_cells(series, markers)
    plot = series.getparent()
    is_xy = plot is not None and local_name(plot) in _XY
    formats = (about.label_format, about.value_format, about.size_format)
    form = SeriesForm(number, index, is_xy, *formats, about.categories)
    markers.wrap(series, lambda body: make_series(form, body))


def _has_labels(series: Element) -> bool:
    plot = series.getparent()
    return plot is not None and not local_name(plot).startswith("surface")


def _place_labels(series: Element, about: TemplateSeries, markers: Markers) -> None:
    """Mark the labels of a series before it has other marks; without labels, mark where they would be."""
    mark = mark_labels(series, about.labels, markers) if _has_labels(series) else ""
    names = _BEHIND | {"trendline", "errBars"}
    behind = next((child for child in series.iterchildren() if local_name(child) in names), None)
    if behind is None:
        append_text(series, mark)
    else:
        insert_before(behind, mark)
