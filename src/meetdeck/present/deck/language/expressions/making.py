"""Making the nodes of filters, whose arguments may be expressions or names themselves."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from meetdeck.present.deck.language.expressions.grouping import DistinctNode, GroupNode
from meetdeck.present.deck.language.expressions.lists import (
    AGGREGATES,
    Aggregate,
    Count,
    Slice,
    SortKey,
    SortNode,
    Where,
)
from meetdeck.present.deck.language.expressions.moments import RelativeNode
from meetdeck.present.deck.language.expressions.nodes import ExpressionNode, FilterNode, Path, WholeName
from meetdeck.present.deck.language.expressions.tokens import ExpressionError, is_meant_as_expression
from meetdeck.present.deck.language.filters import (
    FILTER_NAMES,
    FILTERS,
    LAST_FILTERS,
    FilterCall,
    find_fault,
    find_nearest,
)
from meetdeck.present.deck.language.paths import parse_path
from meetdeck.present.deck.language.typing_marks import straighten

_MOST_ITEMS: Final = 9

Parse = Callable[[str, str], ExpressionNode]


class FilterFaultError(ValueError):
    """A filter's call has a fault; the message describes it, `nearest` is the filter that may be meant, or empty."""

    def __init__(self, message: str, nearest: str = "") -> None:
        super().__init__(message)
        self.nearest = nearest


def make_filter(base: ExpressionNode, call: FilterCall, *, quoted: bool, parse: Parse) -> ExpressionNode:
    """Return the node of a filter applied to a value. Raises `FilterFaultError`."""
    name, argument = call
    if name == "where":
        return Where(base, _read_condition(argument, parse, quoted=quoted))
    if name == "group":
        return GroupNode(base, _read_key_of_groups(argument, parse))
    if name == "distinct":
        return DistinctNode(base, _read_key_of_groups(argument, parse) if argument else Path(".", ()))
    if name in AGGREGATES:
        return Aggregate(name, base, _read_member(argument) if argument else None)
    make = _MAKERS.get(name)
    if make:
        return make(base, argument)
    return _make_value_filter(base, call)


def _make_value_filter(base: ExpressionNode, call: FilterCall) -> ExpressionNode:
    if call.name not in FILTERS:
        nearest = find_nearest(call.name)
        hint = f"did you mean {nearest!r}?" if nearest else f"there are {', '.join(FILTER_NAMES)}"
        raise FilterFaultError(f"there is no such filter; {hint}", nearest)
    if isinstance(base, FilterNode) and base.call.name in LAST_FILTERS:
        raise FilterFaultError(f"{base.call.name} must be the last filter")
    if fault := find_fault(call):
        raise FilterFaultError(fault)
    return FilterNode(base, call)


def _make_count(base: ExpressionNode, argument: str) -> ExpressionNode:
    _refuse_argument(argument)
    return Count(base)


def _make_relative(base: ExpressionNode, argument: str) -> ExpressionNode:
    _refuse_argument(argument)
    return RelativeNode(base)


def _make_sorted(base: ExpressionNode, argument: str) -> ExpressionNode:
    return SortNode(base, tuple(map(_read_key, argument.split(","))))


def _make_slice(base: ExpressionNode, argument: str, *, from_end: bool) -> ExpressionNode:
    if argument and not (argument.isascii() and argument.isdigit() and len(argument) <= _MOST_ITEMS):
        raise FilterFaultError(f"its argument is the number of items, like {'last' if from_end else 'first'}:3")
    return Slice(base, int(argument) if argument else None, from_end)


_MAKERS: Final[Mapping[str, Callable[[ExpressionNode, str], ExpressionNode]]] = {
    "count": _make_count,
    "relative": _make_relative,
    "sort": _make_sorted,
    "first": partial(_make_slice, from_end=False),
    "last": partial(_make_slice, from_end=True),
}


def _refuse_argument(argument: str) -> None:
    if argument:
        raise FilterFaultError("it takes no argument")


def _read_key(argument: str) -> SortKey:
    """Return the key of `name`, or `-name` or `name desc` in descending order; without a name, the items' own."""
    text = straighten(argument).strip()
    descending = text.startswith("-")
    text = text.removeprefix("-").strip()
    name, _, direction = text.rpartition(" ")
    if name and direction in {"asc", "desc"}:
        descending, text = direction == "desc", name.strip()
    return SortKey(_read_member(text) if text else None, descending)


def _read_member(argument: str) -> Path:
    segments = parse_path(straighten(argument), item_members=True)
    if segments is None or "," in argument:
        raise FilterFaultError('its argument is the name of an item\'s member, like "value"')
    return Path(".".join(segments) or ".", segments)


def _read_key_of_groups(argument: str, parse: Parse) -> ExpressionNode:
    """Return the member that items are grouped by, or an expression about each of them."""
    straight = straighten(argument)
    segments = parse_path(straight, item_members=True)
    whole = Path(".".join(segments) or ".", segments) if segments is not None else None
    try:
        node = parse(straight, argument) if argument.strip() else None
    except ExpressionError as problem:
        if whole is None or is_meant_as_expression(argument):
            raise FilterFaultError(f"{argument!r} is neither a member nor an expression: {problem}") from problem
        return whole
    if node is None:
        raise FilterFaultError('its argument is what an item is grouped by, like group:"region"')
    return node if whole is None else whole if isinstance(node, Path) else WholeName(whole, node)


def _read_condition(argument: str, parse: Parse, *, quoted: bool) -> ExpressionNode:
    if not quoted or not argument.strip():
        raise FilterFaultError('its argument is a condition in quotation marks, like where:"value > 100"')
    try:
        return parse(straighten(argument), argument)
    except ExpressionError as problem:
        raise FilterFaultError(f"{argument!r} is not a condition: {problem}") from problem
