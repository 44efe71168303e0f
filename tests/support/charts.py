"""Templates with one chart, and the chart in the deck made from them."""

import io
import re
import zipfile
from collections.abc import Callable, Sequence
from typing import Any, Final

from pptx import Presentation
from pptx.chart.data import BubbleChartData, CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from meetdeck.present.deck import Deck, compile_template, whole_deck
from meetdeck.present.deck.opc.xml import Element, parse
from support.package_checker.soundness import assert_sound

C: Final = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_POINTS: Final = {XL_CHART_TYPE.XY_SCATTER: 2, XL_CHART_TYPE.BUBBLE: 3}


def make_chart_template(
    kind: Any = XL_CHART_TYPE.COLUMN_CLUSTERED,
    categories: Sequence[object] = ("A", "B", "C"),
    series: int = 1,
    change: Callable[[Any], None] | None = None,
) -> bytes:
    """Make a slide of one chart that `{{chart:sales}}` fills; `change` gets the chart."""
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    frame = slide.shapes.add_chart(kind, 0, 0, Inches(6), Inches(4), _made_up(kind, categories, series))
    frame.name = "Chart"
    frame._element.nvGraphicFramePr.cNvPr.set("descr", "{{chart:sales}}")  # noqa: SLF001 - python-pptx has no way to it
    if change:
        change(frame.chart)
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def _made_up(kind: Any, categories: Sequence[object], series: int) -> Any:
    data: Any
    if kind not in _POINTS:
        data = CategoryChartData()
        data.categories = categories
        for number in range(series):
            data.add_series(f"S{number + 1}", range(1, len(categories) + 1))
        return data
    data = XyChartData() if _POINTS[kind] == len("xy") else BubbleChartData()
    for number in range(series):
        points = data.add_series(f"S{number + 1}")
        for place in range(len(categories)):
            points.add_data_point(*([place + 1] * _POINTS[kind]))
    return data


def fill_chart(template: bytes, sales: object) -> tuple[Deck, Element]:
    """Fill the template's chart, require the deck to be sound, and return it and the chart's part."""
    deck = whole_deck(compile_template(template), {"sales": sales})
    assert_sound(deck.content, template)
    return deck, parse(read_charts(deck.content)[0])


def read_charts(deck: bytes) -> list[bytes]:
    """Return the parts of a deck's charts."""
    with zipfile.ZipFile(io.BytesIO(deck)) as archive:
        names = (name for name in archive.namelist() if re.fullmatch(r"ppt/charts/chart\w*\d+\.xml", name))
        return [archive.read(name) for name in sorted(names)]


def read_charts_again(deck: Deck) -> list[Any]:
    """Return the charts of a deck as python-pptx reads them."""
    presentation: Any = Presentation(io.BytesIO(deck.content))
    return [shape.chart for slide in presentation.slides for shape in slide.shapes if shape.has_chart]
