"""Groups of a list's items, `funds | group:"region"`, and items without repetitions, `funds | distinct:"region"`."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from msgspec import Struct

from meetdeck.present.deck.language.expressions.comparing import is_missing
from meetdeck.present.deck.language.expressions.lists import (
    ItemAt,
    PickedItems,
    Slice,
    SortNode,
    Where,
    item_names,
    join_place,
    list_items,
    pick,
)
from meetdeck.present.deck.language.expressions.nodes import ExpressionNode, Names, Path, UnfitError, WholeName, locate
from meetdeck.present.deck.language.numbers import UnknownLocale, read_number
from meetdeck.present.deck.language.values import ABSENT, Unwritable, find_value, is_list, is_object

GROUP_MEMBERS: Final = ("key", "items")


class Group(dict[str, object]):
    """A group: its `key`, and its `items`, whose places are those in the list of the data."""

    def __init__(self, key: object, items: PickedItems, member: str) -> None:
        super().__init__(zip(GROUP_MEMBERS, (key, items), strict=True))
        self._first: Final = join_place(items.places[0], member)

    def locate(self, name: str) -> str:
        """Return the place of a member below the list that was grouped, empty for that list itself."""
        return self._first if name == "key" else ""


class GroupNode(Struct, frozen=True):
    """`items | group:"member"`: groups of equal members, in order of first appearance; null is a key, too."""

    base: ExpressionNode
    key: ExpressionNode

    def evaluate(self, names: Names) -> object:
        """Return the groups."""
        items = list_items(self.base, names)
        if items is None:
            return ABSENT
        groups: dict[object, list[_Keyed]] = {}
        for one in _list_keyed(items, self.base, self.key, names):
            groups.setdefault(one.identity, []).append(one)
        member = self.key.name if isinstance(self.key, Path) else ""
        found = [Group(of[0].key, pick([one.item for one in of]), member) for of in groups.values()]
        return PickedItems(found, [""] * len(found))

    def parts(self) -> Sequence[ExpressionNode]:
        """Return the list."""
        return (self.base,)


class DistinctNode(Struct, frozen=True):
    """`items | distinct`, `items | distinct:"member"`: the first of all items with an equal value or member."""

    base: ExpressionNode
    key: ExpressionNode

    def evaluate(self, names: Names) -> object:
        """Return the items."""
        items = list_items(self.base, names)
        if items is None:
            return ABSENT
        first: dict[object, ItemAt] = {}
        for one in _list_keyed(items, self.base, self.key, names):
            first.setdefault(one.identity, one.item)
        return pick([*first.values()])

    def parts(self) -> Sequence[ExpressionNode]:
        """Return the list."""
        return (self.base,)


class _Keyed(NamedTuple):
    """An item with the value that it is grouped by; those of equal `identity` belong together."""

    item: ItemAt
    key: object
    identity: object


def _list_keyed(items: Sequence[ItemAt], base: ExpressionNode, key: ExpressionNode, names: Names) -> Iterator[_Keyed]:
    for item, inside in zip(items, item_names(items, base, names), strict=True):
        try:
            value = _find_key(key, item, inside)
            yield _Keyed(item, value, _identify(value, whole=isinstance(key, Path) and not key.path))
        except (UnfitError, UnknownLocale):
            raise
        except Unwritable as problem:
            member = key.name if isinstance(key, Path) and key.path else ""
            raise UnfitError(str(problem), join_place(locate(base, names), item.place, member)) from problem


def _find_key(key: ExpressionNode, item: ItemAt, inside: Names) -> object:
    """Return an item's key, None without one: a name is a member of the item, and nothing around it."""
    if isinstance(key, WholeName):
        value = find_value(item.value, key.whole.name, key.whole.path)
        value = key.inner.evaluate(inside) if value is ABSENT else value
    elif isinstance(key, Path):
        value = find_value(item.value, key.name, key.path) if key.path else item.value
    else:
        value = key.evaluate(inside)
    return None if value is ABSENT else value


def _identify(value: object, *, whole: bool) -> object:
    """Return a value that is equal, and has the same hash, for equal values: 1 and 1.0, but not 1 and true.

    Raises `Unwritable` for a list or an object, unless it is a `whole` item, and for a number without digits.
    """
    if is_missing(value) or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return ("condition", value)
    if is_object(value) and whole:
        return frozenset((name, _identify(member, whole=True)) for name, member in value.items())
    if is_list(value) and whole:
        return tuple([_identify(member, whole=True) for member in value])
    if is_list(value) or is_object(value):
        kind = "a list" if is_list(value) else "an object; name one of its members"
        raise Unwritable(f"it is {kind}. Items are grouped by a text, a number, a day, or true and false.")
    return ("number", read_number(value)) if isinstance(value, int | float | Decimal) else ("other", value)


def makes_groups(node: ExpressionNode | None) -> bool:
    """Return whether an expression is a list of groups."""
    node = node.inner if isinstance(node, WholeName) else node
    while isinstance(node, Slice | SortNode | Where | DistinctNode):
        node = node.base
    return isinstance(node, GroupNode)
