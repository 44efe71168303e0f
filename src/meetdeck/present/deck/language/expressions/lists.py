"""Filters about lists: the number of items, their sums, the first of them, their order, those that match."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final, NamedTuple, cast

from msgspec import Struct

from meetdeck.present.deck.language.expressions.arithmetic import ZERO, add_up, calculate
from meetdeck.present.deck.language.expressions.comparing import is_missing, order_key
from meetdeck.present.deck.language.expressions.nodes import ExpressionNode, Names, Path, UnfitError, locate
from meetdeck.present.deck.language.numbers import UnknownLocale, read_number
from meetdeck.present.deck.language.values import ABSENT, Unwritable, find_value, is_list, is_true


class PickedItems(list[object]):
    """Items picked from a list of the data: `places` are their numbers there."""

    def __init__(self, items: Sequence[object], places: Sequence[int]) -> None:
        super().__init__(items)
        self.places = places


def places_of(items: Sequence[object]) -> Sequence[int]:
    """Return the items' numbers in the list of the data that they come from."""
    return items.places if isinstance(items, PickedItems) else range(len(items))


class _ItemAt(NamedTuple):
    """An item's value, and its number in the data's list."""

    value: object
    place: int


def _list_items(base: ExpressionNode, names: Names) -> list[_ItemAt] | None:
    """Return the items of a list, None for a missing one. Raises `UnfitError` for anything else."""
    value = base.evaluate(names)
    if is_missing(value):
        return None
    if not is_list(value):
        raise UnfitError("it is not a list; this filter is about the items of a list.", locate(base, names))
    try:
        names.count_items(len(value))
    except Unwritable as problem:
        raise UnfitError(str(problem), locate(base, names)) from problem
    return [_ItemAt(item, place) for item, place in zip(value, places_of(value), strict=True)]


class Count(Struct, frozen=True):
    """`items | count`: how many items there are."""

    base: ExpressionNode

    def evaluate(self, names: Names) -> object:
        """Return the number."""
        items = _list_items(self.base, names)
        return ABSENT if items is None else Decimal(len(items))

    def parts(self) -> Sequence[ExpressionNode]:
        """Return the list."""
        return (self.base,)


class Aggregate(Struct, frozen=True):
    """`items | sum:"value"`, `average`, `min`, `max`; without a `member`, of the items themselves.

    Items without a value are ignored; when none has one, the result is missing. The sum of no items is 0.
    """

    kind: str
    base: ExpressionNode
    member: Path | None

    def evaluate(self, names: Names) -> object:
        """Return the result."""
        items = _list_items(self.base, names)
        if items is None:
            return ABSENT
        values = [found for found in _members(items, self.member) if not is_missing(found.value)]
        if not values:
            return ZERO if self.kind == "sum" and not items else ABSENT
        try:
            return _AGGREGATES[self.kind](values, names.locale)
        except _ItemError as problem:
            place = ".".join(filter(None, (locate(self.base, names), str(problem.place), _name(self.member))))
            raise UnfitError(str(problem), place) from problem
        except UnknownLocale:
            raise
        except Unwritable as problem:
            raise UnfitError(str(problem), locate(self.base, names)) from problem

    def parts(self) -> Sequence[ExpressionNode]:
        """Return the list."""
        return (self.base,)


class Slice(Struct, frozen=True):
    """`items | first:3`, `items | last:3`; without a number the item itself."""

    base: ExpressionNode
    count: int | None
    from_end: bool

    def evaluate(self, names: Names) -> object:
        """Return the items, or the item."""
        items = _list_items(self.base, names)
        if items is None:
            return ABSENT
        if self.count is None:
            return items[-1 if self.from_end else 0].value if items else ABSENT
        start = max(0, len(items) - self.count) if self.from_end else 0
        return _pick(items[start : start + self.count])

    def parts(self) -> Sequence[ExpressionNode]:
        """Return the list."""
        return (self.base,)


class SortKey(NamedTuple):
    """A member to sort by, None for the items themselves."""

    member: Path | None
    descending: bool


