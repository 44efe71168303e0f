"""The uses of a template's tags, blocks and directives."""

from typing import Final, Literal, NamedTuple

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.syntax import BlockStart, Directive, Tag

# What a block repeats.
Level = Literal["text", "paragraph", "row"]

# The kind of place where a tag begins a hyperlink's address.
WHOLE_ADDRESS: Final = "whole hyperlink address"


class Use(NamedTuple):
    """A tag, block or directive where it is used; `blocks` are the names of the blocks around, outermost first."""

    expression: Tag | BlockStart | Directive
    place: Place
    slide: str
    blocks: tuple[str, ...] = ()
