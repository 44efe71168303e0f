"""Read a candidate's deck back and count the texts that hold the values they should."""

import io
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from pptx import Presentation

from deck_peers.job import SlideJob
from deck_peers.template import body_texts, chart_title_text, notes_text, table_texts, title_text

# Without these a deck is not a deck, and its time would say nothing.
NEEDED = ("titles", "texts", "table cells")


class Checked(NamedTuple):
    """The numbers of texts found and expected, by kind of text."""

    found: Counter[str]
    expected: Counter[str]

    @property
    def lacking(self) -> list[str]:
        """Return the missing texts, in words."""
        return [
            f"{kind} {self.found[kind]} of {expected}"
            for kind, expected in self.expected.items()
            if self.found[kind] < expected
        ]


class WrongDeckError(Exception):
    """A candidate's deck lacks requested content."""


def check_deck(deck: bytes, slides: list[SlideJob]) -> Checked:
    """Count what a deck holds. Raises `WrongDeckError` when slides are missing or their texts are not filled."""
    made = open_slides(deck, len(slides))
    checked = Checked(Counter(), Counter())
    charts: set[str] = set()
    for slide, job in zip(made, slides, strict=True):
        for kind, expected, found in _texts(slide, job):
            checked.expected[kind] += 1
            checked.found[kind] += expected == found
        if job.name == "Chart":
            charts.add(str(find_shape(slide, "Chart").chart.part.chart_workbook.xlsx_part.partname))
    checked.expected["charts of their own"] = sum(job.name == "Chart" for job in slides)
    checked.found["charts of their own"] = len(charts)
    if any(checked.found[kind] < checked.expected[kind] for kind in NEEDED):
        raise WrongDeckError(f"The deck is not filled: {'; '.join(checked.lacking)}.")
    return checked


def _texts(slide: Any, job: SlideJob) -> Iterator[tuple[str, str, str]]:
    """Yield (kind of text, expected text, text)."""
    write = job.values.__getitem__
    yield "titles", title_text(job.name, write), slide.shapes.title.text_frame.text
    paragraphs = find_shape(slide, "Body").text_frame.paragraphs
    for expected, paragraph in zip(body_texts(write), paragraphs, strict=True):
        yield "texts", expected, paragraph.text
    if job.name == "Table":
        table = find_shape(slide, "Table").table
        for row, texts in enumerate(table_texts(write)):
            for column, expected in enumerate(texts):
                yield "table cells", expected, table.cell(row, column).text
    if job.name == "Chart":
        yield "chart titles", chart_title_text(write), find_shape(slide, "Chart").chart.chart_title.text_frame.text
        notes = slide.notes_slide.notes_text_frame.text if slide.has_notes_slide else ""
        yield "notes", notes_text(write), notes


def open_slides(deck: bytes, expected: int) -> list[Any]:
    """Return a deck's slides. Raises `WrongDeckError` when they are more or fewer than expected."""
    presentation: Any = Presentation(io.BytesIO(deck))
    made = list(presentation.slides)
    if len(made) != expected:
        raise WrongDeckError(f"The deck has {len(made)} slides, not {expected}.")
    return made


def find_shape(slide: Any, name: str) -> Any:
    """Return the shape of a name."""
    return next(shape for shape in slide.shapes if shape.name == name)
