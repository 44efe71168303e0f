"""Findings for authors: fonts that PDFs will not have, pictures far larger than shown."""

import io
import random
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from meetdeck.present.deck import Finding, validate_template

Make = Callable[[Callable[[Any], None]], bytes]


def _add_text(slide: Any, font: str) -> None:
    run = slide.shapes.add_textbox(0, 0, 9, 9).text_frame.paragraphs[0].add_run()
    run.text, run.font.name = "Text", font


def _fonts(findings: list[Finding]) -> list[tuple[object, str]]:
    return [(f.details["font"], f.location) for f in findings if f.code == "font-not-available"]


def _add_to_slide(presentation: Any) -> None:
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    slide.name = "Prices"
    _add_text(slide, "Rare Sans")


def _add_to_master(presentation: Any) -> None:
    run = presentation.slide_master.placeholders[0].text_frame.paragraphs[0].add_run()
    run.text, run.font.name = "Text", "Rare Sans"


def _add_to_layout(presentation: Any) -> None:
    run = presentation.slide_layouts[6].placeholders[0].text_frame.paragraphs[0].add_run()
    run.text, run.font.name = "Text", "Rare Sans"


def _add_to_chart(presentation: Any) -> None:
    data: Any = CategoryChartData()
    data.categories = ["A"]
    data.add_series("S", (1,))
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    chart = slide.shapes.add_chart(XL_CHART_TYPE.PIE, 0, 0, Inches(3), Inches(3), data).chart
    chart.font.name = "Rare Sans"


@pytest.mark.parametrize(
    ("add", "location"),
    [(_add_to_slide, "Prices"), (_add_to_master, ""), (_add_to_layout, ""), (_add_to_chart, "")],
)
def test_a_font_that_is_neither_embedded_nor_installed_is_warned_of_once(
    make_template: Make, add: Callable[[Any], None], location: str
) -> None:
    def fill(presentation: Any) -> None:
        add(presentation)
        add(presentation)

    findings = validate_template(make_template(fill), installed_fonts=["Carlito"])
    assert _fonts(findings) == [("Rare Sans", location)]


def test_a_font_of_the_same_widths_does_for_the_one_named(make_template: Make) -> None:
    template = make_template(_add_to_slide)
    assert _fonts(validate_template(template, installed_fonts=["CARLITO", "rare sans"])) == []
    assert ("Calibri", "") in _fonts(validate_template(template, installed_fonts=["Rare Sans"]))


def _noise(width: int, height: int) -> io.BytesIO:
    out = io.BytesIO()
    pixels = random.Random(1).randbytes(width * height * 3)  # noqa: S311 - a picture that does not compress
    Image.frombytes("RGB", (width, height), pixels).save(out, "PNG")
    out.seek(0)
    return out


@pytest.mark.parametrize(("inches", "codes"), [(0.5, ["oversized-picture"]), (2, [])])
def test_a_picture_far_larger_than_shown_is_warned_of(make_template: Make, inches: float, codes: list[str]) -> None:
    def fill(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        slide.name = "Cover"
        slide.shapes.add_picture(_noise(500, 400), 0, 0, Inches(inches)).name = "Skyline"

    findings = [
        finding
        for finding in validate_template(make_template(fill), installed_fonts=["Carlito"])
        if finding.code not in {"no-title", "no-alternative-text"}
    ]
    assert [finding.code for finding in findings] == codes
    assert [(finding.location, finding.details["shape"]) for finding in findings] == [("Cover", "Skyline")] * len(codes)
