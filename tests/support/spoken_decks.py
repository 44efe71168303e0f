"""A deck of everything that a screen reader must read: titles, lists, a table, pictures, a chart, decoration, links."""

import io
from typing import Any

from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from meetdeck.present.deck.opc.xml import parse

_DECORATIVE = (
    '<a:extLst xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">'
    '<a:ext uri="{C183D7F6-B498-43B3-948B-1728B52AA6E4}"><adec:decorative val="1" '
    'xmlns:adec="http://schemas.microsoft.com/office/drawing/2017/decorative"/></a:ext></a:extLst>'
)


def make_spoken_deck(*, untold: bool = False) -> bytes:
    """Make two slides; with `untold`, a picture without a text is on the second."""
    deck: Any = Presentation()
    deck.core_properties.title = "Pension"
    first = deck.slides.add_slide(deck.slide_layouts[1])
    first.shapes.title.text, first.placeholders[1].text = "Welcome", "Savings\nPension"
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Your house"
    _add_text(slide, "Below", 6.6, address="https://example.org/")
    _add_text(slide, "Above", 1.6)
    _add_picture(slide, 1, "A red house")
    mark_decorative(_add_picture(slide, 2.5, ""))
    if untold:
        _add_picture(slide, 4, "")
    for cell, text in zip(_add_table(slide), ("Year", "Value", "2026", "3 %"), strict=True):
        cell.text = text
    slide.shapes.add_shape(5, Inches(6), Inches(2), Inches(1), Inches(1))
    chart: Any = CategoryChartData()
    chart.categories = ["a", "b"]
    chart.add_series("S", (1, 2))
    frame = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(6), Inches(3.5), Inches(3), Inches(2), chart)
    frame.element.nvGraphicFramePr.cNvPr.set("descr", "Values grow")
    saved = io.BytesIO()
    deck.save(saved)
    return saved.getvalue()


def mark_decorative(shape: Any) -> None:
    """Mark a shape of python-pptx as decorative, as PowerPoint does."""
    next(shape.element.iter("{*}cNvPr")).append(parse(_DECORATIVE.encode()))


def _add_text(slide: Any, text: str, top: float, address: str = "") -> None:
    box = slide.shapes.add_textbox(Inches(1), Inches(top), Inches(3), Inches(0.4))
    run = box.text_frame.paragraphs[0].add_run()
    run.text = text
    if address:
        run.hyperlink.address = address


def _add_picture(slide: Any, left: float, text: str) -> Any:
    drawn = io.BytesIO()
    Image.new("RGBA", (40, 30), (200, 30, 30, 128)).save(drawn, "PNG")
    picture = slide.shapes.add_picture(drawn, Inches(left), Inches(2.3), Inches(1))
    picture.element.nvPicPr.cNvPr.attrib.pop("descr", None)
    if text:
        picture.element.nvPicPr.cNvPr.set("descr", text)
    return picture


def _add_table(slide: Any) -> list[Any]:
    table = slide.shapes.add_table(2, 2, Inches(1), Inches(4), Inches(4), Inches(1)).table
    return [table.cell(row, column) for row in range(2) for column in range(2)]
