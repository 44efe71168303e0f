"""Expressions in directives: slides, shapes, tables and charts of what they pick."""

from collections.abc import Callable
from datetime import date
from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE

from meetdeck.present.deck import BadData, compile_template, whole_deck

Make = Callable[[Callable[[Any], None]], bytes]
_ROWS = [{"n": "a", "v": 1}, {"n": "b", "v": 2}, {"n": "c", "v": 5}, {"n": "d", "v": 3}]


def _describe(shape: Any, text: str) -> None:
    shape.element.xpath("./*/p:cNvPr")[0].set("descr", text)


def _fill(template: bytes, **data: object) -> Any:
    return Presentation(BytesIO(whole_deck(compile_template(template), data, today=date(2026, 11, 22)).content))


def _add_chart(slide: Any, directive: str) -> None:
    data: Any = CategoryChartData()
    data.categories = ["A", "B"]
    data.add_series("First", (1, 2))
    _describe(
        slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 4_000_000, 0, 3_000_000, 2_000_000, data), directive
    )


def test_a_slide_repeats_for_the_items_that_fit_in_order(make_template: Make) -> None:
    def draw(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = "{{@number}} {{n}} {{v + 1}} {{rows | count}}"
        _describe(slide.shapes.title, '{{each:rows | where:"v > 1" | sort:"-v"}}')

    template = make_template(draw)
    slides = _fill(template, rows=_ROWS).slides
    assert [slide.shapes.title.text_frame.text for slide in slides] == ["1 c 6 4", "2 d 4 4", "3 b 3 4"]
    with pytest.raises(BadData) as refused:
        _fill(template, rows=[{"v": 2, "n": "x"}, {"v": 1}, {"v": 3, "n": [1]}])
    assert refused.value.path == "rows.2.n"
    names = [tag.name for tag in compile_template(template).tags]
    assert names == ["rows", "rows[].v", "rows[].n"]


@pytest.mark.parametrize(
    ("directive", "stays"),
    [
        ('{{if:total >= 1000 and region = "north"}}', True),
        ("{{if:rows | count > 4}}", False),
        ("{{unless:rows | count > 4}} for the eye", True),
        ("{{if:due < $today}}", True),
        ("{{if:missing > 1}}", False),
        ("{{unless:missing}}", True),
    ],
)
def test_a_shape_stays_while_its_expression_holds(make_template: Make, directive: str, *, stays: bool) -> None:
    def draw(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        _describe(slide.shapes.add_textbox(0, 0, 1_000, 1_000), directive)

    slide = _fill(make_template(draw), total=1200, region="north", rows=_ROWS, due="2026-01-31").slides[0]
    assert len(slide.shapes) == stays


def test_a_table_and_a_chart_show_what_is_picked(make_template: Make, table_cells: Callable[[bytes], Any]) -> None:
    def draw(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        _describe(slide.shapes.add_table(2, 2, 0, 0, 3_000_000, 500_000), '{{table:rows | sort:"-v" | first:2}}')
        _add_chart(slide, '{{chart:rows | where:"v > 1" | sort:"v"}}')

    template = make_template(draw)
    compiled = compile_template(template)
    content = whole_deck(compiled, {"rows": _ROWS}).content
    assert table_cells(content) == [["n", "v"], ["c", "5"], ["d", "3"]]
    presentation: Any = Presentation(BytesIO(content))
    plot = next(shape for shape in presentation.slides[0].shapes if shape.has_chart).chart.plots[0]
    assert (list(plot.categories), list(plot.series[0].values)) == (["b", "d", "c"], [2, 3, 5])
    assert whole_deck(compiled, compiled.example).findings == ()
    rows = [{"n": "a", "v": 1, "w": 1}, {"n": "b", "v": 2, "w": "?"}]
    with pytest.raises(BadData) as refused:
        whole_deck(compiled, {"rows": rows})
    assert refused.value.path == "rows.1.w"
