"""`{{push}}` in an alternative text: whether it moves shapes, or shows a value of the data."""

from typing import Final

from msgspec import Struct

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import plain_tag
from meetdeck.present.deck.language.values import ABSENT, escape_attribute, legal
from meetdeck.present.deck.program.scope import Scope, resolve, resolve_text

_WORD: Final = plain_tag("push")


def is_pushing(scope: Scope) -> bool:
    """Return whether `{{push}}` pushes: it shows a value where the data has one of that name."""
    return resolve(_WORD, scope) is ABSENT


class PushWord(Struct, frozen=True):
    """`{{push}}` in an alternative text, which shows nothing unless the data has such a value."""

    place: Place

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the value of that name, with a blank before it."""
        if not is_pushing(scope):
            out.append(escape_attribute(legal(f" {resolve_text(_WORD, self.place, scope)}")).encode())
