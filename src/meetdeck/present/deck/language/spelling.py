"""Writing a text's tags in the language's other spelling: between braces, or in square brackets."""

import re
from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple

from msgspec import structs

from meetdeck.present.deck.language.brackets import MODIFIERS, NAME_ALONE
from meetdeck.present.deck.language.constructs import (
    BlockEnd,
    BlockStart,
    Comment,
    Directive,
    FoundConstruct,
    Tag,
    TagFinding,
)
from meetdeck.present.deck.language.syntax import scan
from meetdeck.present.deck.language.typing_marks import ZERO_WIDTH

Spelling = Literal["braces", "brackets"]

_MODIFIER_OF_FILTER: Final[Mapping[str, str]] = {name: modifier for modifier, name in MODIFIERS.items()}
# A brace or backslash beside a tag between braces would become part of it.
_TOUCHED_BEFORE: Final = re.compile(rf"[{{\\][{ZERO_WIDTH}]*\Z")
_TOUCHED_BEHIND: Final = re.compile(rf"[{ZERO_WIDTH}]*\}}")
_TOUCHED: Final = "the brace or backslash beside it would become part of it"


class Respelling(NamedTuple):
    """A tag or directive at `[start, end)` of a text, written `source`: `text` is the same in the other spelling.

    If the other spelling cannot express it, `text` is empty and `reason` says why.
    """

    start: int
    end: int
    source: str
    text: str
    reason: str = ""


def respell(text: str, to: Spelling, *, describes_shape: bool = False) -> list[Respelling]:
    """Return the constructs of a text that are not yet in a spelling, in order; for `describes_shape` see `scan`."""
    found = list(scan(text, describes_shape=describes_shape))
    if to == "braces":
        respelled = [_to_braces(one, text) for one in found if _is_in_brackets(one)]
    else:
        respelled = [_to_brackets(one, text, describes_shape=describes_shape) for one in found if _is_in_braces(one)]
    if _nodes(scan(rewrite(text, respelled), describes_shape=describes_shape)) == _nodes(found):
        return respelled
    return [one._replace(text="", reason=one.reason or _TOUCHED) for one in respelled]


def rewrite(text: str, respelled: Iterable[Respelling]) -> str:
    """Return a text with its tags in the other spelling, where that can express them."""
    pieces: list[str] = []
    position = 0
    for one in respelled:
        if one.text:
            pieces += (text[position : one.start], one.text)
            position = one.end
    return "".join((*pieces, text[position:]))


def _is_in_brackets(found: FoundConstruct) -> bool:
    construct = found.construct
    if isinstance(construct, TagFinding):
        return construct.code == "bad-filter" and construct.source.startswith("[")
    return isinstance(construct, Tag | Directive) and construct.source.startswith("[")


def _is_in_braces(found: FoundConstruct) -> bool:
    construct = found.construct
    return isinstance(construct, Comment) or (
        isinstance(construct, Tag | BlockStart | Directive) and construct.source.startswith("{")
    )


def _to_braces(found: FoundConstruct, text: str) -> Respelling:
    start, end, construct = found
    source = text[start:end]
    if isinstance(construct, TagFinding):
        return Respelling(start, end, source, "", "the modifier does not exist")
    if _TOUCHED_BEFORE.search(text, max(0, start - 100), start) or _TOUCHED_BEHIND.match(text, end):
        return Respelling(start, end, source, "", _TOUCHED)
    if isinstance(construct, Tag):
        return Respelling(
            start, end, source, f"{{{{{' | '.join((construct.name, *(call.name for call in construct.filters)))}}}}}"
        )
    return Respelling(
        start, end, source, f"{{{{{construct.kind}:{construct.name}}}}}" if isinstance(construct, Directive) else ""
    )


def _to_brackets(found: FoundConstruct, text: str, *, describes_shape: bool) -> Respelling:
    start, end, construct = found
    source = text[start:end]
    reason = _find_reason(construct, describes_shape=describes_shape)
    if reason:
        return Respelling(start, end, source, "", reason)
    if isinstance(construct, Tag):
        modifiers = (_MODIFIER_OF_FILTER[call.name] for call in construct.filters)
        return Respelling(start, end, source, f"[tag:{':'.join((construct.name, *modifiers))}]")
    return Respelling(start, end, source, f"[image:{construct.name}]" if isinstance(construct, Directive) else "")


def _find_reason(construct: object, *, describes_shape: bool) -> str:
    """Return why square brackets cannot express it; empty when they can."""
    is_push = describes_shape and isinstance(construct, Tag) and construct.source == "{{push}}"
    if isinstance(construct, Comment | BlockStart) or is_push:
        kind = "push" if is_push else "comments" if isinstance(construct, Comment) else "blocks"
        return f"square brackets have no {kind}"
    if isinstance(construct, Tag | Directive) and construct.computed is not None:
        return "square brackets have no expressions"
    if isinstance(construct, Tag) and (
        unknown := [one.name for one in construct.filters if one.name not in _MODIFIER_OF_FILTER]
    ):
        return f"square brackets have no {', '.join(unknown)}"
    if isinstance(construct, Directive) and (construct.kind != "image" or construct.options or not describes_shape):
        return f"square brackets have no {construct.kind}" + (" with options" if construct.options else "")
    if isinstance(construct, Tag | Directive) and not NAME_ALONE.fullmatch(construct.name):
        return "names in square brackets are letters, digits, _, - and dots"
    return ""


def _nodes(found: Iterable[FoundConstruct]) -> list[tuple[object, ...]]:
    """Return the nodes of either spelling."""
    return [_node(one.construct) for one in found]


def _node(construct: object) -> tuple[object, ...]:
    if isinstance(construct, Tag | BlockStart | BlockEnd | Directive):
        return (type(construct), *structs.astuple(structs.replace(construct, source="")))
    return (type(construct), construct.code if isinstance(construct, TagFinding) else "")
