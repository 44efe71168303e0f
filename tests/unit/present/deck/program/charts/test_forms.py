"""The forms of data for a chart."""

from contextlib import suppress
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meetdeck.present.deck.language.values import Unwritable
from meetdeck.present.deck.program.charts.columns import write_number
from meetdeck.present.deck.program.charts.data import (
    ChartData,
    ChartTemplate,
    UnplottableError,
)
from meetdeck.present.deck.program.charts.forms import read_chart_data

_CATEGORIES = ChartTemplate()
_SCATTER = ChartTemplate("scatter")
_BUBBLE = ChartTemplate("bubble")
_DATES = ChartTemplate(dated=True)


def _table(data: ChartData) -> list[list[str | None]]:
    """Return the sheet column by column."""
    return [[column.header, *column.cells] for column in data.columns]


def _refusal(value: object, form: ChartTemplate = _CATEGORIES) -> tuple[str, str]:
    with pytest.raises(UnplottableError) as caught:
        read_chart_data(value, form)
    return caught.value.path, str(caught.value)


def test_all_three_forms_say_the_same() -> None:
    columns = {
        "categories": ["Q1", "Q2"],
        "series": [{"name": "Sales", "values": [1, 2.5]}, {"name": "Cost", "y": [3, None]}],
    }
    rows = [["", "Sales", "Cost"], ["Q1", 1, 3], ["Q2", 2.5, None]]
    objects = [{"": "Q1", "Sales": 1, "Cost": 3}, {"": "Q2", "Sales": 2.5}]
    read = [read_chart_data(value, ChartTemplate()) for value in (columns, rows, objects)]
    assert read[0] == read[1] == read[2]
    assert _table(read[0]) == [["", "Q1", "Q2"], ["Sales", "1", "2.5"], ["Cost", "3", None]]


def test_a_member_that_appears_late_is_a_series_with_gaps() -> None:
    data = read_chart_data([{"quarter": "Q1", "A": 1}, {"quarter": "Q2", "A": 2, "B": 3}], ChartTemplate())
    assert _table(data) == [["quarter", "Q1", "Q2"], ["A", "1", "2"], ["B", None, "3"]]


@pytest.mark.parametrize(
    "value", [[], [["", "A"]], {"categories": [], "series": []}, {"categories": ["A"], "series": []}]
)
def test_an_empty_chart_is_allowed(value: object) -> None:
    data = read_chart_data(value, ChartTemplate())
    assert all(not column.cells for column in data.columns)


def test_texts_are_written_as_xml_that_excel_reads_back() -> None:
    data = read_chart_data([["", "A & B"], ["<x>\x00", 1], ["_x0041_", 2], ["", 3], [True, 4]], ChartTemplate())
    assert _table(data)[0] == ["", "&lt;x&gt;", "_x005F_x0041_", None, "true"]
    assert data.series[0].name == "A & B"
    assert data.columns[1].header == "A &amp; B"


def test_numbers_may_be_categories() -> None:
    data = read_chart_data([["", "A"], [2025, 1], [2026, 2]], ChartTemplate())
    assert data.columns[0].numeric
    assert data.columns[0].cells == ["2025", "2026"]


def test_dates_become_serial_numbers_where_the_axis_has_dates() -> None:
    rows = [["", "A"], ["2026-01-31", 1], [date(1900, 1, 1), 2], ["2026-01-31T12:00:00Z", 3], [None, 4]]
    assert read_chart_data(rows, _DATES).columns[0].cells == ["46053", "1", "46053.5", None]
    assert read_chart_data(rows[:2], ChartTemplate(dated=True, since_1904=True)).columns[0].cells == ["44591"]
    assert read_chart_data(rows[:2], ChartTemplate()).columns[0].cells == ["2026-01-31"]


def test_texts_stay_texts_where_the_axis_has_dates() -> None:
    column = read_chart_data([["", "A"], ["Q1", 1]], _DATES).columns[0]
    assert (column.numeric, column.cells) == (False, ["Q1"])


def test_series_of_one_x_share_its_column() -> None:
    series = [{"name": "A", "x": [1, 2], "y": [3, 4]}, {"name": "B", "x": [1, 2], "y": [5, 6]}, {"x": [9], "y": [7]}]
    data = read_chart_data({"series": series}, _SCATTER)
    assert _table(data) == [["", "1", "2"], ["A", "3", "4"], ["B", "5", "6"], ["", "9"], ["", "7"]]
    assert [(one.labels, one.values) for one in data.series] == [(0, 1), (0, 2), (3, 4)]


def test_in_rows_of_a_bubble_chart_y_and_size_take_turns() -> None:
    data = read_chart_data([["x", "A", "size", "B", "size"], [1, 2, 3, 4, 5]], _BUBBLE)
    assert [(one.name, one.labels, one.values, one.sizes) for one in data.series] == [("A", 0, 1, 2), ("B", 0, 3, 4)]
    assert _refusal([["x", "A"], [1, 2]], _BUBBLE) == (
        "",
        "a bubble chart needs x, then two columns for each series: y and size.",
    )


