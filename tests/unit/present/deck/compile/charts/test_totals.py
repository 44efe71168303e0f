"""Totals above stacked columns and bars, and arrows of difference between two columns."""

import io
from collections.abc import Mapping
from typing import Any

import pytest
from pptx import Presentation
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml import parse_xml

from meetdeck.present.deck import BadData, Deck, compile_template, whole_deck
from support.charts import C, make_chart_template
from support.package_checker.soundness import assert_sound
from support.package_checker.workbooks import read_workbook

COLUMNS, BARS, CLUSTERED = XL_CHART_TYPE.COLUMN_STACKED, XL_CHART_TYPE.BAR_STACKED, XL_CHART_TYPE.COLUMN_CLUSTERED
SALES: Mapping[str, object] = {
    "categories": ["2024", "2025", "2026"],
    "series": [{"name": "North", "values": [10.1, 12.2, 14]}, {"name": "South", "values": [5, None, 9.6]}],
}
TOTALS = [15.1, 12.2, 23.6]


def make(kind: Any, *, fixed: bool = False) -> bytes:
    """Return a template with a chart and a legend; its plot area is `fixed`, from a tenth to nine tenths."""

    def change(chart: Any) -> None:
        chart.has_legend = True
        area = chart._chartSpace.chart.plotArea  # noqa: SLF001 - python-pptx has no way to it
        for layout in area.findall(f"{C}layout") if fixed else ():
            area.remove(layout)
        if fixed:
            modes = "".join(f'<c:{name} val="edge"/>' for name in ("xMode", "yMode"))
            sides = '<c:x val="0.1"/><c:y val="0.25"/><c:w val="0.6"/><c:h val="0.5"/>'
            inside = f'<c:layoutTarget val="inner"/>{modes}{sides}'
            area.insert(
                0, parse_xml(f'<c:layout xmlns:c="{C[1:-1]}"><c:manualLayout>{inside}</c:manualLayout></c:layout>')
            )

    return make_chart_template(kind, series=2, change=change)


def fill(template: bytes, sales: object, **data: object) -> tuple[Deck, Any]:
    """Return the deck and its chart's frame."""
    deck = whole_deck(compile_template(template), {"sales": sales, **data})
    assert_sound(deck.content, template)
    slide: Any = Presentation(io.BytesIO(deck.content)).slides[0]
    return deck, next(shape for shape in slide.shapes if shape.has_chart)


def read_labels(chart: Any) -> list[str]:
    """Return what the labels of the last series say that come from cells."""
    series = chart._chartSpace.findall(f".//{C}ser")[-1]  # noqa: SLF001 - see above
    return [point.findtext(f"{C}v") for point in series.iterfind(".//{*}dlblRangeCache/{*}pt")]


def read_columns(chart: Any) -> dict[str, list[object]]:
    """Return the columns of a chart's sheet by their headers."""
    cells = read_workbook(chart.part.chart_workbook.xlsx_part.blob).sheets["Sheet1"]
    headers = {str(text): column for (row, column), text in cells.items() if row == 1}
    return {text: [cells.get((row, column)) for row in (2, 3, 4)] for text, column in headers.items()}


@pytest.mark.parametrize("kind", [COLUMNS, XL_CHART_TYPE.COLUMN_STACKED_100])
def test_the_sum_stands_above_each_stacked_column(kind: Any) -> None:
    """Totals are an invisible line that no legend names, with a column in the workbook."""
    deck, frame = fill(make(kind), {**SALES, "totals": True})

    bars, line = frame.chart.plots
    assert [series.name for series in bars.series] == ["North", "South"]
    (total,) = line.series
    assert (total.name, list(total.values)) == ("Total", TOTALS)
    assert total.format.line.fill.type is None or total.format.line._ln.find("{*}noFill") is not None  # noqa: SLF001
    labels = total._element.find(f"{C}dLbls")  # noqa: SLF001
    assert (labels.find(f"{C}showVal").get("val"), labels.find(f"{C}dLblPos").get("val")) == ("1", "t")
    entry = frame.chart._chartSpace.find(f".//{C}legendEntry")  # noqa: SLF001
    assert (entry.find(f"{C}idx").get("val"), entry.find(f"{C}delete").get("val")) == ("2", "1")
    assert read_columns(frame.chart)["Total"] == TOTALS
    assert not deck.findings


def test_negatives_count_and_the_label_stands_above_what_is_positive() -> None:
    """The line goes through the upper ends; its labels say the sums, in the deck's language."""
    mixed = {"categories": ["a", "b", "c"], "series": [{"values": [1000, -2, None]}, {"values": [-300.5, -3, None]}]}

    _, frame = fill(make(COLUMNS), {**mixed, "totals": True}, **{"$locale": "da-DK"})

    assert list(frame.chart.plots[1].series[0].values) == [1000, 0, None]
    assert read_labels(frame.chart) == ["699,5", "-5"]
    assert read_columns(frame.chart)["Total"] == [699.5, -5, None]


def test_bars_have_their_totals_at_their_ends() -> None:
    """A piece without length at the end of each bar: a line would run across."""
    deck, frame = fill(make(BARS), {**SALES, "totals": True})

    (plot,) = frame.chart.plots
    assert [list(series.values) for series in plot.series][-1] == [0, 0, 0]
    assert not plot.series[2].name.strip()
    assert read_labels(frame.chart) == ["15.1", "12.2", "23.6"]
    assert read_columns(frame.chart)["Total"] == TOTALS
    assert not deck.findings


