"""The demands of an expression on the data: names, the type of each value, and the lists whose items have it."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Final, NamedTuple

from meetdeck.present.deck.language.constructs import BlockStart, Directive, Tag
from meetdeck.present.deck.language.expressions.grouping import DistinctNode, GroupNode
from meetdeck.present.deck.language.expressions.lists import (
    Aggregate,
    Count,
    Slice,
    SortNode,
    Where,
)
from meetdeck.present.deck.language.expressions.moments import RelativeNode
from meetdeck.present.deck.language.expressions.nodes import (
    AndNode,
    Arithmetic,
    Choice,
    Comparison,
    ExpressionNode,
    FilterNode,
    Literal,
    NegationNode,
    OrNode,
    Path,
    Today,
    Truth,
    WholeName,
)
from meetdeck.present.deck.language.field_types import CONDITION, DATE, LIST, NUMBER, SHARE, TEXT, FieldType
from meetdeck.present.deck.language.filters import TYPE_BY_FILTER
from meetdeck.present.deck.language.paths import GROUPED, STORY_MEMBERS

_ListFilter = Aggregate | Count | Slice | SortNode | Where | GroupNode | DistinctNode
_LIST_FILTERS: Final = (Aggregate, Count, Slice, SortNode, Where, GroupNode, DistinctNode)
_OTHER_SIDE: Final[Mapping[str, str]] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OPPOSITE: Final[Mapping[str, str]] = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
# The number to add to the other side so that a comparison holds.
_STEPS: Final[Mapping[str, int]] = {"=": 0, ">=": 0, "<=": 0, ">": 1, "<": -1, "!=": 1}


# The types of the parts of these nodes, and of the nodes themselves.
_PARTS: Final[Mapping[type, FieldType]] = {Arithmetic: NUMBER, NegationNode: NUMBER, RelativeNode: DATE}
_TYPES: Final[Mapping[type, FieldType]] = {
    **dict.fromkeys((Decimal, Arithmetic, NegationNode, Count, Aggregate), NUMBER),
    bool: CONDITION,
    Today: DATE,
}


class FieldUse(NamedTuple):
    """A name that an expression uses, as a value of a type.

    `blocks` are the surrounding lists whose items have it. `example` is a value for which the conditions hold, None
    where any does.
    """

    path: Path
    type: FieldType
    blocks: tuple[str, ...] = ()
    example: object = None


def list_names(node: ExpressionNode) -> Iterator[str]:
    """Yield the names that an expression uses."""
    return (use.path.name for use in list_field_uses(node))


def list_story_names(construct: Tag | BlockStart | Directive) -> frozenset[str]:
    """Return the names of a construct that are about what its slide shows of a table or list that goes on."""
    if "@" not in construct.source:
        return frozenset()
    names = (construct.name,) if construct.computed is None else list_names(construct.computed)
    return STORY_MEMBERS.intersection(names)


def list_field_uses(node: ExpressionNode, wanted: FieldType = TEXT, *, holds: bool = True) -> Iterator[FieldUse]:
    """Yield the names that an expression uses, each with the type that its value needs.

    With `holds`, examples should fulfill the conditions.
    """
    match node:
        case Path():
            yield FieldUse(node, wanted, (), holds if wanted is CONDITION else None)
        case WholeName() | AndNode() | OrNode():
            yield from _use_parts(node, wanted, holds=holds)
        case Truth():
            yield from _use_parts(node, CONDITION, holds=holds is node.expected)
        case Comparison():
            yield from _use_compared(node, holds=holds)
        case Choice():
            yield from list_field_uses(node.test, CONDITION)
            yield from list_field_uses(node.then, wanted)
            yield from list_field_uses(node.other, wanted)
        case FilterNode():
            # The replacement of a missing value has its type.
            own = wanted if node.call.name == "default" else TEXT
            yield from _use_parts(node, TYPE_BY_FILTER.get(node.call.name, own))
        case _ if type(node) in _PARTS:
            yield from _use_parts(node, _PARTS[type(node)])
        case _:
            yield from _use_list(node, wanted)


def _use_parts(node: ExpressionNode, wanted: FieldType, *, holds: bool = True) -> Iterator[FieldUse]:
    for part in node.parts():
        yield from list_field_uses(part, wanted, holds=holds)


def _use_compared(node: Comparison, *, holds: bool) -> Iterator[FieldUse]:
    sign = node.sign if holds else _OPPOSITE[node.sign]
    for side, other, turned in ((node.left, node.right, sign), (node.right, node.left, _OTHER_SIDE.get(sign, sign))):
        is_plain = isinstance(side, Path) and isinstance(other, Literal)
        example = _find_example(turned, other.value) if isinstance(other, Literal) else None
        wanted = _type_beside(other)
        # A compared value is a number more often than a text, and a number's schema accepts both.
        wanted = NUMBER if wanted is TEXT and isinstance(other, Path) and sign not in {"=", "!="} else wanted
        for field_use in list_field_uses(side, wanted):
            yield field_use._replace(example=example) if is_plain else field_use


def _type_beside(other: ExpressionNode) -> FieldType:
    """Return the type of a value that is compared with another."""
    if isinstance(other, FilterNode):
        return TYPE_BY_FILTER.get(other.call.name, TEXT)
    if isinstance(other, Literal):
        return _TYPES.get(type(other.value), TEXT)
    return _TYPES.get(type(other), TEXT)


def _find_example(sign: str, value: object) -> object:
    """Return a value for which a comparison with a literal holds."""
    if isinstance(value, bool):
        return value if sign == "=" else not value
    if isinstance(value, Decimal):
        example = value + _STEPS[sign]
        return int(example) if example == example.to_integral_value() else float(example)
    if not isinstance(value, str) or sign == "!=":
        return None
    return value


def _use_list(node: ExpressionNode, wanted: FieldType) -> Iterator[FieldUse]:
    """Yield the names that filters about lists use: the list first, then members of its items."""
    if not isinstance(node, _LIST_FILTERS):
        return
    base = base_of(node)
    if not isinstance(base, Path):
        yield from list_field_uses(base, LIST)
        return
    yield FieldUse(base, LIST)
    chain: list[_ListFilter] = []
    while isinstance(node, _LIST_FILTERS):
        chain.insert(0, node)
        node = node.base
    block = base.name
    for one in chain:
        for field_use in _use_items(one, wanted):
            yield field_use._replace(blocks=(block, *field_use.blocks))
        if isinstance(one, GroupNode):
            block = f"{base.name}{GROUPED}"


def base_of(node: ExpressionNode) -> ExpressionNode:
    """Return the value that filters about lists apply to."""
    while isinstance(node, _LIST_FILTERS):
        node = node.base
    return node


def _use_items(node: _ListFilter, wanted: FieldType) -> Iterator[FieldUse]:
    match node:
        case Where():
            yield from list_field_uses(node.condition, CONDITION)
        case GroupNode() | DistinctNode():
            yield from list_field_uses(node.key)
        case SortNode():
            yield from (FieldUse(key.member, TEXT) for key in node.keys if key.member)
        case Aggregate():
            # The smallest may be a day or a text.
            smallest = wanted if wanted in (NUMBER, SHARE, DATE) else TEXT
            yield FieldUse(node.member or Path(".", ()), NUMBER if node.kind in {"sum", "average"} else smallest)
        case _:
            return
