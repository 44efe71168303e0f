"""Charts of Office 2016: waterfalls, funnels, treemaps and sunbursts, filled with their workbooks."""

import io
import re
from typing import Any, Final

import pytest
from pptx import Presentation

from meetdeck.present.deck import BadData, Deck, compile_template, validate_template, whole_deck
from meetdeck.present.deck.opc.xml import MC, A, Element, P, parse
from support.extended_charts import CX, make_extended_template, read_extended_chart
from support.package_checker.samples import edit_parts
from support.package_checker.soundness import assert_sound, find_faults

_LAYOUTS: Final = ("waterfall", "funnel", "treemap", "sunburst")
_SERIES: Final[dict[str, object]] = {"name": "kr. & øre", "values": [9, 5, -6, 8]}
_SALES: Final[dict[str, object]] = {"categories": ["Cash", "In", "Out", "Left"], "series": [_SERIES]}
_TREE: Final = {
    "categories": {"Stocks": ["US", "EU"], "Cash": None},
    "series": [{"name": "Share", "values": [5, 3, 2]}],
}


def _fill(template: bytes, sales: object) -> tuple[Deck, Element]:
    deck = whole_deck(compile_template(template), {"sales": sales})
    assert_sound(deck.content, template)
    return deck, parse(read_extended_chart(deck.content))


def _sales(**members: object) -> dict[str, object]:
    return _SALES | {"series": [_SERIES | members]}


def _levels(chart: Element, dimension: str) -> list[list[str | None]]:
    return [
        [point.text for point in level.iterchildren()]
        for one in chart.iter(CX + dimension)
        for level in one.iter(CX + "lvl")
    ]


def _totals(chart: Element) -> list[str | None]:
    return [index.get("val") for totals in chart.iter(CX + "subtotals") for index in totals.iterchildren()]


def _points(chart: Element) -> dict[str | None, str | None]:
    """Return the colors of single points, by place."""
    return {
        point.get("idx"): next(
            (color.get("val") for fill in point.iter(A + "solidFill") for color in fill.iterchildren()), None
        )
        for point in chart.iter(CX + "dataPt")
    }


def _drawing(deck: Deck) -> tuple[list[str], list[Element]]:
    """Return what the drawing for other programs says, and its shapes."""
    presentation: Any = Presentation(io.BytesIO(deck.content))
    (fallback,) = parse(presentation.slides[0].part.blob).iter(MC + "Fallback")
    return [text.text or "" for text in fallback.iter(A + "t")], list(fallback.iter(P + "sp"))


@pytest.mark.parametrize("layout", _LAYOUTS)
def test_data_fill_the_chart_its_workbook_and_its_drawing(layout: str) -> None:
    deck, chart = _fill(make_extended_template(layout), _SALES)
    assert _levels(chart, "strDim") == [["Cash", "In", "Out", "Left"]]
    assert _levels(chart, "numDim") == [["9", "5", "-6", "8"]]
    assert [name.text for name in chart.iter(CX + "v")] == ["kr. & øre"]
    says, _ = _drawing(deck)
    assert {"Cash", "In", "Left"} <= set(says)
    assert not any("not available" in text for text in says)
    assert not deck.findings


@pytest.mark.parametrize("layout", ["treemap", "sunburst"])
@pytest.mark.parametrize(
    "sales",
    [_TREE, [["", "", "Share"], ["Stocks", "US", 5], ["Stocks", "EU", 3], ["Cash", None, 2]]],
)
def test_parts_of_parts_have_levels_in_every_row(layout: str, sales: object) -> None:
    deck, chart = _fill(make_extended_template(layout), sales)
    assert _levels(chart, "strDim") == [["US", "EU"], ["Stocks", "Stocks", "Cash"]]
    assert [f.text for f in chart.iter(CX + "f")][:2] == ["Sheet1!$A$2:$B$4", "Sheet1!$C$2:$C$4"]
    says, _ = _drawing(deck)
    assert {"US", "EU", "Cash", "Stocks"} <= set(says)


@pytest.mark.parametrize(
    ("members", "totals"),
    [
        ({"subtotals": ["Cash", "Left"]}, ["0", "3"]),
        ({"subtotals": [3, 0, 3]}, ["0", "3"]),
        ({"subtotals": []}, []),
        # The template's only total is at the fourth place, and the data has none of its names.
        ({}, ["3"]),
    ],
)
def test_a_waterfall_has_the_totals_of_the_data(members: dict[str, object], totals: list[str]) -> None:
    _, chart = _fill(make_extended_template("waterfall"), _sales(**members))
    assert _totals(chart) == totals


def test_a_total_of_the_template_follows_its_name() -> None:
    sales = {"categories": ["Start", "End", "Other"], "series": [{"name": "S", "values": [1, 2, 3]}]}
    _, chart = _fill(make_extended_template("waterfall"), sales)
    assert _totals(chart) == ["1"]


def test_a_template_without_totals_gets_them() -> None:
    template = edit_parts(
        make_extended_template("waterfall"),
        {"ppt/charts/chartEx1.xml": lambda xml: re.sub("<cx:layoutPr>.*</cx:layoutPr>", "", xml)},
    )
    _, chart = _fill(template, _sales(subtotals=["Left"]))
    assert _totals(chart) == ["3"]
    (series,) = chart.iter(CX + "series")
    assert [child.tag.rpartition("}")[2] for child in series.iterchildren()][-2:] == ["dataId", "layoutPr"]


