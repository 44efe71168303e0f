"""Compile a chart of Office 2016 (MS-ODRAWXML 2.24) that the data fills: a waterfall, funnel, treemap or sunburst."""

from copy import deepcopy
from typing import Final, NamedTuple

from meetdeck.present.deck.compile.charts.series import GENERAL, TemplateSeries, read_value
from meetdeck.present.deck.compile.charts.workbook import ChartWorkbook, read_rows
from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.language.values import escape_attribute, escape_text
from meetdeck.present.deck.opc.xml import (
    A,
    Element,
    append_text,
    insert_after,
    insert_before,
    local_name,
    parse,
    remove,
    serialize_inside,
)
from meetdeck.present.deck.program.charts.cells import quote_sheet, read_reference, write_string
from meetdeck.present.deck.program.charts.data import ChartTemplate
from meetdeck.present.deck.program.charts.extended import SUBTOTALS_SLOT, ExtendedChart
from meetdeck.present.deck.program.charts.points import POINT_SLOT, ColorHole, PointRange, Points, SeriesLook
from meetdeck.present.deck.program.charts.series import CONTENT_SLOT, HEAD_SLOT, ChartSheet
from meetdeck.present.deck.program.charts.source import ChartSource
from meetdeck.present.deck.program.nodes import Slot
from meetdeck.present.deck.program.scope import Program

CX: Final = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
_NAMESPACES: Final = f'xmlns:cx="{CX[1:-1]}" xmlns:a="{A[1:-1]}"'
_LAYOUTS: Final = frozenset({"waterfall", "funnel", "treemap", "sunburst"})
_DEFAULT_SHEET: Final = "Sheet1"
_FILLS: Final = tuple(A + name for name in ("noFill", "solidFill", "gradFill", "pattFill", "blipFill", "grpFill"))


class ExtendedForm(NamedTuple):
    """The form of a chart's data in its template: `categories` are its names, `subtotals` the places of its totals."""

    template: ChartTemplate
    sizes: str
    categories: tuple[str, ...]
    subtotals: tuple[int, ...]
    series: TemplateSeries


def read_form(root: Element) -> ExtendedForm | None:
    """Return the form of a chart's data, None for a chart that cannot be filled."""
    series, data = _find_parts(root)
    if series is None or data is None:
        return None
    layout = series.get("layoutId", "") or ""
    names, numbers = data.find(CX + "strDim"), data.find(CX + "numDim")
    if layout not in _LAYOUTS or numbers is None:
        return None
    levels = names.findall(CX + "lvl") if names is not None else []
    texts = {
        read_index(point): write_string(point.text or "")
        for point in (levels[0].iterchildren(CX + "pt") if levels else ())
    }
    totals = sorted({read_value(index) for index in series.findall(f"{CX}layoutPr/{CX}subtotals/{CX}idx")})
    template = ChartTemplate(levels=max(1, len(levels)), layout=layout)
    categories = tuple(texts.get(number, "") for number in range(max(texts, default=-1) + 1))
    sizes = escape_attribute(numbers.get("type", "val") or "val")
    return ExtendedForm(template, sizes, categories, tuple(totals), _read_cells(series, names, numbers))


def read_index(point: Element) -> int:
    """Return the number of a point, which is an attribute."""
    text = point.get("idx", "") or ""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= len("99999") else 0


def _find_parts(root: Element) -> tuple[Element | None, Element | None]:
    """Return the only series of a chart, and the c:data that it shows."""
    series = root.findall(f"{CX}chart/{CX}plotArea/{CX}plotAreaRegion/{CX}series")
    identifier = series[0].find(CX + "dataId") if len(series) == 1 else None
    if identifier is None:
        return None, None
    sources = root.findall(f"{CX}chartData/{CX}data")
    return series[0], next((data for data in sources if data.get("id") == identifier.get("val")), None)


def _read_cells(series: Element, names: Element | None, numbers: Element) -> TemplateSeries:
    name = series.find(f"{CX}tx/{CX}txData/{CX}f")
    formulas = [name, names.find(CX + "f") if names is not None else None, numbers.find(CX + "f")]
    found = [read_reference(formula.text or "") if formula is not None else None for formula in formulas]
    sheet = next((one.sheet for one in found if one), "")
    cells = [one.cell if one else "" for one in found]
    code = next((level.get("formatCode", "") or "" for level in numbers.iterchildren(CX + "lvl")), "") or GENERAL
    return TemplateSeries("", 0, 0, sheet, GENERAL, escape_attribute(code), GENERAL, cells[0], cells[1], cells[2], "")


