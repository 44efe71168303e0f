"""python-pptx with the clone recipe that everybody uses: copy shapes and parts, then replace text run by run."""

import copy
import io
import re
from collections.abc import Callable
from typing import Any

from pptx import Presentation
from pptx.parts.chart import ChartPart

from deck_peers.job import Job, SlideJob

_TAG = re.compile(r"\{\{([\w.]+)\}\}")


def cold(job: Job, template: bytes) -> Callable[[], bytes]:
    """Return the function that makes a deck from the file's bytes; nothing can be kept, it changes."""
    return lambda: _build(template, job.slides)


def _build(template: bytes, slides: list[SlideJob]) -> bytes:
    presentation: Any = Presentation(io.BytesIO(template))
    originals = list(presentation.slides)
    own = list(presentation.slides._sldIdLst)
    for slide in slides:
        _add_copy(presentation, originals[slide.number - 1], slide.values)
    for entry in own:
        presentation.part.drop_rel(entry.rId)
        presentation.slides._sldIdLst.remove(entry)
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def _add_copy(presentation: Any, source: Any, values: dict[str, str]) -> None:
    target = presentation.slides.add_slide(source.slide_layout)
    for shape in list(target.shapes):
        shape.element.getparent().remove(shape.element)
    _copy_relationships(source, target)
    for shape in source.shapes:
        target.shapes._spTree.append(copy.deepcopy(shape.element))
    if source.has_notes_slide:
        target.notes_slide.notes_text_frame.text = source.notes_slide.notes_text_frame.text
        _fill(target.notes_slide.notes_text_frame, values)
    for shape in target.shapes:
        _fill_shape(shape, values)


def _copy_relationships(source: Any, target: Any) -> None:
    for identifier, relationship in source.part.rels.items():
        if "notesSlide" in relationship.reltype or "slideLayout" in relationship.reltype:
            continue
        part = relationship._target
        if "chart" in relationship.reltype:
            part = _copy_chart(part)
        target.part.rels._rels[identifier] = type(relationship)(
            target.part.partname.baseURI, identifier, relationship.reltype, "Internal", part
        )


def _copy_chart(part: Any) -> Any:
    package = part.package
    name = package.next_partname("/ppt/charts/chart%d.xml")
    chart: Any = ChartPart.load(name, part.content_type, package, part.blob)
    for external_data in chart._element.xpath("c:externalData"):
        chart._element.remove(external_data)
    chart.chart_workbook.update_from_xlsx_blob(part.chart_workbook.xlsx_part.blob)
    return chart


def _fill_shape(shape: Any, values: dict[str, str]) -> None:
    if shape.has_text_frame:
        _fill(shape.text_frame, values)
    elif getattr(shape, "has_table", False) and shape.has_table:
        for cell in shape.table.iter_cells():
            _fill(cell.text_frame, values)
    elif getattr(shape, "has_chart", False) and shape.has_chart:
        _fill(shape.chart.chart_title.text_frame, values)


def _fill(frame: Any, values: dict[str, str]) -> None:
    for paragraph in frame.paragraphs:
        for run in paragraph.runs:
            if "{{" in run.text:
                run.text = _TAG.sub(lambda match: values[match[1]], run.text)
