"""Labels of points that come from cells, and custom error bars, in charts that the data fills."""

import io
import re
import zipfile
from collections.abc import Callable
from typing import Any, Final

import pytest
from pptx import Presentation
from pptx.chart.data import BubbleChartData, CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml import parse_xml
from pptx.util import Inches

from meetdeck.present.deck import BadData, Deck, compile_template, whole_deck
from support.package_checker.soundness import assert_sound
from support.package_checker.workbooks import read_workbook

_C: Final = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_NAMES: Final = (
    f'xmlns:c="{_C}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:c15="http://schemas.microsoft.com/office/drawing/2012/chart"'
)
_SHOW: Final = "".join(
    f'<c:{name} val="0"/>'
    for name in ("showLegendKey", "showVal", "showCatName", "showSerName", "showPercent", "showBubbleSize")
)
_LABEL: Final = (
    '<c:dLbl><c:idx val="%d"/><c:tx><c:rich><a:bodyPr/><a:p><a:fld id="{0B5F7A2E-0000-4000-8000-00000000000%d}" '
    'type="CELLRANGE"><a:rPr b="1"/><a:t>[CELLRANGE]</a:t></a:fld></a:p></c:rich></c:tx>' + _SHOW + "<c:extLst>"
    '<c:ext uri="{CE6537A1-D6FC-4f65-9D91-7224C49458BB}"><c15:dlblFieldTable/><c15:showDataLabelsRange val="1"/>'
    "</c:ext></c:extLst></c:dLbl>"
)
_KINDS: Final = ("scatter", "bubble", "column")


def _chart(kind: str) -> tuple[Any, Any]:
    """Return a kind of chart and data of three points."""
    data: Any
    if kind == "column":
        data = CategoryChartData()
        data.categories = ["a", "b", "c"]
        data.add_series("S", (1, 2, 3))
        return XL_CHART_TYPE.COLUMN_CLUSTERED, data
    data = XyChartData() if kind == "scatter" else BubbleChartData()
    series = data.add_series("S")
    for number in range(3):
        series.add_data_point(*([number] * (2 if kind == "scatter" else 3)))
    return XL_CHART_TYPE.XY_SCATTER if kind == "scatter" else XL_CHART_TYPE.BUBBLE, data


def _points(count: int) -> str:
    return f'<c:ptCount val="{count}"/>' + "".join(f'<c:pt idx="{n}"><c:v>{n + 1}</c:v></c:pt>' for n in range(count))


def _bars(count: int) -> str:
    numbers = f"<c:numRef><c:f>Sheet1!$F$2:$F$4</c:f><c:numCache>{_points(count)}</c:numCache></c:numRef>"
    return (
        f'<c:errBars {_NAMES}><c:errDir val="y"/><c:errBarType val="both"/><c:errValType val="cust"/>'
        f"<c:plus>{numbers}</c:plus><c:minus>{numbers}</c:minus></c:errBars>"
    )


def _template(kind: str, *, labels: int = 0, bars: int = 0) -> bytes:
    """Make a slide of one chart, whose points have labels from cells and error bars of their own."""
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    chart_type, data = _chart(kind)
    frame = slide.shapes.add_chart(chart_type, 0, 0, Inches(6), Inches(4), data)
    frame.name = "Chart"
    frame._element.nvGraphicFramePr.cNvPr.set("descr", "{{chart:sales}}")  # noqa: SLF001 - python-pptx has no way to it
    series = next(frame.chart._chartSpace.iter(f"{{{_C}}}ser"))  # noqa: SLF001
    first = next(child for child in series if child.tag.rpartition("}")[2] in {"cat", "xVal"})
    if labels:
        own = "".join(_LABEL % (number, number) for number in range(labels))
        first.addprevious(parse_xml(f"<c:dLbls {_NAMES}>{own}{_SHOW}</c:dLbls>"))
        cells = f"<c15:f>Sheet1!$E$2:$E$4</c15:f><c15:dlblRangeCache>{_points(labels)}</c15:dlblRangeCache>"
        series.append(
            parse_xml(
                f'<c:extLst {_NAMES}><c:ext uri="{{02D57815-91ED-43cb-92C2-25804820EDAC}}"><c15:datalabelsRange>{cells}'
                "</c15:datalabelsRange></c:ext></c:extLst>"
            )
        )
    if bars:
        first.addprevious(parse_xml(_bars(bars)))
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def _data(kind: str, count: int, **members: object) -> dict[str, object]:
    numbers = list(range(count))
    series = {"name": "S", "values": numbers} | ({"x": numbers, "size": numbers} if kind != "column" else {}) | members
    return {"categories": [f"k{number}" for number in numbers], "series": [series]}