def mark_extended(
    root: Element, form: ExtendedForm, source: ChartSource, book: ChartWorkbook | None, part: str, markers: Markers
) -> ChartSheet:
    """Replace the data of a chart by a node, mark its series, and return its sheet."""
    series, data = _find_parts(root)
    name = book.sheet.name if book else form.series.sheet or _DEFAULT_SHEET
    rows = read_rows(book, [form.series]) if book else None
    sheet = ChartSheet(escape_text(quote_sheet(name)), f"rows:{part}", rows)
    about, chart = root.find(CX + "chartData"), root.find(CX + "chart")
    if series is None or data is None or about is None or chart is None:
        return sheet
    for child in list(data.iterchildren()):
        remove(child)
    data.text = markers.node(Slot(CONTENT_SLOT))
    for other in about.findall(CX + "data"):
        if other is not data:
            remove(other)
    points = {read_index(point) for point in series.iterchildren(CX + "dataPt")}
    _mark_series(series, form, markers)
    prefix = f"{data.prefix}:" if data.prefix else ""
    facts = (prefix, form.sizes, form.series.value_format, tuple(sorted(points)), form.subtotals, form.categories)
    opening, closing = markers.range(lambda body: ExtendedChart(source, sheet, *facts, body))
    insert_before(about, opening)
    insert_after(chart, closing)
    return sheet


def _mark_series(series: Element, form: ExtendedForm, markers: Markers) -> None:
    """Mark name, look, points, labels and totals of a series, in the order of the schema."""
    for text in series.findall(CX + "tx"):
        remove(text)
    if not form.template.is_tree:
        _mark_looks(series, markers)
    labels = series.find(CX + "dataLabels")
    if labels is not None:
        own = list(labels.iterchildren(CX + "dataLabel", CX + "dataLabelHidden"))
        _mark_points(own, None, markers, labels)
    if form.template.layout == "waterfall":
        _mark_subtotals(series, markers)
    series.text = markers.node(Slot(HEAD_SLOT)) + (series.text or "")


def _mark_looks(series: Element, markers: Markers) -> None:
    points = list(series.iterchildren(CX + "dataPt"))
    own = series.find(CX + "spPr")
    colored = markers.cut_bytes(serialize_inside(_color(_find_shape_properties(own), markers), series))
    point = next(parse(f"<cx:x {_NAMESPACES}><cx:dataPt/></cx:x>".encode()).iterchildren())
    point.insert(0, _find_shape_properties(own))
    form = markers.cut_bytes(serialize_inside(_color_point(point, markers), series))
    if points:
        _mark_points(points, form, markers, series)
    else:
        _put(series, ("spPr", "valueColors", "valueColorPositions"), markers.node(Points((), form)))
    if own is not None:
        markers.wrap(own, lambda body: SeriesLook(body, colored))
    else:
        series.text = markers.node(SeriesLook((), colored)) + (series.text or "")


def _mark_points(points: list[Element], form: Program | None, markers: Markers, scope: Element) -> None:
    if not points:
        return
    opening, closing = markers.range(lambda body: Points(body, form))
    insert_before(points[0], opening)
    insert_after(points[-1], closing)
    for point in points:
        number, colored = read_index(point), None
        if form is not None:
            copy = deepcopy(point)
            copy.tail = None
            colored = markers.cut_bytes(serialize_inside(_color_point(copy, markers), scope))
        point.set("idx", markers.node(Slot(POINT_SLOT)))
        markers.wrap(point, lambda body, number=number, colored=colored: PointRange(number, body, colored))


def _color_point(point: Element, markers: Markers) -> Element:
    point.set("idx", markers.node(Slot(POINT_SLOT)))
    look = point.find(CX + "spPr")
    if look is None:
        look = _find_shape_properties(None)
        point.insert(0, look)
    _color(look, markers)
    return point


def _find_shape_properties(own: Element | None) -> Element:
    look = (
        next(parse(f"<cx:x {_NAMESPACES}><cx:spPr/></cx:x>".encode()).iterchildren()) if own is None else deepcopy(own)
    )
    look.tail = None
    return look


def _color(look: Element, markers: Markers) -> Element:
    for fill in list(look.iterchildren(*_FILLS)):
        remove(fill)
    fill = next(parse(f"<a:x {_NAMESPACES}><a:solidFill/></a:x>".encode()).iterchildren())
    look.insert(sum(local_name(child) in {"xfrm", "custGeom", "prstGeom"} for child in look.iterchildren()), fill)
    fill.text = markers.node(ColorHole(f"{fill.prefix}:" if fill.prefix else ""))
    return look


def _mark_subtotals(series: Element, markers: Markers) -> None:
    layout = series.find(CX + "layoutPr")
    if layout is None:
        layout = next(parse(f"<cx:x {_NAMESPACES}><cx:layoutPr/></cx:x>".encode()).iterchildren())
        behind = [number for number, child in enumerate(series.iterchildren()) if local_name(child) == "dataId"]
        series.insert(behind[0] + 1, layout)
    totals = layout.find(CX + "subtotals")
    if totals is None:
        totals = next(parse(f"<cx:x {_NAMESPACES}><cx:subtotals/></cx:x>".encode()).iterchildren())
        layout.insert(sum(local_name(child) != "extLst" for child in layout.iterchildren()), totals)
    for child in list(totals.iterchildren()):
        remove(child)
    totals.text = None
    append_text(totals, markers.node(Slot(SUBTOTALS_SLOT)))


def _put(parent: Element, before: tuple[str, ...], mark: str) -> None:
    """Insert a mark after the children with the local names `before`."""
    previous = [child for child in parent.iterchildren() if local_name(child) in before]
    if previous:
        insert_after(previous[-1], mark)
    else:
        parent.text = mark + (parent.text or "")