@pytest.mark.parametrize("layout", ["waterfall", "funnel"])
def test_points_have_colors_from_the_data_and_keep_those_of_the_template(layout: str) -> None:
    own = '<cx:dataPt idx="1"><cx:spPr><a:solidFill><a:srgbClr val="123456"/></a:solidFill></cx:spPr></cx:dataPt>'
    _, chart = _fill(make_extended_template(layout, series=own), _sales(negative="red", colors={"Left": "accent4"}))
    assert _points(chart) == {"1": "123456", "2": "FF0000", "3": "accent4"}
    (series,) = chart.iter(CX + "series")
    assert series.find(CX + "spPr") is None
    _, colored = _fill(make_extended_template(layout), _sales(color="accent5"))
    (look,) = colored.findall(f".//{CX}series/{CX}spPr/{A}solidFill")
    assert [color.get("val") for color in look.iterchildren()] == ["accent5"]


def test_colors_of_a_treemap_are_named_as_not_read() -> None:
    deck, _ = _fill(make_extended_template("treemap"), _sales(color="red"))
    assert [finding.code for finding in deck.findings] == ["ignored-data"]


def test_a_waterfall_is_drawn_from_where_the_last_step_ended() -> None:
    deck, _ = _fill(make_extended_template("waterfall"), _sales(subtotals=["Left"]))
    _, shapes = _drawing(deck)
    places = [(int(o.get("y") or 0), int(e.get("cy") or 0)) for s in shapes for o, e in [_place(s)]]
    assert len(shapes) == 3 * 4 + 1
    first, second, third, last = [places[number] for number in (0, 3, 6, 9)]
    assert first[0] == pytest.approx(second[0] + second[1], abs=2)
    assert second[0] == pytest.approx(third[0], abs=2)
    assert third[0] + third[1] == pytest.approx(last[0], abs=2)


def _place(shape: Element) -> tuple[Element, Element]:
    offset, extent = shape.find(f"{P}spPr/{A}xfrm/{A}off"), shape.find(f"{P}spPr/{A}xfrm/{A}ext")
    assert offset is not None
    assert extent is not None
    return offset, extent


def test_the_author_is_told_that_pdfs_show_a_drawing() -> None:
    (finding,) = [one for one in validate_template(make_extended_template("funnel")) if one.code == "chart-not-drawn"]
    assert finding.type == "Info"
    assert "a simple drawing of its numbers" in finding.message


@pytest.mark.parametrize("layout", _LAYOUTS)
@pytest.mark.parametrize("sales", [[], {"categories": [], "series": []}, {"categories": ["A"], "series": []}])
def test_no_data_is_an_empty_chart(layout: str, sales: object) -> None:
    _, chart = _fill(make_extended_template(layout), sales)
    assert _levels(chart, "numDim") == [[]]


def test_a_chart_of_one_point_without_a_value_has_all_levels_of_its_category() -> None:
    sales = {"categories": [["", ""]], "series": [{"values": [None]}]}
    deck, chart = _fill(make_extended_template("funnel"), sales)
    assert not find_faults(deck.content)
    assert len(_levels(chart, "strDim")) == 2


@pytest.mark.parametrize("layout", _LAYOUTS)
def test_without_a_value_the_chart_goes_with_its_parts(layout: str) -> None:
    template = make_extended_template(layout)
    deck = whole_deck(compile_template(template), {})
    assert_sound(deck.content)
    assert [finding.code for finding in deck.findings] == ["missing-value"]
    assert b"chartEx" not in deck.content


@pytest.mark.parametrize(
    ("members", "path"),
    [
        ({"subtotals": "Left"}, "sales.series.0.subtotals"),
        ({"subtotals": ["Left", "Nowhere"]}, "sales.series.0.subtotals.1"),
        ({"subtotals": [4]}, "sales.series.0.subtotals.0"),
        ({"subtotals": [True]}, "sales.series.0.subtotals.0"),
        ({"values": [1]}, "sales.series.0.values"),
    ],
)
def test_what_is_no_waterfall_is_refused_with_its_place(members: dict[str, object], path: str) -> None:
    with pytest.raises(BadData) as refusal:
        _fill(make_extended_template("waterfall"), _sales(**members))
    assert refusal.value.path == path


def test_two_series_are_refused() -> None:
    with pytest.raises(BadData, match="it has 2 series; a funnel shows one"):
        _fill(make_extended_template("funnel"), _SALES | {"series": [_SERIES] * 2})


def test_other_charts_of_office_2016_stay_and_are_named() -> None:
    template = edit_parts(
        make_extended_template("funnel"),
        {"ppt/charts/chartEx1.xml": lambda xml: xml.replace('layoutId="funnel"', 'layoutId="regionMap"')},
    )
    assert "missing-target" in {finding.code for finding in validate_template(template)}
    assert find_faults(whole_deck(compile_template(template), {"sales": _SALES}).content) == []