class SortNode(Struct, frozen=True):
    """`items | sort:"-value, name"`: items without a value are last."""

    base: ExpressionNode
    keys: tuple[SortKey, ...]

    def evaluate(self, names: Names) -> object:
        """Return the items in order."""
        items = _list_items(self.base, names)
        if items is None:
            return ABSENT
        for key in reversed(self.keys):
            items = self._sort(items, key, names)
        return _pick(items)

    def _sort(self, items: list[_ItemAt], key: SortKey, names: Names) -> list[_ItemAt]:
        try:
            ranked = [
                (item, _rank(value, names.locale))
                for item, value in zip(items, _members(items, key.member), strict=True)
            ]
        except _ItemError as problem:
            place = ".".join(filter(None, (locate(self.base, names), str(problem.place), _name(key.member))))
            raise UnfitError(str(problem), place) from problem
        known = sorted(
            ((item, rank) for item, rank in ranked if rank), key=lambda pair: pair[1] or (), reverse=key.descending
        )
        return [item for item, _ in known] + [item for item, rank in ranked if rank is None]

    def parts(self) -> Sequence[ExpressionNode]:
        """Return the list."""
        return (self.base,)


class Where(Struct, frozen=True):
    """`items | where:"value > 100"`: the items for which a condition holds; names in it are the item's first."""

    base: ExpressionNode
    condition: ExpressionNode

    def evaluate(self, names: Names) -> object:
        """Return the items."""
        items = _list_items(self.base, names)
        if items is None:
            return ABSENT
        place, of = locate(self.base, names), len(items)
        around = ((item, names.inside(item.value, f"{place}.{item.place}", item.place, of)) for item in items)
        return _pick([item for item, inside in around if is_true(self.condition.evaluate(inside))])

    def parts(self) -> Sequence[ExpressionNode]:
        """Return the list."""
        return (self.base,)


ListFilter = Count | Aggregate | Slice | SortNode | Where


class _ItemError(Unwritable):
    """The value of an item does not fit; `place` is its number in the list."""

    def __init__(self, message: str, place: int) -> None:
        super().__init__(message)
        self.place = place


def _pick(found: Sequence[_ItemAt]) -> PickedItems:
    return PickedItems([one.value for one in found], [one.place for one in found])


def _members(items: Sequence[_ItemAt], member: Path | None) -> Iterator[_ItemAt]:
    for item in items:
        if member is None or not member.path:
            yield item
        else:
            value = find_value(item.value, member.name, member.path)
            yield item._replace(value=value)


def _name(member: Path | None) -> str:
    return "" if member is None or not member.path else member.name


def _rank(found: _ItemAt, locale: str) -> tuple[int, object] | None:
    try:
        return None if is_missing(found.value) else order_key(found.value, locale)
    except UnknownLocale:
        raise
    except Unwritable as problem:
        raise _ItemError(str(problem), found.place) from problem


def _read(found: _ItemAt) -> Decimal:
    try:
        return read_number(found.value)
    except Unwritable as problem:
        raise _ItemError(str(problem), found.place) from problem


def _add_up(values: Sequence[_ItemAt], _locale: str) -> object:
    return add_up(map(_read, values))


def _average(values: Sequence[_ItemAt], locale: str) -> object:
    return calculate("/", cast("Decimal", _add_up(values, locale)), Decimal(len(values)))


def _smallest(values: Sequence[_ItemAt], locale: str) -> object:
    return _in_order(values, locale)[0].value


def _largest(values: Sequence[_ItemAt], locale: str) -> object:
    return _in_order(values, locale)[-1].value


def _in_order(values: Sequence[_ItemAt], locale: str) -> list[_ItemAt]:
    return sorted(values, key=lambda found: _rank(found, locale) or ())


_AGGREGATES: Final[Mapping[str, Callable[[Sequence[_ItemAt], str], object]]] = {
    "sum": _add_up,
    "average": _average,
    "min": _smallest,
    "max": _largest,
}
AGGREGATES: Final = frozenset(_AGGREGATES)
