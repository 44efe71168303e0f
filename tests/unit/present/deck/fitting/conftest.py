"""A slide of shapes that is filled."""

from collections.abc import Callable

import pytest

from meetdeck.present.deck import Deck, compile_template, whole_deck
from support.fitting import EvenTypefaces


@pytest.fixture
def fill(
    slide_template: Callable[[str], bytes], typefaces: EvenTypefaces, check_whole: Callable[[bytes], None]
) -> Callable[..., Deck]:
    """Fill a slide of the given shapes (XML)."""

    def fill(shapes: str, **data: object) -> Deck:
        deck = whole_deck(compile_template(slide_template(shapes)), data, typefaces=typefaces)
        check_whole(deck.content)
        return deck

    return fill
