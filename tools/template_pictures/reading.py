"""The visible text of a deck, for the examples and their tests."""

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE


def read_slides(content: bytes) -> list[list[str]]:
    """Return for each slide what its shapes say, and its notes.

    Cells are joined by bars, a series is `name: category value, …`, a link `text (address)`, a picture its alternative
    text in brackets.
    """
    presentation: Any = Presentation(BytesIO(content))
    return [[text for text in _slide_texts(slide) if text] for slide in presentation.slides]


def read_typed(content: bytes) -> list[str]:
    """Return every text of a template that holds a tag, alternative texts and addresses among them."""
    presentation: Any = Presentation(BytesIO(content))
    texts = [text for slide in presentation.slides for text in _typed_texts(slide)]
    texts += [text for layout in presentation.slide_layouts for shape in layout.shapes for text in _shape_texts(shape)]
    return [line.strip() for text in texts for line in _lines(text) if "{{" in line]


def read_addresses(content: bytes) -> list[list[str]]:
    """Return the addresses that each slide's text links to, with the braces that PowerPoint encodes."""
    presentation: Any = Presentation(BytesIO(content))
    return [
        [
            _decode(address)
            for shape in slide.shapes
            for run in _runs(shape)
            if (address := _address_of(run)) and ":" in address
        ]
        for slide in presentation.slides
    ]


def _decode(address: str) -> str:
    return address.replace("%7B", "{").replace("%7D", "}")


def _lines(text: str) -> list[str]:
    return text.replace("\v", "\n").split("\n")


def _with_members(shapes: Any) -> Iterator[Any]:  # noqa: ANN401 - python-pptx has types for half of what it can do
    """Yield the shapes, and those in groups behind their group."""
    for shape in shapes:
        yield shape
        if shape.shape_type == MSO_SHAPE_TYPE.GROUP:
            yield from _with_members(shape.shapes)


def _slide_texts(slide: Any) -> Iterator[str]:  # noqa: ANN401 - python-pptx has types for half of what it can do
    for shape in _with_members(slide.shapes):
        yield from _shape_texts(shape)
    for shape in slide.slide_layout.shapes:
        if not shape.is_placeholder:
            yield f"Layout: {shape.text_frame.text}"
    if slide.has_notes_slide:
        yield f"Notes: {slide.notes_slide.notes_text_frame.text}"


def _typed_texts(slide: Any) -> Iterator[str]:  # noqa: ANN401 - see above
    for shape in _with_members(slide.shapes):
        yield shape.element.xpath("./*/p:cNvPr")[0].get("descr", "")
        if shape.has_text_frame:
            yield shape.text_frame.text
            yield from (_decode(_address_of(run)) for run in _runs(shape))
        elif getattr(shape, "has_table", False):
            yield from (cell.text for row in shape.table.rows for cell in row.cells)
        elif getattr(shape, "has_chart", False):
            yield from _chart_names(shape.chart)
        yield from _diagram_texts(shape)
    # Charts of Office 2016, which python-pptx does not see.
    yield from slide.element.xpath("//*[local-name()='Choice']//p:cNvPr/@descr")
    if slide.has_notes_slide:
        yield slide.notes_slide.notes_text_frame.text


def _runs(shape: Any) -> Iterator[Any]:  # noqa: ANN401 - see above
    for paragraph in shape.text_frame.paragraphs if shape.has_text_frame else ():
        yield from paragraph.runs


def _shape_texts(shape: Any) -> Iterator[str]:  # noqa: ANN401 - see above
    if shape.has_text_frame:
        yield "\n".join(_paragraph_text(paragraph) for paragraph in shape.text_frame.paragraphs)
    if shape.element.xpath(".//a:blip"):
        yield f"[{shape.element.xpath('./*/p:cNvPr')[0].get('descr', '')}]"
    if getattr(shape, "has_table", False):
        yield from (" | ".join(cell.text for cell in row.cells) for row in shape.table.rows)
    if getattr(shape, "has_chart", False):
        yield from _chart_texts(shape.chart)
    yield from _diagram_texts(shape)


def _diagram_texts(shape: Any) -> Iterator[str]:  # noqa: ANN401 - see above
    for identifier in shape.element.xpath(".//*[local-name()='relIds']/@r:dm"):
        yield from re.findall("<a:t>(.*?)</a:t>", shape.part.related_part(identifier).blob.decode())


def _paragraph_text(paragraph: Any) -> str:  # noqa: ANN401 - see above
    addresses = [address for run in paragraph.runs if (address := _address_of(run))]
    return " ".join([paragraph.text.replace("\v", "\n"), *(f"({address})" for address in addresses)])


def _address_of(run: Any) -> str:  # noqa: ANN401 - see above
    """Return the address that a run leads to, `slide 3` for a slide of the deck."""
    identifier = next(iter(run._r.xpath("a:rPr/a:hlinkClick/@r:id")), "")  # noqa: SLF001 - its only door
    relationship = run.part.rels[identifier] if identifier else None
    if relationship is None or relationship.is_external:
        return relationship.target_ref if relationship else ""
    slides = run.part.package.presentation_part.presentation.slides
    return f"slide {slides.index(relationship.target_part.slide) + 1}"


def _chart_names(chart: Any) -> Iterator[str]:  # noqa: ANN401 - see above
    if chart.has_title:
        yield chart.chart_title.text_frame.text
    for plot in chart.plots:
        yield from plot.categories
        yield from (series.name for series in plot.series)


def _chart_texts(chart: Any) -> Iterator[str]:  # noqa: ANN401 - see above
    if chart.has_title:
        yield chart.chart_title.text_frame.text
    for series in (series for plot in chart.plots for series in plot.series):
        labels = series._element.xpath(  # noqa: SLF001 - its only door
            "(c:cat/*/*[self::c:strCache or self::c:numCache]|c:cat//c:lvl[1]|c:xVal)//c:v/text()"
        )
        values = ("gap" if value is None else f"{value:g}" for value in series.values)
        yield f"{series.name}: {', '.join(map(' '.join, zip(labels, values, strict=True)))}"
