"""The text of a deck's first shape, as python-pptx reads it."""

import io
from typing import Any

from pptx import Presentation

from meetdeck.present.deck import Deck


def paragraphs_of(deck: Deck) -> Any:
    """Return the paragraphs of the shape."""
    presentation: Any = Presentation(io.BytesIO(deck.content))
    return presentation.slides[0].shapes[0].text_frame.paragraphs


def runs_of(deck: Deck) -> list[tuple[str, bool | None, bool | None, str | None]]:
    """Return the text, bold, italic and link of each run."""
    return [
        (run.text, run.font.bold, run.font.italic, run.hyperlink.address)
        for paragraph in paragraphs_of(deck)
        for run in paragraph.runs
    ]
