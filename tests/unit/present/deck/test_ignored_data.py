"""Data that nothing understands is named, so that nobody waits for what will never show."""

import base64
from collections.abc import Callable
from typing import Any

import pytest
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE

from meetdeck.present.deck import Template, compile_template, whole_deck

Make = Callable[[Callable[[Any], None]], bytes]

_DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg=="
_SERIES = {"name": "A", "values": [1, 2]}


@pytest.fixture
def template(make_template: Make) -> Template:
    """A slide with a chart `c`, a table `t`, a picture `p`, and a text that names `c.title`."""

    def fill(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        data: Any = CategoryChartData()
        data.categories = ["x"]
        data.add_series("s", (1,))
        shapes = slide.shapes
        made = {
            "c": shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, 9999, 9999, data),
            "t": shapes.add_table(2, 2, 0, 0, 9999, 9999),
            "p": shapes.add_shape(1, 0, 0, 9999, 9999),
        }
        for kind, (name, shape) in zip(("chart", "table", "image"), made.items(), strict=True):
            shape.element.xpath(".//p:cNvPr")[0].set("descr", f"{{{{{kind}:{name}}}}}")
        shapes.add_textbox(0, 0, 9, 9).text_frame.text = "{{c.title}}"

    return compile_template(make_template(fill))


def _ignored(template: Template, **data: object) -> dict[str, str]:
    known: dict[str, object] = {"c": {"categories": [], "series": [], "title": "T"}, "t": [["a"]], "p": _DOT}
    findings = whole_deck(template, known | data).findings
    assert {finding.code for finding in findings} <= {"ignored-data", "missing-value"}
    return {str(f.details["path"]): f.message for f in findings if f.code == "ignored-data"}


@pytest.mark.parametrize(
    ("data", "paths"),
    [
        (
            {"c": {"categories": ["x", "y"], "series": [_SERIES | {"font": "red"}, _SERIES], "title": ""}},
            ["c.series.0.font"],
        ),
        (
            {"c": {"categories": ["x", "y"], "series": [_SERIES, _SERIES | {"font": 1, "type": 2}], "title": ""}},
            ["c.series.1.font", "c.series.1.type"],
        ),
        ({"c": {"categories": ["x"], "series": [], "title": "", "colours": []}}, ["c.colours", "c.categories"]),
        ({"c": {"categories": [{"name": "x", "value": 1}], "series": [], "title": ""}}, ["c.categories"]),
        (
            {"t": {"columns": ["a", {"key": "b", "width": 3}], "rows": [], "style": "dark"}},
            ["t.style", "t.columns.1.width"],
        ),
        ({"p": {"url": "https://example.com/a.png"}}, ["p.url"]),
        ({"p": {"image": "https://example.com/a.png"}}, ["p.image"]),
        ({"p": {"data": _DOT, "alt": "A dot", "fit": "cover"}}, ["p.fit"]),
    ],
)
def test_data_that_is_not_understood_is_named(template: Template, data: dict[str, object], paths: list[str]) -> None:
    assert list(_ignored(template, **data)) == paths


@pytest.mark.parametrize(
    "data",
    [
        {"c": [{"quarter": "Q1", "color": 1}], "c.title": "T"},
        {"c": [["", "color"], ["Q1", 1]], "c.title": "T"},
        {"c": {"categories": [], "series": [], "title": "T"}},
        {"c": {"categories": ["a", "b"], "series": [_SERIES | {"x": [1, 2], "size": [1, 2]}], "title": "T"}},
        {"t": {"columns": ["a"], "rows": [{"a": 1, "id": 2}]}},
        {"t": [{"a": 1, "style": 2}]},
        {"p": {"contentId": base64.b64decode(_DOT), "alt": "A dot"}},
    ],
)
def test_what_is_understood_or_named_by_a_tag_is_not(template: Template, data: dict[str, object]) -> None:
    assert _ignored(template, **data) == {}


@pytest.mark.parametrize("picture", [{"url": "https://example.com/a.png"}, {"uri": "x"}, {"photo": "//example.com/a"}])
def test_whoever_sends_an_address_for_a_picture_is_told_that_nothing_is_fetched(
    template: Template, picture: dict[str, object]
) -> None:
    (message,) = _ignored(template, p=picture).values()
    assert "Nothing is fetched from an address: send the picture itself" in message


def test_the_example_is_understood_whole(template: Template) -> None:
    assert whole_deck(template, template.example).findings == ()


@pytest.mark.parametrize("picture", [{"url": "https://x.example/a.png"}, {"base64": _DOT, "alt": "A dot"}])
def test_a_picture_under_another_name_is_one_finding_that_says_what_is_left_out(
    template: Template, picture: dict[str, object]
) -> None:
    known: dict[str, object] = {"c": {"categories": [], "series": [], "title": "T"}, "t": [["a"]]}

    (finding,) = whole_deck(template, known | {"p": picture}).findings

    assert finding.code == "ignored-data"
    assert finding.message.endswith("The image is left out.")


@pytest.mark.parametrize(
    ("picture", "codes"),
    [
        ({"data": None, "url": "https://x.example/a.png"}, ["ignored-data", "missing-value"]),
        ({"url": ""}, ["ignored-data", "missing-value"]),
        ({"alt": "A dot"}, ["missing-value"]),
        ({}, ["missing-value"]),
        (None, ["missing-value"]),
    ],
)
def test_a_picture_that_nobody_sent_is_missing(template: Template, picture: object, codes: list[str]) -> None:
    known: dict[str, object] = {"c": {"categories": [], "series": [], "title": "T"}, "t": [["a"]]}

    assert [one.code for one in whole_deck(template, known | {"p": picture}).findings] == codes


def test_pictures_in_cells_and_bullets_have_one_finding_for_each_cause(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.placeholders[1].text_frame.text = "{{image:p}} point"
        table = slide.shapes.add_table(1, 2, 0, 0, 9999, 9999).table
        table.cell(0, 0).text = "{{image:p}}"
        table.cell(0, 1).text = "{{qr:p}}"

    compiled = compile_template(make_template(fill))

    findings = whole_deck(compiled, {"p": {"link": "https://x.example/a.png"}}).findings

    assert sorted(finding.code for finding in findings) == ["bad-code", "ignored-data", "ignored-data"]