@pytest.fixture
def fill() -> Callable[..., tuple[Deck, str]]:
    """Fill a template's chart; return the deck and the chart's part."""

    def fill(template: bytes, sales: object) -> tuple[Deck, str]:
        deck = whole_deck(compile_template(template), {"sales": sales})
        assert_sound(deck.content, template)
        with zipfile.ZipFile(io.BytesIO(deck.content)) as archive:
            (name,) = (name for name in archive.namelist() if re.fullmatch(r"ppt/charts/chart\d+\.xml", name))
            return deck, archive.read(name).decode()

    return fill


def _shown(chart: str) -> list[tuple[str, str]]:
    """Return the points that have a label from a cell, and its text."""
    return re.findall(
        r'<c:dLbl(?: [^>]*)?><c:idx val="(\d+)"/>.*?type="CELLRANGE".*?<a:t>([^<]*)</a:t>.*?</c:dLbl>', chart
    )


def _cached(chart: str) -> tuple[str, list[str]]:
    """Return the cells that labels come from, and what they say."""
    found = re.search("<c15:datalabelsRange><c15:f>([^<]*)</c15:f>(.*?)</c15:datalabelsRange>", chart, re.DOTALL)
    return (found[1], re.findall("<c:v>([^<]*)</c:v>", found[2])) if found else ("", [])


@pytest.mark.parametrize("kind", _KINDS)
@pytest.mark.parametrize("own", [0, 3])
def test_the_data_names_its_points(fill: Callable[..., tuple[Deck, str]], kind: str, own: int) -> None:
    deck, chart = fill(_template(kind, labels=own), _data(kind, 4, labels=["A & B", None, "C\nD", 7]))
    assert _shown(chart) == [("0", "A &amp; B"), ("2", "C\nD"), ("3", "7")]
    cells, texts = _cached(chart)
    assert texts == ["A &amp; B", "C\nD", "7"]
    assert 'showDataLabelsRange val="1"' in chart
    assert deck.findings == ()
    with zipfile.ZipFile(io.BytesIO(deck.content)) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".xlsx"))
        sheet = next(iter(read_workbook(archive.read(name)).sheets.values()))
    column = cells.split("$")[1]
    assert cells == f"Sheet1!${column}$2:${column}$5"
    at = ord(column) - ord("A") + 1
    assert [sheet.get((row, at)) for row in range(2, 6)] == ["A & B", None, "C\nD", "7"]


@pytest.mark.parametrize("kind", _KINDS)
def test_the_templates_labels_stay_where_there_are_as_many_points(
    fill: Callable[..., tuple[Deck, str]], kind: str
) -> None:
    template = _template(kind, labels=3)
    deck, chart = fill(template, _data(kind, 3))
    assert _shown(chart) == [("0", "1"), ("1", "2"), ("2", "3")]
    assert _cached(chart)[1] == ["1", "2", "3"]
    assert deck.findings == ()
    deck, chart = fill(template, _data(kind, 4))
    assert _shown(chart) == []
    assert 'showDataLabelsRange val="1"' not in chart
    assert [(f.code, f.type, f.details["shape"]) for f in deck.findings] == [("chart-labels", "Warning", "Chart")]


def test_a_series_without_labels_beside_one_with_them_has_none(fill: Callable[..., tuple[Deck, str]]) -> None:
    data: Any = _data("column", 2, labels=["a", "b"])
    data["series"].append({"name": "T", "values": [1, 2]})
    _, chart = fill(_template("column"), data)
    assert chart.count("<c15:datalabelsRange>") == len(re.findall("<c:dLbls[ >]", chart)) == 1


@pytest.mark.parametrize(
    ("labels", "path"), [("a", ".labels"), (["a"], ".labels"), ([["x"], 1], ".labels.0")], ids=["text", "one", "list"]
)
def test_labels_that_are_none_are_refused(labels: object, path: str) -> None:
    with pytest.raises(BadData) as refusal:
        whole_deck(compile_template(_template("column")), {"sales": _data("column", 2, labels=labels)})
    assert refusal.value.path == f"sales.series.0{path}"


@pytest.mark.parametrize(("bars", "count", "stay"), [(3, 3, True), (1, 5, True), (3, 4, False)])
def test_custom_error_bars_stay_where_they_are_about_as_many_points(
    fill: Callable[..., tuple[Deck, str]],
    bars: int,
    count: int,
    stay: bool,  # noqa: FBT001 - a case
) -> None:
    deck, chart = fill(_template("scatter", bars=bars), _data("scatter", count))
    assert ("<c:errBars" in chart) is stay
    assert "$F$2" not in chart
    assert chart.count("<c:numLit>") == (2 if stay else 0)
    assert [f.code for f in deck.findings] == ([] if stay else ["chart-error-bars"])
