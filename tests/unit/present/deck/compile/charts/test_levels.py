"""Categories of several levels."""

from typing import Any, Final

import pytest
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE

from meetdeck.present.deck import BadData, Deck
from meetdeck.present.deck.opc.xml import Element
from support.charts import C, fill_chart, make_chart_template, read_charts_again

_LEVELS: Final = [("2025", "Q1"), ("2025", "Q2"), ("2026", "Q1")]


def _sales(categories: object, values: object = (1, 2, 3)) -> dict[str, object]:
    return {"categories": categories, "series": [{"name": "S1", "values": values}, {"name": "S2", "values": values}]}


def _two_levels(chart: Any) -> None:
    data: Any = CategoryChartData()
    for name in ("old", "older"):
        category = data.add_category(name)
        category.add_sub_category("a")
        category.add_sub_category("b")
    data.add_series("S1", (1, 2, 3, 4))
    chart.replace_data(data)


def _shown(deck: Deck) -> list[tuple[str, ...]]:
    """Return the categories as python-pptx reads them: a tuple of levels, outermost first."""
    (chart,) = read_charts_again(deck)
    return [tuple(levels) for levels in chart.plots[0].categories.flattened_labels]


def _formulas(chart: Element) -> list[str | None]:
    return [f.text for reference in chart.iter(C + "multiLvlStrRef") for f in reference.iterchildren(C + "f")]


@pytest.mark.parametrize(
    "categories",
    [
        [["2025", "Q1"], ["2025", "Q2"], ["2026", "Q1"]],
        {"2025": ["Q1", "Q2"], "2026": ["Q1"]},
        [{"2025": ["Q1", "Q2"]}, {"2026": ["Q1"]}],
    ],
)
@pytest.mark.parametrize("change", [None, _two_levels])
@pytest.mark.parametrize("kind", [XL_CHART_TYPE.COLUMN_CLUSTERED, XL_CHART_TYPE.LINE])
def test_categories_have_levels(kind: Any, change: Any, categories: object) -> None:
    deck, chart = fill_chart(make_chart_template(kind, change=change), _sales(categories))
    assert _shown(deck) == _LEVELS
    assert _formulas(chart) == ["Sheet1!$A$2:$B$4"] * 2
    assert not deck.findings


def test_a_group_is_named_once_where_it_begins() -> None:
    _, chart = fill_chart(make_chart_template(), _sales([[2025, "Q1"], [2025, "Q2"], [2026, "Q1"]]))
    inner, outer = list(chart.iter(C + "lvl"))[:2]
    assert [point.get("idx") for point in inner.iterchildren(C + "pt")] == ["0", "1", "2"]
    assert [point.get("idx") for point in outer.iterchildren(C + "pt")] == ["0", "2"]


def test_three_levels_may_end_early() -> None:
    categories = {"DK": {"2025": ["Q1"], "2026": None}, "Total": None}
    deck, chart = fill_chart(make_chart_template(), _sales(categories))
    assert _formulas(chart)[0] == "Sheet1!$A$2:$C$4"
    assert [len(list(level.iterchildren(C + "pt"))) for level in list(chart.iter(C + "lvl"))[:3]] == [1, 2, 2]
    assert not deck.findings


@pytest.mark.parametrize(
    "rows",
    [
        [["", "", "S1"], ["2025", "Q1", 1], ["2025", "Q2", "2.5"], ["2026", "Q1", None]],
        [
            {"year": "2025", "quarter": "Q1", "S1": 1},
            {"year": "2025", "quarter": "Q2", "S1": 2},
            {"year": "2026", "quarter": "Q1"},
        ],
    ],
)
def test_rows_have_the_levels_of_the_template(rows: object) -> None:
    deck, _ = fill_chart(make_chart_template(change=_two_levels), rows)
    assert _shown(deck) == _LEVELS


def test_a_template_of_levels_takes_categories_of_one() -> None:
    template = make_chart_template(change=_two_levels)
    for sales in (_sales(["A", "B", "C"]), [["", "S1", "S2"], ["A", 1, 2], ["B", 3, 4], ["C", 5, 6]]):
        deck, chart = fill_chart(template, sales)
        assert _shown(deck) == [("A",), ("B",), ("C",)]
        assert len(list(chart.iter(C + "ser"))) == len("12")


@pytest.mark.parametrize(
    ("categories", "path"),
    [
        ({"2025": "Q1"}, "sales.categories.2025"),
        ({"2025": [["Q1"]]}, "sales.categories.2025.0"),
        ([["2025", {"x": 1}], ["a"], ["b"]], "sales.categories.0.1"),
        ([["x"] * 9, ["a"], ["b"]], "sales.categories.0"),
        ([["a", "b"]], "sales.series.0.values"),
    ],
)
def test_levels_that_are_none_are_refused_with_their_place(categories: object, path: str) -> None:
    with pytest.raises(BadData) as refusal:
        fill_chart(make_chart_template(), _sales(categories))
    assert refusal.value.path == path
