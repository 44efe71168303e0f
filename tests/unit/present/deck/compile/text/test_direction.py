"""Values that are read from right to left among words that are not, and the other way round."""

from collections.abc import Callable
from typing import Any

import pytest

from meetdeck.present.deck import compile_template, whole_deck
from support.image_decks import Make, add_slide, open_deck

_LEFT, _RIGHT = "\u200e", "\u200f"
_COHEN = "שלום כהן"


@pytest.fixture
def fill(make_template: Make) -> Callable[..., str]:
    """Fill a paragraph, and return its text."""

    def filled(text: str, value: object, *, rtl: bool = False) -> str:
        def add(presentation: Any) -> None:
            frame = add_slide(presentation, 5).shapes.title.text_frame
            frame.text = text
            if rtl:
                frame.paragraphs[0]._p.get_or_add_pPr().set("rtl", "1")  # noqa: SLF001 - python-pptx has no word for it

        deck = whole_deck(compile_template(make_template(add)), {"x": value})
        return open_deck(deck).slides[0].shapes.title.text_frame.text

    return filled


@pytest.mark.parametrize(
    ("text", "value", "filled"),
    [
        ("{{x}} 3 accounts", _COHEN, f"{_RIGHT}{_COHEN}{_RIGHT}{_LEFT} 3 accounts"),
        ("Dear {{x}}, hello", f"{_COHEN}!", f"Dear {_RIGHT}{_COHEN}!{_RIGHT}{_LEFT}, hello"),
        ("{{x}} 3 accounts", f"Bank {_COHEN}", f"Bank {_COHEN}{_LEFT} 3 accounts"),
        ("Kære {{x}}, 3 konti", "Søren & Co.", "Kære Søren & Co., 3 konti"),
        ("{{x}}", _COHEN, _COHEN),
        ("{{x}}: 3", _COHEN, f"{_COHEN}: 3"),
        (f"{_COHEN} {{{{x}}}} 3", _COHEN, f"{_COHEN} {_COHEN} 3"),
    ],
)
def test_a_name_from_right_to_left_keeps_its_place_among_words_from_left_to_right(
    fill: Callable[..., str], text: str, value: str, filled: str
) -> None:
    assert fill(text, value) == filled


@pytest.mark.parametrize(
    ("value", "filled"),
    [
        ("+45 12 34 56 78", f"{_LEFT}+45 12 34 56 78{_LEFT}{_RIGHT}"),
        ("Freja Inc.", f"{_LEFT}Freja Inc.{_LEFT}{_RIGHT}"),
        (-5, f"{_LEFT}-5{_LEFT}{_RIGHT}"),
        (2026, "2026"),
        (_COHEN, _COHEN),
        (f"{_COHEN} Inc.", f"{_COHEN} Inc.{_RIGHT}"),
        ("", ""),
    ],
)
def test_numbers_and_names_keep_their_order_in_a_paragraph_from_right_to_left(
    fill: Callable[..., str], value: object, filled: str
) -> None:
    assert fill("טלפון: {{x}}, תודה", value, rtl=True) == f"טלפון: {filled}, תודה"


def test_a_value_of_several_lines_keeps_them(fill: Callable[..., str]) -> None:
    assert fill("Dear {{x}}, 3", f"{_COHEN}\nCo.").split("\v") == [f"Dear {_RIGHT}{_COHEN}", f"Co.{_RIGHT}{_LEFT}, 3"]
