"""Colors of series and points from the data, and looks of single points that follow their names."""

from typing import Any, Final

import pytest
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_LABEL_POSITION

from meetdeck.present.deck import BadData
from meetdeck.present.deck.opc.xml import Element
from support.charts import A, C, fill_chart, make_chart_template

_RED: Final = "FF0000"


def _sales(*series: dict[str, object], categories: tuple[object, ...] = ("A", "B", "C")) -> dict[str, object]:
    count = len(categories)
    filled = [{"name": f"S{n + 1}", "values": list(range(1, count + 1))} | one for n, one in enumerate(series)]
    return {"categories": list(categories), "series": filled}


def _series(chart: Element) -> list[Element]:
    return list(chart.iter(C + "ser"))


def _color(owner: Element, path: str = "") -> str | None:
    """Return the color of the fill at a path below a c:spPr, of its theme or RGB."""
    look = owner.find(f"{C}spPr{path}/{A}solidFill")
    return None if look is None else next(child.get("val") for child in look.iterchildren())


def _points(series: Element, path: str = "") -> dict[int, str | None]:
    """Return the colors of the single points, by place, in the order they are written."""
    found: dict[int, str | None] = {}
    for point in series.iterchildren(C + "dPt"):
        index = point.find(C + "idx")
        assert index is not None
        found[int(index.get("val") or "")] = _color(point, path)
    return found


@pytest.mark.parametrize(
    "kind",
    [
        XL_CHART_TYPE.COLUMN_CLUSTERED,
        XL_CHART_TYPE.BAR_STACKED,
        XL_CHART_TYPE.AREA,
        XL_CHART_TYPE.PIE,
        XL_CHART_TYPE.DOUGHNUT,
        XL_CHART_TYPE.RADAR_FILLED,
    ],
)
def test_a_color_of_the_data_fills_its_series(kind: Any) -> None:
    _, chart = fill_chart(make_chart_template(kind, series=2), _sales({"color": "#C00000"}, {}, {"color": "accent3"}))
    assert [_color(one) for one in _series(chart)][::2] == ["C00000", "accent3"]
    assert _color(_series(chart)[1]) not in {"C00000", "accent3"}


@pytest.mark.parametrize("kind", [XL_CHART_TYPE.LINE_MARKERS, XL_CHART_TYPE.RADAR_MARKERS])
def test_a_color_is_that_of_a_line_and_its_markers(kind: Any) -> None:
    _, chart = fill_chart(make_chart_template(kind), _sales({"color": "red"}))
    (series,) = _series(chart)
    marker = series.find(C + "marker")
    assert marker is not None
    assert _color(series, f"/{A}ln") == _RED
    assert marker.find(C + "symbol") is not None or _color(marker) == _RED


def test_points_of_a_scatter_chart_have_the_color_in_their_markers_and_get_no_line() -> None:
    data = {"series": [{"name": "S1", "x": [1, 2], "y": [1, 2], "labels": ["a", "b"], "colors": {"b": "red"}}]}
    data["series"][0]["color"] = "accent4"
    _, chart = fill_chart(make_chart_template(XL_CHART_TYPE.XY_SCATTER), data)
    (series,) = _series(chart)
    marker, point = series.find(C + "marker"), series.find(f"{C}dPt/{C}marker")
    assert marker is not None
    assert point is not None
    assert (_color(marker), _color(point)) == ("accent4", _RED)
    assert series.find(f"{C}spPr/{A}ln/{A}noFill") is not None


@pytest.mark.parametrize(
    ("colors", "shown"),
    [
        (["red", None, "accent2"], {0: _RED, 2: "accent2"}),
        (["red"], {0: _RED}),
        ({"C": "red", "of another chart": "accent2"}, {2: _RED}),
    ],
)
@pytest.mark.parametrize("kind", [XL_CHART_TYPE.PIE, XL_CHART_TYPE.COLUMN_CLUSTERED, XL_CHART_TYPE.BUBBLE])
def test_colors_of_points_go_by_place_or_by_name(kind: Any, colors: object, shown: dict[int, str]) -> None:
    sales = _sales({"colors": colors, "x": [1, 2, 3], "size": [1, 2, 3], "labels": ["A", "B", "C"]})
    deck, chart = fill_chart(make_chart_template(kind), sales)
    assert _points(_series(chart)[0]) == shown
    assert not deck.findings


def test_values_below_nought_have_a_color_of_their_own() -> None:
    sales = _sales({"values": [1, -2, -3], "negative": "red", "color": "green", "colors": {"C": "accent5"}})
    _, chart = fill_chart(make_chart_template(), sales)
    (series,) = _series(chart)
    assert _points(series) == {1: _RED, 2: "accent5"}
    assert _color(series) == "00B050"
    # Or PowerPoint draws them in white.
    assert [e.get("val") for p in series.iterchildren(C + "dPt") for e in p.iterchildren(C + "invertIfNegative")] == [
        "0",
        "0",
    ]