def _series(values: object, categories: object = ("Q1", "Q2")) -> dict[str, object]:
    return {"categories": categories, "series": [{"name": "Sales", "values": values}]}


_BAD: list[tuple[Any, str, str]] = [
    (_series([1]), "series.0.values", "the series 'Sales' has 1 values for 2 categories"),
    (_series([1, "many"]), "series.0.values.1", "it is not a number"),
    (_series([1, True]), "series.0.values.1", "it is not a number"),
    (_series([float("nan"), 1]), "series.0.values.0", "it is not a number"),
    (_series([1, float("inf")]), "series.0.values.1", "it is not a number"),
    (_series([1, 10**5000]), "series.0.values.1", "it is not a number"),
    (_series([1, Decimal("NaN")]), "series.0.values.1", "it is not a number"),
    (_series([1, [2]]), "series.0.values.1", "it is not a number"),
    (_series("12"), "series.0.values", "it is not a list"),
    (_series([1, 2], 7), "categories", "it is not a list"),
    (_series([1, 2], ["Q1", {"a": 1}]), "categories.1", "it is an object"),
    (_series([1, 2], ["Q1", "x" * 40_000]), "categories.1", "it has 40,000 characters"),
    ({"series": []}, "", "it has no categories"),
    ({"categories": ["A"]}, "", "there is no list of series"),
    ({"categories": ["A"], "series": [7]}, "series.0", "it is not a series"),
    ({"categories": ["A"], "series": [{"name": "A"}]}, "series.0", "it has no values"),
    ({"categories": ["A"], "series": [{"name": [], "values": [1]}]}, "series.0.name", "it is a list"),
    ([["", "A"], ["Q1", 1, 2]], "1", "it has 3 cells and the first row 2"),
    ([["", "A"], ["Q1", "x"]], "1.1", "it is not a number"),
    ([["", "A"], {}], "1", "it is not a row"),
    ([{"q": 1, "A": 1}, {"A": 2}], "1", "it has no member 'q'"),
    ([{"q": 1, "A": "?"}], "0.A", "it is not a number"),
    ([{"q": 1}, ["q"]], "1", "it is not an object"),
    ([1, 2], "0", "it is not a row"),
    ("sales", "", "it is not data for a chart"),
    (None, "", "it is missing"),
    (7, "", "it is not data for a chart"),
    ([["", *["A"] * 256], ["Q1", *[1] * 256]], "", "more series"),
    ([["", "A"], *[["Q", 1]] * 100_001], "", "more rows"),
    ([["", *["A"] * 200], *[["Q", *[1] * 200]] * 501], "", "more points"),
    ([["", *["A"] * 100], *[["Q" * 30_000, *[1] * 100]] * 10], "", "its categories are too long"),
]


@pytest.mark.parametrize(("value", "path", "reason"), _BAD)
def test_bad_data_is_refused_with_its_path(value: object, path: str, reason: str) -> None:
    refused = _refusal(value)
    assert refused[0] == path
    assert reason in refused[1]


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"series": [{"x": [1, 2], "y": [1]}]}, "series.0.y"),
        ({"series": [{"x": ["a"], "y": [1]}]}, "series.0.x.0"),
        ({"series": [{"x": [None], "y": [1]}]}, "series.0.x.0"),
        ({"series": [{"y": [1]}]}, "series.0"),
    ],
)
def test_points_want_an_x(value: object, path: str) -> None:
    assert _refusal(value, _SCATTER)[0] == path


def test_one_text_among_dates_is_refused() -> None:
    rows = [["", "A"], ["2026-01-31", 1], ["soon", 2]]
    assert _refusal(rows, _DATES) == ("2.0", "it is not a date like the others; write it like 2026-01-31.")
    assert _refusal([["", "A"], ["1899-12-31", 1]], _DATES)[0] == "1.0"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (1, "1"),
        (-2.50, "-2.5"),
        (3.0, "3"),
        ("12.5", "12.5"),
        (Decimal("0.10"), "0.1"),
        (1e-7, "1e-07"),
        (2**60, "1.152921504606847e+18"),
    ],
)
def test_numbers_are_doubles(value: object, written: str) -> None:
    assert write_number(value) == written


_JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["categories", "series", "name", "values", "x", "y", "size", "q"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@given(_JSON, st.sampled_from([ChartTemplate(), _SCATTER, _BUBBLE, _DATES]))
def test_whatever_is_sent_is_read_or_refused_in_words(value: object, form: ChartTemplate) -> None:
    with suppress(UnplottableError):
        data = read_chart_data(value, form)
        assert all(len(data.columns[one.values].cells) == len(data.columns[one.labels].cells) for one in data.series)


def test_a_truth_value_is_no_number() -> None:
    with pytest.raises(Unwritable):
        write_number(True)  # noqa: FBT003 - the point
