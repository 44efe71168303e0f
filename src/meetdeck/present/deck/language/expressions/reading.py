"""Reading the text between braces as an expression, beside names, which may have blanks and signs in them.

A text that is just a name stays one. Signs make it an expression when they have a value on both sides; a hyphen also
needs blanks around it. In a tag, the words `and`, `or` and `not` alone do not: "Terms and conditions" is a name. If the
data has a name that is spelled like an expression, the name is meant.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from meetdeck.present.deck.language.expressions.grouping import DistinctNode, GroupNode
from meetdeck.present.deck.language.expressions.lists import Slice, SortNode, Where
from meetdeck.present.deck.language.expressions.nodes import (
    AndNode,
    ExpressionNode,
    FilterNode,
    OrNode,
    Path,
    Truth,
    WholeName,
    first_path,
)
from meetdeck.present.deck.language.expressions.parser import parse_expression
from meetdeck.present.deck.language.expressions.tokens import QUOTED, ExpressionError
from meetdeck.present.deck.language.filters import COMPUTED_FILTERS, LAST_FILTERS, FilterCall
from meetdeck.present.deck.language.paths import parse_path
from meetdeck.present.deck.language.typing_marks import straighten

_SIGNS: Final = r"[<>=+*/%()\u2260\u2265\u2264\u00d7\u22c5\u00f7]"
# Without any of these a text is a name, whatever else it is.
_HINTS: Final = re.compile(rf"""{_SIGNS}|["']| - |\A-|\b(?:and|or|not|else)\b|\A\$today\b""")
_COMPUTED: Final = re.compile(rf"\|\s*(?:{'|'.join(sorted(COMPUTED_FILTERS))})\b")
# These choose a value, and do not write one as people do.
_CHOOSING_FILTERS: Final = frozenset({"default", "steps"})


class ParsedExpression(NamedTuple):
    """An expression: its node, the filters that write its value, and `name`, the first name in it.

    `repeats` when its value is a list of items of that name.
    """

    node: ExpressionNode
    filters: tuple[FilterCall, ...]
    name: str
    repeats: bool


def may_be_expression(text: str) -> bool:
    """Return whether a text may be an expression that is more than a name; most cannot."""
    straight = straighten(text)
    return _HINTS.search(straight) is not None or has_computed_filters(straight)


def has_computed_filters(text: str) -> bool:
    """Return whether a text uses filters that only expressions have, such as those about lists."""
    return _COMPUTED.search(straighten(text)) is not None


def has_whole_quotes(text: str) -> bool:
    """Return whether all quotation marks of a text are closed."""
    return '"' not in QUOTED.sub("", straighten(text))


def read_expression(text: str, *, is_condition: bool) -> ParsedExpression | None:
    """Return the expression in a text, None for a name. Raises `ExpressionError`.

    A condition is read for whether it holds: its words `and`, `or` and `not` count.
    """
    straight = straighten(text)
    node = parse_expression(straight, text)
    filters: list[FilterCall] = []
    while not is_condition and isinstance(node, FilterNode):
        filters.insert(0, node.call)
        node = node.inner
    if is_condition and isinstance(node, FilterNode) and node.call.name not in _CHOOSING_FILTERS:
        raise ExpressionError(f"{node.call.name} returns text, which belongs in tags; compare it with another", 0)
    if any(isinstance(one, FilterNode) and one.call.name in LAST_FILTERS for one in _walk(node)):
        raise ExpressionError("a filter that writes more than plain text must be the last in a tag", 0)
    whole = parse_path(straight)
    if isinstance(node, Path) or (whole is not None and not is_condition and _has_words_alone(node)):
        return None
    first, repeats = first_path(node), _repeats(node)
    if is_condition and isinstance(node, AndNode | OrNode):
        node = Truth(node)
    if whole is not None:
        node = WholeName(Path(".".join(whole), whole), node)
    return ParsedExpression(node, tuple(filters), first.name if first else "", repeats)


def _walk(node: ExpressionNode) -> Iterator[ExpressionNode]:
    yield node
    for part in node.parts():
        yield from _walk(part)


def list_calls(node: ExpressionNode) -> Iterator[FilterCall]:
    """Yield the filters about one value in an expression, including those in the conditions of `where`."""
    for one in _walk(node):
        if isinstance(one, FilterNode):
            yield one.call
        elif isinstance(one, Where):
            yield from list_calls(one.condition)
        elif isinstance(one, GroupNode | DistinctNode):
            yield from list_calls(one.key)


def _has_words_alone(node: ExpressionNode) -> bool:
    """Return whether an expression is only names with `and`, `or` and `not` between them."""
    return isinstance(node, Path) or (
        isinstance(node, AndNode | OrNode | Truth) and all(map(_has_words_alone, node.parts()))
    )


def _repeats(node: ExpressionNode) -> bool:
    """Return whether a value is a list's items."""
    while isinstance(node, Slice | SortNode | Where | GroupNode | DistinctNode):
        node = node.base
        if isinstance(node, Path):
            return True
    return False
