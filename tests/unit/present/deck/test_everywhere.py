"""Tags outside of slides' text bodies: names in charts, layouts, masters, footers, properties."""

import io
from collections.abc import Callable
from typing import Any

from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE

from meetdeck.present.deck import SlideRequest, build_deck, compile_template, whole_deck

Make = Callable[[Callable[[Any], None]], bytes]
Check = Callable[[bytes], None]


def _open(content: bytes) -> Any:
    return Presentation(io.BytesIO(content))


def test_tags_on_the_master_are_filled_once_with_the_first_slides_data(make_template: Make, check_whole: Check) -> None:
    def fill(presentation: Any) -> None:
        master = presentation.slide_master
        master.placeholders[0].text_frame.text = "For {{customer.name}}"
        presentation.slides.add_slide(presentation.slide_layouts[6]).name = "A"

    template = compile_template(make_template(fill))
    assert [(finding.type, finding.code) for finding in template.findings] == [("Info", "tag-on-layout")]
    requests = [SlideRequest("A", {"customer": {"name": name}}) for name in ("Ada", "Bo")]
    deck = build_deck(template, requests)
    check_whole(deck.content)
    assert _open(deck.content).slide_master.placeholders[0].text_frame.text == "For Ada"


def test_names_in_a_charts_data_are_filled(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        data: Any = CategoryChartData()
        data.categories = ["{{year}}", "b"]
        data.add_series("{{fund}} & Co", (1, 2))
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        slide.shapes.add_chart(XL_CHART_TYPE.PIE, 0, 0, 9, 9, data)

    deck = whole_deck(compile_template(make_template(fill)), {"year": 2026, "fund": "A<B"})
    (chart,) = [shape.chart for shape in _open(deck.content).slides[0].shapes]
    assert list(chart.plots[0].categories) == ["2026", "b"]
    assert chart.plots[0].series[0].name == "A<B & Co"


def test_the_documents_title_is_filled(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        presentation.core_properties.title = "Review for {{name}}"
        presentation.slides.add_slide(presentation.slide_layouts[6])

    deck = whole_deck(compile_template(make_template(fill)), {"name": "Ada"})
    assert _open(deck.content).core_properties.title == "Review for Ada"
