"""Animations by series and category follow the data of a chart, and none moves what is not there."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE

from support.animations import SLIDE, Timing, fill

Make = Callable[[Callable[[Any], None]], bytes]
Read = Callable[[bytes, str], str]
Replace = Callable[[bytes, Mapping[str, bytes | None]], bytes]
Check = Callable[[bytes], None]


def _chart_slide(make: Make, read_part: Read, replace_parts: Replace, steps: Callable[[Timing, int], str]) -> bytes:
    def add_chart(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        data: Any = CategoryChartData()
        data.categories = ["a", "b"]
        for name in ("one", "two", "three"):
            data.add_series(name, (1, 2))
        frame = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, 9999, 9999, data)
        frame.element.xpath(".//p:cNvPr")[0].set("descr", "{{chart:c}}")

    template = make(add_chart)
    timing = Timing()
    builds = '<p:bldGraphic spid="2" grpId="0"><p:bldSub><a:bldChart bld="series"/></p:bldSub></p:bldGraphic>'
    xml = timing.whole(steps(timing, 2), builds)
    slide = read_part(template, SLIDE).replace("</p:clrMapOvr>", f"</p:clrMapOvr>{xml}")
    return replace_parts(template, {SLIDE: slide.encode()})


def _chart_steps(kind: str, *indexes: tuple[int, int]) -> Callable[[Timing, int], str]:
    def write(timing: Timing, spid: int) -> str:
        def step(series: int, category: int, kind: str) -> str:
            chart = (
                f'<p:graphicEl><a:chart seriesIdx="{series}" categoryIdx="{category}" bldStep="{kind}"/></p:graphicEl>'
            )
            return timing.step(timing.effect(timing.target(spid, chart)))

        return step(-3, -3, "gridLegend") + "".join(step(*pair, kind) for pair in indexes)

    return write


def _chart(series: int, categories: int) -> dict[str, object]:
    names = [f"c{number}" for number in range(categories)]
    return {
        "c": {"categories": names, "series": [{"name": f"s{i}", "values": [1] * categories} for i in range(series)]}
    }


@pytest.mark.parametrize(
    ("kind", "indexes", "series", "categories", "expected"),
    [
        ("series", [(0, -3), (1, -3), (2, -3)], 3, 2, ["0/-3", "1/-3", "2/-3"]),
        ("series", [(0, -3), (1, -3), (2, -3)], 5, 2, ["0/-3", "1/-3", "2/-3", "3/-3", "4/-3"]),
        ("series", [(0, -3), (1, -3), (2, -3)], 1, 2, ["0/-3"]),
        ("series", [(0, -3)], 4, 2, ["0/-3"]),
        ("category", [(-3, 0), (-3, 1)], 1, 4, ["-3/0", "-3/1", "-3/2", "-3/3"]),
        ("category", [(-3, 0), (-3, 1)], 3, 1, ["-3/0"]),
        ("ptInSeries", [(s, c) for s in range(3) for c in range(2)], 2, 1, ["0/0", "1/0"]),
        ("ptInSeries", [(s, c) for s in range(3) for c in range(2)], 1, 7, [f"0/{c}" for c in range(7)]),
        ("ptInCategory", [(s, c) for c in range(2) for s in range(3)], 2, 2, ["0/0", "1/0", "0/1", "1/1"]),
    ],
)
def test_charts_are_animated_by_what_the_data_gives(  # noqa: PLR0913 - a table of cases
    make_template: Make,
    read_part: Read,
    replace_parts: Replace,
    check_whole: Check,
    *,
    kind: str,
    indexes: list[tuple[int, int]],
    series: int,
    categories: int,
    expected: list[str],
) -> None:
    template = _chart_slide(make_template, read_part, replace_parts, _chart_steps(kind, *indexes))
    found = fill(template, _chart(series, categories), read_part, check_whole)
    assert found == [["-3/-3"], *([one] for one in expected)]


@pytest.mark.parametrize("data", [{}, {"c": None}])
def test_a_chart_that_is_left_out_leaves_no_animation(
    make_template: Make, read_part: Read, replace_parts: Replace, check_whole: Check, data: dict[str, object]
) -> None:
    template = _chart_slide(make_template, read_part, replace_parts, _chart_steps("series", (0, -3), (1, -3)))
    assert fill(template, data, read_part, check_whole) == []


def test_an_empty_chart_keeps_its_grid_alone(
    make_template: Make, read_part: Read, replace_parts: Replace, check_whole: Check
) -> None:
    template = _chart_slide(make_template, read_part, replace_parts, _chart_steps("series", (0, -3), (1, -3)))
    assert fill(template, {"c": {"categories": [], "series": []}}, read_part, check_whole) == [["-3/-3"]]
