"""The structure of a conforming PDF: no empty pages, and parts in reading order."""

import pytest

from meetdeck.present.deck import Outline, SpokenSlide
from meetdeck.present.render.conformance.conform import conform
from meetdeck.present.render.conformance.reading_order import Box, by_position
from meetdeck.present.render.renderer import RenderingFailed
from meetdeck.present.render.standards import Standard
from support.pdfs import make_slides


def test_pages_without_tags_are_never_called_accessible() -> None:
    with pytest.raises(RenderingFailed, match="without tags"):
        conform(make_slides(1), Outline(), [Standard.PDF_UA_1], [SpokenSlide("Cover", ())])


@pytest.mark.parametrize(
    ("boxes", "order"),
    [
        ({"right": Box(60, 0, 90, 10), "left": Box(0, 0, 30, 10), "above": Box(0, 50, 90, 60)}, "above left right"),
        (
            {"b1": Box(60, 50, 90, 60), "a2": Box(0, 20, 30, 45), "a1": Box(0, 48, 30, 60), "b2": Box(60, 20, 90, 47)},
            "a1 b1 a2 b2",
        ),
        ({"b": Box(60, 0, 90, 60), "a2": Box(0, 0, 30, 25), "a1": Box(0, 30, 30, 60)}, "a1 a2 b"),
        ({"over": Box(10, 10, 80, 50), "under": Box(0, 0, 90, 60)}, "over under"),
    ],
    ids=["rows", "a grid", "columns", "what overlaps stays"],
)
def test_people_read_rows_from_above_and_columns_from_the_left(boxes: dict[str, Box], order: str) -> None:
    assert by_position(list(boxes), boxes.__getitem__) == order.split()
