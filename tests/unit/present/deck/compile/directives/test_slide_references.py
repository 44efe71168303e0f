"""References to slides of other templates as authors write them."""

from collections.abc import Callable
from typing import Any

import pytest

from meetdeck.present.deck import SlideReference, compile_template, validate_template

Make = Callable[[Callable[[Any], None]], bytes]


def _titled(make_template: Make, description: str, notes: str = "") -> bytes:
    def fill(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = "Small print"
        slide.shapes.title.element.nvSpPr.cNvPr.set("descr", description)
        if notes:
            slide.notes_slide.notes_text_frame.text = notes

    return make_template(fill)


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ('{{slide:Disclaimer from="Common"}}', SlideReference("Disclaimer", "Common")),
        ("{{ slide : Your money (2) from = Common theme = keep }}", SlideReference("Your money (2)", "Common", "keep")),
        ("{{Slide:“Terms: 2026” from=„Fælles slides“ Theme=TAKE}}", SlideReference("Terms: 2026", "Fælles slides")),
        ("{{slide:Slide 3 from='A \"b\"'}}", SlideReference("Slide 3", 'A "b"')),
    ],
)
def test_a_reference_is_read_with_and_without_quotes(make_template: Make, text: str, reference: SlideReference) -> None:
    assert compile_template(_titled(make_template, text)).references == (reference,)
    assert compile_template(_titled(make_template, "", notes=text)).references == (reference,)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("{{slide:Disclaimer}}", 'from="Common"'),
        ("{{slide:}}", 'from="Common"'),
        ('{{slide:A from="B" theme=mine}}', "theme=take or theme=keep"),
        ('{{slide:A from="B" from="C"}}', 'from="Common"'),
    ],
)
def test_one_that_names_nothing_is_refused_with_what_to_write(make_template: Make, text: str, advice: str) -> None:
    [finding] = validate_template(_titled(make_template, text))
    assert (finding.type, finding.code) == ("Error", "bad-option")
    assert advice in finding.message


def test_a_slide_stands_for_one_other_alone(make_template: Make) -> None:
    template = compile_template(_titled(make_template, "{{slide:A from=B}}", notes="{{slide:C from=D}}"))
    assert template.references == (SlideReference("A", "B"),)
    assert [finding.code for finding in template.findings] == ["missing-target"]


@pytest.mark.parametrize("where", ["text", "shape"])
def test_a_reference_that_stands_elsewhere_is_a_finding(make_template: Make, where: str) -> None:
    def fill(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        box = slide.shapes.add_textbox(0, 0, 914400, 914400)
        box.text_frame.text = "{{slide:A from=B}}" if where == "text" else ""
        box.element.nvSpPr.cNvPr.set("descr", "{{slide:A from=B}}" if where == "shape" else "")

    [finding] = validate_template(make_template(fill))
    assert finding.code == ("misplaced-directive" if where == "text" else "missing-target")
    assert "alternative text" in finding.message