def _paint(*points: int) -> Any:
    """Return a change of a chart by which single points have colors of their own, and all else stays."""

    def paint(chart: Any) -> None:
        for number in points:
            fill = chart.plots[0].series[0].points[number].format.fill
            fill.solid()
            fill.fore_color.rgb = RGBColor(number, number, number)

    return paint


@pytest.mark.parametrize(
    ("painted", "categories", "places"),
    [
        # "C" is the only one with a look of its own.
        ((2,), ("A", "B", "C"), {2: 2}),
        ((2,), ("A", "C", "B", "D"), {1: 2}),
        ((2,), ("A", "B", "D"), {}),
        # Made-up names: places count.
        ((2,), ("X", "Y", "Z"), {2: 2}),
        # Every point has a look of its own: new names take those that are free.
        ((0, 1, 2), ("C", "A", "X"), {0: 2, 1: 0, 2: 1}),
        ((0, 1, 2), ("X", "C"), {0: 0, 1: 2}),
    ],
)
def test_the_look_of_a_point_follows_its_name(
    painted: tuple[int, ...], categories: tuple[str, ...], places: dict[int, int]
) -> None:
    template = make_chart_template(change=_paint(*painted))
    _, chart = fill_chart(template, _sales({}, categories=categories))
    assert _points(_series(chart)[0]) == {place: f"{number:02}" * 3 for place, number in places.items()}


def _call_out(chart: Any) -> None:
    chart.plots[0].series[0].points[2].data_label.text_frame.text = "mind this"


@pytest.mark.parametrize(("categories", "places"), [(("A", "C"), ["1"]), (("A", "B"), []), (("X", "Y", "Z"), ["2"])])
def test_the_label_of_a_point_follows_its_name(categories: tuple[str, ...], places: list[str]) -> None:
    _, chart = fill_chart(make_chart_template(change=_call_out), _sales({}, categories=categories))
    indices = [index for label in chart.iter(C + "dLbl") for index in label.iterchildren(C + "idx")]
    assert [index.get("val") for index in indices] == places


def test_a_color_of_the_data_is_stronger_than_that_of_the_template() -> None:
    template = make_chart_template(change=_paint(0, 1))
    _, chart = fill_chart(template, _sales({"colors": {"B": "red"}}, categories=("B", "A")))
    assert _points(_series(chart)[0]) == {0: _RED, 1: "000000"}


def _show_values(chart: Any) -> None:
    chart.plots[0].has_data_labels = True
    labels = chart.plots[0].data_labels
    labels.show_value, labels.font.bold, labels.position = True, True, XL_LABEL_POSITION.INSIDE_END


def test_labels_of_the_data_look_like_those_of_the_template_that_show_values() -> None:
    template = make_chart_template(change=_show_values)
    _, chart = fill_chart(template, _sales({"labels": ["one", None, "three"]}))
    labels = list(chart.iter(C + "dLbl"))
    assert [[text.text for text in label.iter(A + "t")] for label in labels] == [["one"], ["three"]]
    (around,) = (labels for series in chart.iter(C + "ser") for labels in series.iterchildren(C + "dLbls"))
    assert [shown.get("val") for shown in around.iterchildren(C + "showVal")] == ["0"]
    for label in labels:
        assert [look.get("b") for look in label.iter(A + "defRPr")] == ["1"]
        assert [place.get("val") for place in label.iterchildren(C + "dLblPos")] == ["inEnd"]


def test_series_after_one_with_colors_keep_theirs() -> None:
    _, chart = fill_chart(make_chart_template(series=2), _sales({"color": "red", "colors": ["blue"]}, {}))
    assert _color(_series(chart)[1]) is None
    assert not _points(_series(chart)[1])


@pytest.mark.parametrize(
    ("members", "path"),
    [
        ({"color": "rouge"}, "sales.series.0.color"),
        ({"negative": 5}, "sales.series.0.negative"),
        ({"colors": ["red", "nope"]}, "sales.series.0.colors.1"),
        ({"colors": {"A": "nope"}}, "sales.series.0.colors.A"),
        ({"colors": "red"}, "sales.series.0.colors"),
    ],
)
def test_what_is_no_color_is_refused_with_its_place(members: dict[str, object], path: str) -> None:
    with pytest.raises(BadData, match="color") as refusal:
        fill_chart(make_chart_template(), _sales(members))
    assert refusal.value.path == path


@pytest.mark.parametrize(
    ("colors", "path"),
    [(["red", None, "red", "red"], "sales.series.0.colors.3"), ({"X": "red"}, "sales.series.0.colors")],
)
def test_colors_for_no_point_are_named(colors: object, path: str) -> None:
    deck, _ = fill_chart(make_chart_template(), _sales({"colors": colors}))
    assert [(finding.code, finding.details["path"]) for finding in deck.findings] == [("ignored-data", path)]
