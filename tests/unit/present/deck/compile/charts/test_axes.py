"""Bounds, steps and titles of a chart's axes from the data."""

import datetime as dt
from copy import deepcopy
from typing import Any

import pytest
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml import parse_xml

from meetdeck.present.deck import BadData
from meetdeck.present.deck.opc.xml import A, Element
from support.charts import C, fill_chart, make_chart_template

_SERIES = [{"name": "S", "values": [1, 2], "x": [1, 2], "size": [1, 2]}]


def _sales(**axes: object) -> dict[str, object]:
    return {"categories": ["A", "B"], "series": _SERIES, "axes": axes}


def _axes(chart: Element) -> list[dict[str, str | None]]:
    """Return the members of each axis, in the order of the part."""
    found: list[dict[str, str | None]] = []
    for axis in chart.iter(C + "catAx", C + "valAx", C + "dateAx"):
        members = {e: axis.find(path) for e, path in _PATHS.items()}
        shown = {name: element.get("val") for name, element in members.items() if element is not None}
        title = axis.find(C + "title")
        found.append(
            shown | ({"title": "".join(t.text or "" for t in title.iter(A + "t"))} if title is not None else {})
        )
    return found


_PATHS = {"min": f"{C}scaling/{C}min", "max": f"{C}scaling/{C}max", "step": C + "majorUnit"}


def _bounded(chart: Any) -> None:
    axis = chart.value_axis
    axis.minimum_scale, axis.maximum_scale, axis.major_unit, axis.minor_unit = 5, 50, 10, 2
    axis.axis_title.text_frame.text = "made up {{unit}}"
    axis.axis_title.text_frame.paragraphs[0].runs[0].font.bold = True


def test_bounds_step_and_title_come_from_the_data() -> None:
    axes = {"value": {"min": -10, "max": 100.5, "step": 20, "title": "t & kr."}, "category": {"title": "Region"}}
    deck, chart = fill_chart(make_chart_template(), _sales(**axes))
    assert _axes(chart) == [
        {"title": "Region"},
        {"min": "-10", "max": "100.5", "step": "20", "title": "t & kr."},
    ]
    assert not deck.findings


def test_those_of_the_template_stay_where_the_data_says_nothing() -> None:
    _, chart = fill_chart(make_chart_template(change=_bounded), _sales(value={"max": 80}))
    assert _axes(chart)[1] == {"min": "5.0", "max": "80", "step": "10.0", "title": "made up "}


def test_null_is_automatic_and_no_title() -> None:
    value = {"min": None, "max": None, "step": None, "title": None}
    _, chart = fill_chart(make_chart_template(change=_bounded), _sales(value=value))
    assert _axes(chart)[1] == {}
    assert chart.find(f".//{C}minorUnit") is None


def test_a_title_of_the_data_looks_like_that_of_the_template() -> None:
    _, chart = fill_chart(make_chart_template(change=_bounded), _sales(value={"title": "mio. kr."}))
    (run,) = (run for title in chart.iter(C + "title") for run in title.iter(A + "r"))
    looks = run.find(A + "rPr")
    assert looks is not None
    assert looks.get("b") == "1"
    assert _axes(chart)[1]["title"] == "mio. kr."


@pytest.mark.parametrize("kind", [XL_CHART_TYPE.XY_SCATTER, XL_CHART_TYPE.BUBBLE])
def test_points_have_axes_x_and_y(kind: Any) -> None:
    _, chart = fill_chart(make_chart_template(kind), _sales(x={"min": 1, "title": "Risk"}, y={"max": 9}))
    first, second = _axes(chart)
    assert (first.get("min"), first.get("title"), second.get("max")) == ("1", "Risk", "9")


def test_a_date_axis_takes_dates() -> None:
    dates = (dt.date(2026, 1, 1), dt.date(2026, 2, 1))
    sales = _sales(category={"min": "2026-01-01", "max": "2026-12-31", "step": 2})
    sales["categories"] = ["2026-03-01", "2026-04-01"]
    _, chart = fill_chart(make_chart_template(XL_CHART_TYPE.LINE, dates), sales)
    assert _axes(chart)[0] == {"min": "46023", "max": "46387", "step": "2"}


def _add_second_plot(chart: Any) -> None:
    """Add a line plot with a series and axes of its own."""
    area = chart._chartSpace.chart.plotArea  # noqa: SLF001 - python-pptx cannot add a plot
    area.xpath("c:barChart")[0].addnext(
        parse_xml(
            f'<c:lineChart xmlns:c="{C[1:-1]}"><c:grouping val="standard"/><c:varyColors val="0"/><c:ser>'
            '<c:idx val="1"/><c:order val="1"/></c:ser><c:marker val="1"/>'
            '<c:axId val="71"/><c:axId val="72"/></c:lineChart>'
        )
    )
    for axis, own, other in zip(area.xpath("c:catAx|c:valAx"), ("71", "72"), ("72", "71"), strict=True):
        copy = deepcopy(axis)
        copy.xpath("c:axId")[0].set("val", own)
        copy.xpath("c:crossAx")[0].set("val", other)
        area.xpath("c:valAx")[-1].addnext(copy)


def test_a_second_value_axis_has_bounds_of_its_own() -> None:
    sales = _sales(secondValue={"max": 1}, value={"max": 9}) | {"series": [_SERIES[0], _SERIES[0] | {"name": "T"}]}
    _, chart = fill_chart(make_chart_template(change=_add_second_plot), sales)
    assert sorted(filter(None, (axis.get("max") for axis in _axes(chart)))) == ["1", "9"]


@pytest.mark.parametrize(
    ("axes", "path"),
    [
        ({"value": {"min": "x"}}, "sales.axes.value.min"),
        ({"value": {"min": 5, "max": 5}}, "sales.axes.value.max"),
        ({"value": {"step": 0}}, "sales.axes.value.step"),
        ({"value": {"title": {}}}, "sales.axes.value.title"),
        ({"value": 5}, "sales.axes.value"),
    ],
)
def test_nonsense_is_refused_with_its_place(axes: dict[str, object], path: str) -> None:
    with pytest.raises(BadData) as refusal:
        fill_chart(make_chart_template(), _sales(**axes))
    assert refusal.value.path == path


@pytest.mark.parametrize(
    ("kind", "axes", "path"),
    [
        (XL_CHART_TYPE.PIE, {"value": {"min": 1}}, "sales.axes.value"),
        (XL_CHART_TYPE.COLUMN_CLUSTERED, {"secondValue": {"min": 1}}, "sales.axes.secondValue"),
        (XL_CHART_TYPE.COLUMN_CLUSTERED, {"z": {}}, "sales.axes.z"),
        (XL_CHART_TYPE.COLUMN_CLUSTERED, {"category": {"min": 1}}, "sales.axes.category.min"),
        (XL_CHART_TYPE.COLUMN_CLUSTERED, {"value": {"minimum": 1}}, "sales.axes.value.minimum"),
    ],
)
def test_what_no_axis_has_is_named(kind: Any, axes: dict[str, object], path: str) -> None:
    deck, _ = fill_chart(make_chart_template(kind), _sales(**axes))
    assert [(finding.code, finding.details["path"]) for finding in deck.findings] == [("ignored-data", path)]
