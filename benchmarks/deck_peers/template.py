"""The template that every candidate gets, and the data of its slides.

Four kinds of slide come in turn: text, table, chart with workbook and notes, picture. The shapes are named, so that
candidates may address them. Tag syntaxes differ, so the caller says how a tag is written.
"""

import io
from collections.abc import Callable
from itertools import cycle, islice
from typing import Any

from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml.ns import qn
from pptx.util import Inches

KINDS = ("Text", "Table", "Chart", "Picture")
POINTS = 5
ROWS, COLUMNS = 8, 4

# Writes a tag from the slide's number, from 0, and the dotted path into the slide's data.
WriteTag = Callable[[int, str], str]


def brace_tag(_slide: int, path: str) -> str:
    """Write `{{customer.name}}`: each slide gets data of its own."""
    return f"{{{{{path}}}}}"


def flat_name(slide: int, path: str) -> str:
    """Name a value among those of all slides, for makers that fill the whole template with one data."""
    return f"s{slide}_{path.replace('.', '_')}"


def make_template(slides: int = len(KINDS), tag: WriteTag = brace_tag) -> bytes:
    """Make a template of the kinds in turn."""
    presentation: Any = Presentation()
    for number, kind in enumerate(islice(cycle(KINDS), slides)):
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.name = kind
        slide.shapes.title.name = "Title"
        slide.shapes.title.text = title_text(kind, lambda path, number=number: tag(number, path))
        _add_body(slide, lambda path, number=number: tag(number, path))
        _ADD[kind](slide, lambda path, number=number: tag(number, path))
        set_language(slide)
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


# The texts of a slide, with tags or with values: what the template says and what a deck must say.


def title_text(kind: str, write: Callable[[str], str]) -> str:
    """Return a slide's title."""
    return f"{kind} for {write('customer.name')}"


def body_texts(write: Callable[[str], str]) -> list[str]:
    """Return the paragraphs of a slide's text box."""
    points = [f"Point {n}: {write(f'points.{n}')}, as agreed with {write('customer.name')}" for n in range(POINTS)]
    return [f"Prepared by {write('advisor.name')} on {write('date')}", *points]


def table_texts(write: Callable[[str], str]) -> list[list[str]]:
    """Return the cells of a slide's table, row by row."""
    return [[write(f"rows.{row}.{column}") for column in range(COLUMNS)] for row in range(ROWS)]


def chart_title_text(write: Callable[[str], str]) -> str:
    """Return the title of a slide's chart."""
    return f"Sales to {write('customer.name')}"


def notes_text(write: Callable[[str], str]) -> str:
    """Return a slide's notes."""
    return f"Tell {write('customer.name')} about {write('points.0')}"


def make_values(number: int) -> dict[str, str]:
    """Return the values of one slide by dotted path."""
    values = {
        "customer.name": f"Customer & Sons {number}",
        "advisor.name": "Åse Sørensen",
        "date": "31 January 2026",
    }
    values |= {f"points.{point}": f"we said {number} times {point}" for point in range(POINTS)}
    return values | {f"rows.{row}.{column}": f"{row}/{column}" for row in range(ROWS) for column in range(COLUMNS)}


def make_data(number: int) -> dict[str, object]:
    """Return the same values as a caller would send them."""
    values = make_values(number)
    return {
        "customer": {"name": values["customer.name"]},
        "advisor": {"name": values["advisor.name"]},
        "date": values["date"],
        "points": [values[f"points.{point}"] for point in range(POINTS)],
        "rows": [[values[f"rows.{row}.{column}"] for column in range(COLUMNS)] for row in range(ROWS)],
    }


def _add_body(slide: Any, write: Callable[[str], str]) -> None:
    box = slide.shapes.add_textbox(Inches(1), Inches(6), Inches(8), Inches(1))
    box.name = "Body"
    first, *others = body_texts(write)
    box.text_frame.text = first
    for text in others:
        box.text_frame.add_paragraph().text = text


def set_language(slide: Any) -> None:
    """Give each run the properties that PowerPoint always writes: without them templates are cheaper than real ones."""
    for run in slide.element.iter(qn("a:r")):
        run.get_or_add_rPr().attrib.update({"lang": "en-US", "dirty": "0"})


def _add_nothing(_slide: Any, _write: Callable[[str], str]) -> None:
    """Add nothing."""


def _add_table(slide: Any, write: Callable[[str], str]) -> None:
    frame = slide.shapes.add_table(ROWS, COLUMNS, Inches(1), Inches(2), Inches(8), Inches(3))
    frame.name = "Table"
    for row, texts in enumerate(table_texts(write)):
        for column, text in enumerate(texts):
            frame.table.cell(row, column).text = text


def _add_chart(slide: Any, write: Callable[[str], str]) -> None:
    data: Any = CategoryChartData()
    data.categories = ["East", "West", "North", "South"]
    data.add_series("Sales", (1, 2, 3, 4))
    frame = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, Inches(4), Inches(3), data)
    frame.name = "Chart"
    frame.chart.has_title = True
    frame.chart.chart_title.text_frame.text = chart_title_text(write)
    slide.notes_slide.notes_text_frame.text = notes_text(write)


def _add_picture(slide: Any, _write: Callable[[str], str]) -> None:
    out = io.BytesIO()
    Image.effect_noise((400, 300), 60).save(out, "PNG")
    out.seek(0)
    slide.shapes.add_picture(out, 0, 0)


_ADD: dict[str, Callable[[Any, Callable[[str], str]], None]] = {
    "Text": _add_nothing,
    "Table": _add_table,
    "Chart": _add_chart,
    "Picture": _add_picture,
}
