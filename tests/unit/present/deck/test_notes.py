from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation

from meetdeck.present.deck import TemplateError, read_notes


def make_deck(*notes: str | None, hidden: int | None = None) -> bytes:
    deck = Presentation()
    for number, text in enumerate(notes):
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        if number == hidden:
            element: Any = slide.element
            element.set("show", "0")
        if text is not None:
            frame = slide.notes_slide.notes_text_frame
            assert frame is not None
            frame.text = text
    file = BytesIO()
    deck.save(file)
    return file.getvalue()


def test_each_shown_slide_has_its_notes_or_none() -> None:
    assert read_notes(make_deck("Smil & hils", None, "Slut")) == ["Smil & hils", "", "Slut"]


def test_a_hidden_slide_has_no_page_and_no_notes() -> None:
    assert read_notes(make_deck("one", "two", "three", hidden=1)) == ["one", "three"]


def test_paragraphs_are_lines_and_a_line_break_is_a_space() -> None:
    assert read_notes(make_deck("first\nsecond\vsame line")) == ["first\nsecond same line"]


def test_what_is_no_presentation_is_refused() -> None:
    with pytest.raises(TemplateError, match="zip"):
        read_notes(b"no zip")
