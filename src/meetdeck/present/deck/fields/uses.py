"""The uses of a template's tags, blocks and directives."""

from collections.abc import Iterable, Mapping
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


class Usage(NamedTuple):
    """The parts of the data that a part, a slide or a template uses.

    `uses` are its tags, blocks and directives in order, `levels` what its blocks repeat, by the block's name, `names`
    the segments of all names.
    """

    uses: tuple[Use, ...] = ()
    levels: Mapping[str, Level] = {}
    names: frozenset[str] = frozenset()


def join_usages(usages: Iterable[Usage]) -> Usage:
    """Return the usage of all of them together."""
    usages = tuple(usages)
    return Usage(
        uses=tuple(use for usage in usages for use in usage.uses),
        levels={name: level for usage in usages for name, level in usage.levels.items()},
        names=frozenset().union(*(usage.names for usage in usages)),
    )
