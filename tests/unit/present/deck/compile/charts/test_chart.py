"""Native charts from data: `{{chart:sales}}` in a chart's alternative text."""

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from datetime import date
from functools import cache
from typing import Any

import pytest
from pptx import Presentation
from pptx.chart.data import BubbleChartData, CategoryChartData, XyChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from meetdeck.present.deck import BadData, Deck, SlideRequest, build_deck, compile_template
from meetdeck.present.deck.opc.xml import Element, parse
from support.package_checker.soundness import assert_sound
from support.package_checker.workbooks import Sheet, read_workbook

_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_SALES = {
    "categories": ["North", "South"],
    "series": [{"name": "Plan", "values": [5, 6.5]}, {"name": "Done", "values": [4, None]}],
}

ReplaceParts = Callable[[bytes, Mapping[str, bytes | None]], bytes]


def _category_data(series: int, categories: Sequence[object] = ("Q1", "Q2", "Q3")) -> Any:
    data: Any = CategoryChartData(number_format="0.0")
    data.categories = categories
    for number in range(series):
        data.add_series(f"Old {number + 1}", range(number, number + len(categories)))
    return data


def _xy_data(*, bubbles: bool) -> Any:
    data: Any = BubbleChartData() if bubbles else XyChartData()
    series = data.add_series("Old 1")
    series.add_data_point(1, 2, *([3] if bubbles else []))
    return data


def _save(presentation: Any) -> bytes:
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def _make(data: Any, kind: Any = XL_CHART_TYPE.COLUMN_CLUSTERED, change: Callable[[Any], None] | None = None) -> bytes:
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    slide.name = "Chart"
    frame = slide.shapes.add_chart(kind, 0, 0, Inches(5), Inches(4), data)
    frame.name = "Sales chart"
    frame.element.xpath("./p:nvGraphicFramePr/p:cNvPr")[0].set("descr", "{{chart:sales}}")
    if change:
        change(frame.chart)
    return _save(presentation)


@cache
def _columns() -> bytes:
    return _make(_category_data(3))


def _build(template: bytes, *values: object) -> Deck:
    deck = build_deck(compile_template(template), [SlideRequest("Chart", {"sales": value}) for value in values])
    assert_sound(deck.content, template)
    return deck


def _charts(deck: Deck | bytes) -> list[Any]:
    presentation: Any = Presentation(io.BytesIO(deck.content if isinstance(deck, Deck) else deck))
    return [shape.chart for slide in presentation.slides for shape in slide.shapes if shape.has_chart]


def _shown(chart: Any) -> tuple[list[list[str]], list[tuple[str, tuple[float | None, ...]]]]:
    series = [(one.name, tuple(one.values)) for plot in chart.plots for one in plot.series]
    return [list(plot.categories) for plot in chart.plots], series


def _cells(chart: Any) -> Sheet:
    sheets = read_workbook(chart.part.chart_workbook.xlsx_part.blob).sheets
    return next(iter(sheets.values()))


def _numbers(chart: Any, name: str) -> list[str]:
    return [series.find(_C + name).get("val") for series in chart.element.iter(_C + "ser")]


def test_chart_and_workbook_show_the_data() -> None:
    (chart,) = _charts(_build(_columns(), _SALES))
    assert _shown(chart) == ([["North", "South"]], [("Plan", (5.0, 6.5)), ("Done", (4.0, None))])
    assert _cells(chart) == {
        (1, 2): "Plan",
        (1, 3): "Done",
        (2, 1): "North",
        (2, 2): 5.0,
        (2, 3): 4.0,
        (3, 1): "South",
        (3, 2): 6.5,
    }


def test_each_copy_has_a_chart_of_its_own() -> None:
    deck = _build(_columns(), _SALES, [["", "A"], ["x", 1]], _SALES)
    first, second, third = _charts(deck)
    assert _shown(second) == ([["x"]], [("A", (1.0,))])
    assert _shown(first) == _shown(third)
    workbooks = [chart.part.chart_workbook.xlsx_part.partname for chart in (first, second, third)]
    assert len(set(workbooks)) == 3
    second.replace_data(_category_data(1))
    assert _cells(first)[1, 2] == _cells(third)[1, 2] == "Plan"