def test_the_directive_asks_for_totals_too_unless_the_data_has_such_a_name() -> None:
    """A name of the data is stronger than a word of the language."""
    template = make(COLUMNS)
    named = template_with(template, "{{chart:sales totals}}")

    assert [series.name for series in fill(named, SALES)[1].chart.plots[1].series] == ["Total"]
    _, frame = fill(named, None, **{"sales totals": SALES})
    assert len(frame.chart.plots) == 1
    assert len(fill(template, SALES)[1].chart.plots) == 1
    with pytest.raises(BadData) as refusal:
        fill(named, 7)
    assert refusal.value.path == "sales"


def template_with(template: bytes, directive: str) -> bytes:
    """Return the template with another alternative text."""
    presentation: Any = Presentation(io.BytesIO(template))
    presentation.slides[0].shapes[0]._element.nvGraphicFramePr.cNvPr.set("descr", directive)  # noqa: SLF001
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def test_totals_of_what_is_not_stacked_are_a_warning() -> None:
    """At upload for the directive, in the deck for the data."""
    (at_upload,) = compile_template(template_with(make(CLUSTERED), "{{chart:sales totals}}")).findings
    deck, frame = fill(make(CLUSTERED), {**SALES, "totals": True})

    assert [(one.type, one.code, one.details["shape"]) for one in (at_upload, *deck.findings)] == [
        ("Warning", "chart-totals", "Chart")
    ] * 2
    assert len(frame.chart.plots) == 1


def find_arrows(deck: Deck) -> list[Any]:
    """Return the shapes of the arrows, lines first."""
    slide: Any = Presentation(io.BytesIO(deck.content)).slides[0]
    groups = [shape for shape in slide.shapes if shape.name == "Differences"]
    return [shape for group in groups for shape in group.shapes]


def test_an_arrow_stands_over_its_two_columns_with_its_difference() -> None:
    """From the middle of the one to the middle of the other; a longer one stands above shorter ones side by side."""
    asked = [
        {"from": "2024", "to": "2026", "as": "cagr", "series": "Total"},
        {"from": 2026, "to": "2025", "as": "absolute", "series": "North"},
        {"from": "2024", "to": "2025"},
    ]
    deck, frame = fill(make(COLUMNS, fixed=True), {**SALES, "differences": asked}, **{"$locale": "da-DK"})

    lines, labels = find_arrows(deck)[:3], find_arrows(deck)[3:]
    plot, width = frame.left + 0.1 * frame.width, 0.6 * frame.width
    assert [label.text_frame.text for label in labels] == ["25,0\xa0%", "-1,8", "-19\xa0%"]
    assert lines[0].left == pytest.approx(plot + width / 6, abs=2)
    assert lines[0].left + lines[0].width == pytest.approx(plot + width * 5 / 6, abs=2)
    assert lines[0].top + lines[0].height == pytest.approx(frame.top + 0.25 * frame.height, abs=2)
    assert lines[0].top < lines[1].top == lines[2].top
    assert ['flipH="1"' in line._element.xml for line in lines] == [False, True, False]  # noqa: SLF001
    assert not deck.findings


def test_arrows_of_bars_stand_at_their_right() -> None:
    """The first bar is the lowest one."""
    asked = [{"from": "2024", "to": "2026", "as": "percent", "series": "South"}]
    deck, frame = fill(make(BARS, fixed=True), {**SALES, "differences": asked})

    line, label = find_arrows(deck)
    assert (label.text_frame.text, line.left) == ("+92%", round(frame.left + 0.7 * frame.width))
    assert line.height == pytest.approx(0.5 * frame.height * 2 / 3, abs=2)
    assert 'flipV="1"' in line._element.xml  # noqa: SLF001


@pytest.mark.parametrize(
    ("fixed", "difference", "reason"),
    [
        (False, {"from": "2024", "to": "2026"}, "does not fix the plot area"),
        (True, {"from": "2024", "to": "2025", "series": "South"}, "no number"),
    ],
)
def test_a_difference_that_cannot_be_drawn_is_a_warning(fixed: bool, difference: object, reason: str) -> None:  # noqa: FBT001
    """The chart itself is filled."""
    deck, _ = fill(make(COLUMNS, fixed=fixed), {**SALES, "differences": [difference]})

    (finding,) = deck.findings
    assert (finding.type, finding.code, finding.details["shape"]) == ("Warning", "chart-differences", "Chart")
    assert reason in finding.message
    assert not find_arrows(deck)


@pytest.mark.parametrize(
    ("members", "path"),
    [
        ({"totals": "yes"}, "sales.totals"),
        ({"differences": 7}, "sales.differences"),
        ({"differences": [{"from": "2024"}]}, "sales.differences.0"),
        ({"differences": [{"from": "2024", "to": "1999"}]}, "sales.differences.0.to"),
        ({"differences": [{"from": "2024", "to": "2024"}]}, "sales.differences.0.to"),
        ({"differences": [{"from": "2024", "to": "2025", "as": "more"}]}, "sales.differences.0.as"),
        ({"differences": [{"from": "2024", "to": "2025", "series": "East"}]}, "sales.differences.0.series"),
        ({"differences": [{"from": "2024", "to": "2025"}] * 21}, "sales.differences"),
    ],
)
def test_what_nobody_can_draw_is_refused_with_its_place(members: Mapping[str, object], path: str) -> None:
    """A wrong name of a column would be noticed by nobody."""
    with pytest.raises(BadData) as refusal:
        fill(make(COLUMNS, fixed=True), {**SALES, **members})

    assert refusal.value.path == path
