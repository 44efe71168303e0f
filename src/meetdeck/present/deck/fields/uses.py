"""The uses of a template's tags, blocks and directives."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Final, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import BlockStart, Directive, Tag
from meetdeck.present.deck.language.expressions.field_uses import list_field_uses
from meetdeck.present.deck.language.expressions.nodes import ExpressionNode
from meetdeck.present.deck.language.field_types import CONDITION, LIST, TEXT, FieldType
from meetdeck.present.deck.language.filters import TYPE_BY_FILTER
from meetdeck.present.deck.language.paths import STORY_LISTS

# The subject that a block repeats.
Level = Literal["text", "paragraph", "row", "column"]

# The kind of place of a tag at the start of a hyperlink's address.
WHOLE_ADDRESS: Final = "whole hyperlink address"


class Use(Struct, frozen=True, gc=False):
    """A tag, block or directive where it is used; `blocks` are the names of the surrounding blocks, outermost first.

    For a name in an expression, `type` is the type that the expression requires, and `example` a value for which its
    conditions hold, None where any does; the last `own_blocks` of the blocks are lists in the expression itself.
    """

    expression: Tag | BlockStart | Directive
    place: Place
    slide: str
    blocks: tuple[str, ...] = ()
    type: FieldType | None = None
    example: object = None
    own_blocks: int = 0


def list_uses(use: Use) -> Iterable[Use]:
    """Return a use, or the uses of the names in its expression, with the whole expression as their `source`.

    A directive that repeats for the items of a list is used for the list, whatever else its items are used for.
    """
    computed = use.expression.computed
    return (use,) if computed is None else _list_asked(use, computed)


def _list_asked(use: Use, computed: ExpressionNode) -> Iterator[Use]:
    construct = use.expression
    for field_use in list_field_uses(computed, _find_type(construct), holds=_shall_hold(construct)):
        name, path = field_use.path.name, field_use.path.path
        expression: Tag | Directive = Tag(construct.source, name, path)
        if (
            isinstance(construct, Directive)
            and construct.type.fills
            and not field_use.blocks
            and name == construct.name
        ):
            # The type of the directive is more specific than that of its filters.
            expression = Directive(construct.kind, construct.source, name, path)
        yield replace(
            use,
            expression=expression,
            blocks=(*use.blocks, *field_use.blocks),
            type=field_use.type,
            example=field_use.example,
            own_blocks=len(field_use.blocks),
        )


def name_shown(use: Use, items: tuple[str, ...]) -> Use:
    """Return a use in which `@here`, `@before` and `@shown` are the items that they are lists of."""
    at = next((number for number, name in enumerate(use.blocks) if name in STORY_LISTS), None)
    return use if at is None or not items else replace(use, blocks=items + use.blocks[at + 1 :], own_blocks=0)


def lift_own_list(use: Use) -> Use:
    """Return a use of a list inside its own items as a use outside of them, where the list is."""
    around, inside = use.blocks[: len(use.blocks) - use.own_blocks], use.blocks[len(use.blocks) - use.own_blocks :]
    listed = inside[0] if inside else use.expression.name if use.type is LIST else ""
    return replace(use, blocks=around[: around.index(listed)] + inside) if listed in around else use


def _find_type(construct: Tag | BlockStart | Directive) -> FieldType:
    """Return the type that the value of an expression should have."""
    if isinstance(construct, Tag):
        return next((TYPE_BY_FILTER[call.name] for call in construct.filters if call.name in TYPE_BY_FILTER), TEXT)
    return construct.type.field if isinstance(construct, Directive) else CONDITION


def _shall_hold(construct: Tag | BlockStart | Directive) -> bool:
    """Return whether the example should fulfill an expression, so that what depends on it is visible."""
    if isinstance(construct, BlockStart):
        return not construct.inverted
    return not (isinstance(construct, Directive) and construct.kind == "unless")


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
    # A name that repeats rows or paragraphs anywhere is a list, even if a block of its name surrounds words elsewhere.
    levels = [level for usage in usages for level in usage.levels.items()]
    return Usage(
        uses=tuple(chain.from_iterable(usage.uses for usage in usages)),
        levels=dict(sorted(levels, key=lambda level: level[1] != "text")),
        names=frozenset().union(*(usage.names for usage in usages)),
    )