def test_the_same_data_give_the_same_bytes() -> None:
    assert _build(_columns(), _SALES).content == _build(_columns(), _SALES).content


@pytest.mark.parametrize(
    "kind",
    [
        *("BAR_STACKED", "BAR_STACKED_100", "LINE_MARKERS", "AREA_STACKED", "PIE", "PIE_EXPLODED", "DOUGHNUT"),
        *("RADAR_FILLED", "COLUMN_STACKED", "LINE_STACKED_100"),
    ],
)
def test_every_kind_of_chart_with_categories(kind: str) -> None:
    template = _make(_category_data(2), XL_CHART_TYPE[kind])
    series = [{"name": f"S{number}", "values": [number, 1.5]} for number in range(4)]
    (chart,) = _charts(_build(template, {"categories": ["a", "b"], "series": series}))
    assert _shown(chart) == ([["a", "b"]], [(f"S{number}", (number, 1.5)) for number in range(4)])
    assert chart.chart_type == XL_CHART_TYPE[kind]


def test_a_scatter_chart_has_x_and_y() -> None:
    template = _make(_xy_data(bubbles=False), XL_CHART_TYPE.XY_SCATTER)
    series = [{"name": "A", "x": [1, 2], "y": [3, 4]}, {"name": "B", "x": [5], "y": [None]}]
    (chart,) = _charts(_build(template, {"series": series}))
    assert [(one.name, list(one.iter_values())) for one in chart.plots[0].series] == [("A", [3.0, 4.0]), ("B", [None])]
    assert [
        v.text
        for v in chart.element.iter(_C + "v")
        if v.getparent().getparent().getparent().getparent().tag == _C + "xVal"
    ] == ["1", "2", "5"]
    # Markers without lines stay so in a series that the template does not have.
    assert len(chart.element.findall(f".//{_C}ser/{_C}spPr/{_A}ln/{_A}noFill")) == 2
    assert _cells(chart) == {(1, 2): "A", (2, 1): 1, (2, 2): 3, (3, 1): 2, (3, 2): 4, (1, 4): "B", (2, 3): 5}


def test_a_bubble_chart_has_sizes() -> None:
    template = _make(_xy_data(bubbles=True), XL_CHART_TYPE.BUBBLE)
    (chart,) = _charts(_build(template, [["x", "A", "size"], [1, 2, 3], [4, 5, 6]]))
    assert [v.text for v in chart.element.find(f".//{_C}bubbleSize").iter(_C + "v")] == ["3", "6"]
    assert _cells(chart)[3, 3] == 6


def test_dates_stay_dates() -> None:
    template = _make(_category_data(1, [date(2025, 1, 1), date(2025, 2, 1)]), XL_CHART_TYPE.LINE)
    (chart,) = _charts(_build(template, [["", "A"], ["2026-01-31", 1], ["2026-02-28", 2]]))
    assert [v.text for v in chart.element.find(f".//{_C}cat").iter(_C + "v")] == ["46053", "46081"]
    assert chart.element.find(f".//{_C}cat//{_C}formatCode").text == "yyyy\\-mm\\-dd"
    assert _cells(chart)[2, 1] == 46053


def _paint(chart: Any) -> None:
    for series, grey in zip(chart.plots[0].series, (0x11, 0x22, 0x33), strict=True):
        series.format.fill.solid()
        series.format.fill.fore_color.rgb = RGBColor(grey, grey, grey)
        for number in (0, 2):
            point = series.points[number]
            point.format.fill.solid()
            point.data_label.has_text_frame = True


def _colors(chart: Any) -> list[str]:
    return [
        "".join(color.get("val") for color in series.findall(f"{_C}spPr/{_A}solidFill/{_A}srgbClr"))
        for series in chart.element.iter(_C + "ser")
    ]


