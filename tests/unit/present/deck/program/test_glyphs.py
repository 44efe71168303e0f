"""Characters that no font can draw."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from meetdeck.present.deck import Finding, compile_template, validate_template, whole_deck
from support.fitting import EvenTypefaces, line, table, text_box

Make = Callable[[str], bytes]

_POOR = EvenTypefaces(missing="🥰ก")


def _missing(findings: tuple[Finding, ...] | list[Finding]) -> list[tuple[str, str, object, object]]:
    return [
        (f.type, f.location, f.details["shape"], f.details["characters"]) for f in findings if f.code == "missing-glyph"
    ]


@pytest.mark.parametrize(
    "shapes",
    [
        text_box(line("{{x}}")),
        text_box(line("So {{x | upper}}!")),
        text_box(line("{{x | markdown}}")),
        text_box(line("{{#xs}}{{.}}{{/xs}}")),
        table([["{{x}}", "b"]], heights=[9]).replace("Table", "Box"),
        table([["a"]], heights=[9], descr="{{table:xs}}").replace("Table", "Box"),
    ],
)
def test_a_value_that_no_font_can_draw_is_found_once(slide_template: Make, shapes: str) -> None:
    data: dict[str, object] = {"x": "Thanks 🥰 æ 🥰", "xs": [["Thanks 🥰 æ 🥰"]] * 9}
    if "{{#xs}}" in shapes:
        data["xs"] = ["Thanks 🥰 æ 🥰"] * 9
    findings = whole_deck(compile_template(slide_template(shapes)), data, typefaces=_POOR).findings
    assert _missing(findings) == [("Warning", "Slide 1", "Box", "🥰")]
    assert "U+1F970 SMILING FACE WITH SMILING EYES AND THREE HEARTS" in findings[0].message
    assert whole_deck(compile_template(slide_template(shapes)), data).findings == ()


def test_names_in_a_chart_are_looked_at() -> None:
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    data: Any = CategoryChartData()
    data.categories = ["A"]
    data.add_series("S", (1,))
    frame = slide.shapes.add_chart(XL_CHART_TYPE.PIE, 0, 0, Inches(3), Inches(3), data)
    frame.name = "Pie"
    frame._element.nvGraphicFramePr.cNvPr.set("descr", "{{chart:sales}}")  # noqa: SLF001 - python-pptx has no way to it
    out = io.BytesIO()
    presentation.save(out)
    sales = {"categories": ["ก", "b"], "series": [{"name": "🥰", "values": [1, 2]}]}
    findings = whole_deck(compile_template(out.getvalue()), {"sales": sales}, typefaces=_POOR).findings
    assert [(shape, set(str(characters))) for _, _, shape, characters in _missing(findings)] == [("Pie", {"ก", "🥰"})]


def test_the_templates_own_text_is_looked_at_when_it_is_uploaded(slide_template: Make) -> None:
    template = slide_template(text_box(line("ก 🥰 {{x}}") + line("ก")))
    findings = validate_template(template, installed_fonts=("Calibri",), typefaces=_POOR)
    assert _missing(findings) == [("Warning", "Slide 1", "Box", "ก🥰")]
    assert _missing(whole_deck(compile_template(template), {"x": "a"}, typefaces=_POOR).findings) == []
