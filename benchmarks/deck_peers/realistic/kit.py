"""The pieces that templates are drawn from: slides, texts, tables, charts and pictures. Lengths are in inches."""

import io
from collections.abc import Mapping, Sequence
from copy import deepcopy
from random import Random
from typing import Any, Final, NamedTuple

from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_SHAPE, PP_PLACEHOLDER
from pptx.enum.text import MSO_AUTO_SIZE
from pptx.oxml.ns import qn
from pptx.util import Inches, Pt

_TITLE_ONLY: Final = 5
_SLIDE_NUMBER: Final = PP_PLACEHOLDER.SLIDE_NUMBER
_PIXELS: Final = (200, 150)


class Place(NamedTuple):
    """The place of a shape on its slide."""

    left: float
    top: float
    width: float
    height: float


class Drawing:
    """A presentation that is being drawn, with the page's size and the language of its text."""

    def __init__(self, language: str, width: float = 13.333, height: float = 7.5) -> None:
        self._presentation: Any = Presentation()
        self._presentation.slide_width, self._presentation.slide_height = Inches(width), Inches(height)
        self._language = language
        self._width = width

    def add_slide(self, name: str, title: str, marks: str = "") -> Any:
        """Add a slide with a title; `marks` are the title's alternative text."""
        slide = self._presentation.slides.add_slide(self._presentation.slide_layouts[_TITLE_ONLY])
        slide.name = name
        _set_place(slide.shapes.title, Place(0.5, 0.3, self._width - 1, 0.8))
        slide.shapes.title.text = title
        slide.shapes.title.text_frame.paragraphs[0].runs[0].font.size = Pt(28)
        if self._language.startswith("ar"):
            set_direction(slide.shapes.title)
        describe(slide.shapes.title, marks)
        return slide

    def save(self) -> bytes:
        """Return the file; each run has the properties that PowerPoint always writes."""
        for slide in self._presentation.slides:
            for run in slide.element.iter(qn("a:r")):
                run.get_or_add_rPr().attrib.update({"lang": self._language, "dirty": "0"})
        out = io.BytesIO()
        self._presentation.save(out)
        return out.getvalue()


def describe(shape: Any, text: str) -> Any:
    """Set a shape's alternative text, and return the shape."""
    shape._element._nvXxPr.cNvPr.set("descr", text)
    return shape


def add_text(slide: Any, place: Place, paragraphs: Sequence[str], size: float = 14, *, grows: bool = False) -> Any:
    """Add a text box whose lines wrap; one that `grows` is as high as its text."""
    box = slide.shapes.add_textbox(*map(Inches, place))
    box.text_frame.text = "\n".join(paragraphs)
    box.text_frame.word_wrap = True
    box.text_frame.auto_size = MSO_AUTO_SIZE.SHAPE_TO_FIT_TEXT if grows else MSO_AUTO_SIZE.NONE
    _set_size(box.text_frame, size)
    return box


def add_panel(slide: Any, place: Place, text: str, size: float = 14) -> Any:
    """Add a filled rectangle with a text."""
    shape = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, *map(Inches, place))
    shape.text_frame.text = text
    _set_size(shape.text_frame, size)
    return shape


def add_table(slide: Any, place: Place, rows: Sequence[Sequence[str]], widths: Sequence[float], size: float) -> Any:
    """Add a table whose columns have these proportions; its rows are equally high."""
    frame = slide.shapes.add_table(len(rows), len(rows[0]), *map(Inches, place))
    for column, width in zip(frame.table.columns, widths, strict=True):
        column.width = Inches(place.width * width / sum(widths))
    for number, row in enumerate(frame.table.rows):
        for cell, text in zip(row.cells, rows[number], strict=True):
            cell.text = text
            cell.margin_top = cell.margin_bottom = Inches(0.03)
            _set_size(cell.text_frame, size)
    return frame


def add_chart(slide: Any, place: Place, directive: str, kind: XL_CHART_TYPE, series: Sequence[str]) -> Any:
    """Add a chart that the data fills."""
    data: Any = CategoryChartData()
    data.categories = ["A", "B", "C"]
    for name in series:
        data.add_series(name, (1, 2, 3))
    return describe(slide.shapes.add_chart(kind, *map(Inches, place), data), directive)


def add_picture(slide: Any, place: Place, alternative_text: str) -> Any:
    """Add the firm's picture, which nothing can compress, as photos are."""
    width, height = _PIXELS
    out = io.BytesIO()
    Image.frombytes("L", _PIXELS, Random(0).randbytes(width * height)).save(out, "PNG")
    out.seek(0)
    return describe(slide.shapes.add_picture(out, *map(Inches, place)), alternative_text)


def add_page_number(slide: Any) -> None:
    """Add the slide number of the slide's layout."""
    source = next(one for one in slide.slide_layout.placeholders if one.placeholder_format.type == _SLIDE_NUMBER)
    element = deepcopy(source.element)
    element.nvSpPr.cNvPr.set("id", str(max(shape.shape_id for shape in slide.shapes) + 1))
    slide.shapes._spTree.append(element)
    _set_place(slide.shapes[-1], Place(11.3, 7.0, 1.5, 0.35))


def set_notes(slide: Any, text: str) -> None:
    """Set a slide's notes."""
    slide.notes_slide.notes_text_frame.text = text


def set_direction(shape: Any, alignment: str = "") -> None:
    """Set the paragraphs of a shape to run from right to left; those without an alignment get this one."""
    for paragraph in shape.element.iter(qn("a:p")):
        properties = paragraph.get_or_add_pPr()
        properties.set("rtl", "1")
        if alignment and properties.get("algn") is None:
            properties.set("algn", alignment)


def list_chart(names: Sequence[str], series: Mapping[str, Sequence[float]]) -> dict[str, object]:
    """Return the data of a chart."""
    return {"categories": list(names), "series": [{"name": name, "values": [*row]} for name, row in series.items()]}


def _set_place(shape: Any, place: Place) -> None:
    shape.left, shape.top, shape.width, shape.height = map(Inches, place)


def _set_size(frame: Any, size: float) -> None:
    for paragraph in frame.paragraphs:
        for run in paragraph.runs:
            run.font.size = Pt(size)
        if not paragraph.runs:
            paragraph._p.get_or_add_endParaRPr().set("sz", str(round(size * 100)))