def test_a_series_takes_the_format_of_its_name_else_of_its_position() -> None:
    template = _make(_category_data(3), change=_paint)
    rows = [["", "Old 3", "New", "Old 1", "More", "Still more"], ["x", 1, 2, 3, 4, 5]]
    (chart,) = _charts(_build(template, rows))
    assert [name for name, _ in _shown(chart)[1]] == rows[0][1:]
    assert _colors(chart) == ["333333", "222222", "111111", "", ""]
    assert _numbers(chart, "idx") == ["2", "1", "0", "3", "4"]
    assert _numbers(chart, "order") == ["0", "1", "2", "3", "4"]


def test_formats_of_points_that_are_not_there_go() -> None:
    template = _make(_category_data(3), change=_paint)
    points = _charts(_build(template, [["", "A"], ["x", 1], ["y", 2]]))[0].element.findall(f".//{_C}dPt")
    assert [point.find(_C + "idx").get("val") for point in points] == ["0"]
    labels = _charts(_build(template, [["", "A"], *[["x", 1]] * 3]))[0].element.findall(f".//{_C}dLbl")
    assert [label.find(_C + "idx").get("val") for label in labels] == ["0", "2"]


@pytest.mark.parametrize("value", [[], {"categories": [], "series": []}])
def test_an_empty_chart_keeps_its_plot_and_axes(value: object) -> None:
    (chart,) = _charts(_build(_columns(), value))
    assert [len(plot.series) for plot in chart.plots] == [0]
    assert chart.category_axis is not None


def test_series_without_points_are_shown_by_name() -> None:
    (chart,) = _charts(_build(_columns(), [["", "A", "B"]]))
    assert [name for name, _ in _shown(chart)[1]] == ["A", "B"]


def _combine(chart: Any) -> None:
    """Make the last series a line on axes of its own."""
    area = chart.element.find(f".//{_C}plotArea")
    bars = area.find(_C + "barChart")
    last = bars.findall(_C + "ser")[-1]
    line = parse(
        f'<c:lineChart xmlns:c="{_C[1:-1]}"><c:grouping val="standard"/><c:varyColors val="0"/>'
        '<c:marker val="1"/><c:axId val="91"/><c:axId val="92"/></c:lineChart>'.encode()
    )
    for child in list(last):
        if child.tag == _C + "invertIfNegative":
            last.remove(child)
    _lxml(line).insert(2, last)
    bars.addnext(line)
    axes = [axis for axis in area if axis.tag.endswith("Ax")]
    for axis, (identifier, other) in zip(axes, [("91", "92"), ("92", "91")], strict=True):
        copy = deepcopy(axis)
        copy.find(_C + "axId").set("val", identifier)
        copy.find(_C + "crossAx").set("val", other)
        area.append(copy)


def _lxml(element: Element) -> Any:
    return element


def _plots(chart: Any) -> list[tuple[str, list[str]]]:
    return [
        (plot.tag.removeprefix(_C), [axis.get("val") for axis in plot.findall(_C + "axId")])
        for plot in chart.element.find(f".//{_C}plotArea")
        if plot.tag.endswith("Chart")
    ]


@cache
def _combined() -> bytes:
    return _make(_category_data(3), change=_combine)


def test_a_combination_keeps_bars_and_line() -> None:
    (chart,) = _charts(_build(_combined(), [["", "A", "B", "Old 3", "C"], ["x", 1, 2, 3, 4]]))
    assert [kind for kind, _ in _plots(chart)] == ["barChart", "lineChart"]
    assert [[one.name for one in plot.series] for plot in chart.plots] == [["A", "B"], ["Old 3", "C"]]


def test_a_plot_without_series_goes_with_its_axes() -> None:
    (chart,) = _charts(_build(_combined(), [["", "A"], ["x", 1]]))
    assert [kind for kind, _ in _plots(chart)] == ["barChart"]
    assert len([axis for axis in chart.element.find(f".//{_C}plotArea") if axis.tag.endswith("Ax")]) == 2


def test_what_stays_of_a_combination_moves_to_the_primary_axes() -> None:
    before = _plots(_charts(_combined())[0])
    (chart,) = _charts(_build(_combined(), [["", "Old 3"], ["x", 1]]))
    assert _plots(chart) == [("lineChart", before[0][1])]


