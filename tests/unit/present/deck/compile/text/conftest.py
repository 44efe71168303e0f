from collections.abc import Callable

import pytest

from meetdeck.present.deck import Deck, compile_template, whole_deck
from support.package_checker.soundness import assert_sound

Make = Callable[[str], bytes]
Check = Callable[[bytes], None]


@pytest.fixture
def fill(text_template: Make, check_whole: Check) -> Callable[..., Deck]:
    """Fill a text box of the given paragraphs."""

    def fill(paragraphs: str, **data: object) -> Deck:
        deck = whole_deck(compile_template(text_template(paragraphs)), data)
        check_whole(deck.content)
        assert_sound(deck.content)
        return deck

    return fill