def test_disagreeing_rows_are_refused_with_slide_shape_tag_and_path() -> None:
    with pytest.raises(BadData) as caught:
        _build(_columns(), {"categories": ["a", "b"], "series": [{"name": "Sales", "values": [1]}]})
    problem = caught.value
    assert (problem.slide, problem.shape, problem.tag) == ("Chart", "Sales chart", "{{chart:sales}}")
    assert problem.path == "sales.series.0.values"
    assert "1 values for 2 categories" in problem.reason


def test_a_stock_chart_wants_its_three_or_four_series() -> None:
    def change(chart: Any) -> None:
        plot = chart.element.find(f".//{_C}lineChart")
        for child in list(plot):
            if child.tag.removeprefix(_C) in {"grouping", "varyColors", "marker", "smooth"}:
                plot.remove(child)
        for smooth in plot.findall(f"{_C}ser/{_C}smooth"):
            smooth.getparent().remove(smooth)
        plot.tag = _C + "stockChart"

    template = _make(_category_data(3), XL_CHART_TYPE.LINE, change)
    compiled = compile_template(template)
    deck = build_deck(compiled, [SlideRequest("Chart", {"sales": [["", "High", "Low", "Close"], ["x", 3, 1, 2]]})])
    assert_sound(deck.content, template)
    for value in ([], [["", "High", "Low"], ["x", 3, 1]]):
        with pytest.raises(BadData, match="three or four series"):
            build_deck(compiled, [SlideRequest("Chart", {"sales": value})])


def test_a_missing_value_drops_the_chart() -> None:
    deck = build_deck(compile_template(_columns()), [SlideRequest("Chart", {})])
    assert_sound(deck.content, _columns())
    assert _charts(deck) == []
    with zipfile.ZipFile(io.BytesIO(deck.content)) as archive:
        assert not [name for name in archive.namelist() if "chart" in name.lower() or name.endswith(".xlsx")]


def _without_series(chart: Any) -> None:
    for series in list(chart.element.iter(_C + "ser")):
        series.getparent().remove(series)


def test_a_template_chart_without_series_gets_some() -> None:
    (chart,) = _charts(_build(_make(_category_data(1), change=_without_series), _SALES))
    assert [name for name, _ in _shown(chart)[1]] == ["Plan", "Done"]


def test_what_refers_to_the_templates_cells_goes(replace_parts: ReplaceParts) -> None:
    with zipfile.ZipFile(io.BytesIO(_columns())) as archive:
        name = next(name for name in archive.namelist() if "charts/chart" in name and name.endswith(".xml"))
        chart = archive.read(name).decode()
    extension = (
        '<c:extLst><c:ext uri="{02D57815-91ED-43cb-92C2-25804820EDAC}" xmlns:c15="http://schemas.microsoft.com/office/'
        'drawing/2012/chart"><c15:datalabelsRange><c15:f>Sheet1!$Z$1</c15:f></c15:datalabelsRange></c:ext></c:extLst>'
    )
    chart = chart.replace("</c:ser>", extension + "</c:ser>")
    pivot = '<c:pivotSource><c:name>P</c:name><c:fmtId val="0"/></c:pivotSource>'
    chart = chart.replace("<c:chart>", pivot + "<c:chart>")
    template = compile_template(replace_parts(_columns(), {name: chart.encode()}))
    deck = build_deck(template, [SlideRequest("Chart", {"sales": _SALES})])
    with zipfile.ZipFile(io.BytesIO(deck.content)) as archive:
        filled = archive.read(name).decode()
    assert "datalabelsRange" not in filled
    assert "pivotSource" not in filled


def test_tags_in_titles_of_a_filled_chart_are_filled() -> None:
    def change(chart: Any) -> None:
        chart.has_title = True
        chart.chart_title.text_frame.text = "Sales of {{year}}"

    template = compile_template(_make(_category_data(3), change=change))
    deck = build_deck(template, [SlideRequest("Chart", {"sales": _SALES, "year": 2026})])
    assert _charts(deck)[0].chart_title.text_frame.text == "Sales of 2026"
