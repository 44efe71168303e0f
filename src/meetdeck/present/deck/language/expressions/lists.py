"""Filters about lists: the number of items, their sums, the first of them, their order, those that match."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final, NamedTuple, cast

from msgspec import Struct

from meetdeck.present.deck.language.expressions.arithmetic import ZERO, add_up, calculate
from meetdeck.present.deck.language.expressions.comparing import is_missing, order_key
from meetdeck.present.deck.language.expressions.nodes import ExpressionNode, Names, Path, UnfitError, locate
from meetdeck.present.deck.language.numbers import UnknownLocale, read_number
from meetdeck.present.deck.language.values import ABSENT, Unwritable, find_value, is_list, is_true


class PickedItems(list[object]):
    """Items picked from the data: `places` lead to them from the list there, as numbers or paths."""

    def __init__(self, items: Iterable[object], places: Sequence[int | str]) -> None:
        super().__init__(items)
        self.places = places


class FirstItems(PickedItems):
    """The first items of a list that grows from slide to slide; `sums` has the last sum of each member.

    A sum is that of so many items, None without any value.
    """

    def __init__(
        self, items: Iterable[object], places: Sequence[int | str], sums: dict[str, tuple[int, Decimal | None]]
    ) -> None:
        super().__init__(items, places)
        self.sums = sums


def places_of(items: Sequence[object]) -> Sequence[int | str]:
    """Return the items' places in the list of the data that they come from."""
    return items.places if isinstance(items, PickedItems) else range(len(items))


def join_place(*parts: int | str) -> str:
    """Return a path of its parts, without the empty ones."""
    return ".".join([str(part) for part in parts if part != ""])


class ItemAt(NamedTuple):
    """An item's value, and its place in the data's list."""

    value: object
    place: int | str


def list_items(base: ExpressionNode, names: Names) -> list[ItemAt] | None:
    """Return the items of a list, None for a missing one. Raises `UnfitError` for anything else."""
    value = _read_list(base.evaluate(names), base, names)
    return None if value is None else [ItemAt(*found) for found in zip(value, places_of(value), strict=True)]


def _read_list(value: object, base: ExpressionNode, names: Names) -> Sequence[object] | None:
    if is_missing(value):
        return None
    if not is_list(value):
        raise UnfitError("it is not a list; this filter is about the items of a list.", locate(base, names))
    try:
        names.count_items(len(value))
    except Unwritable as problem:
        raise UnfitError(str(problem), locate(base, names)) from problem
    return value


class Count(Struct, frozen=True):
    """`items | count`: how many items there are."""

    base: ExpressionNode

    def evaluate(self, names: Names) -> object:
        """Return the number."""
        items = list_items(self.base, names)
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
        value = self.base.evaluate(names)
        if self.kind == "sum" and isinstance(value, FirstItems):
            return self._add_further(value, names)
        return self._compute(value, names)

    def _add_further(self, value: FirstItems, names: Names) -> object:
        """Return the sum, which begins with that of a slide before."""
        member = _name(self.member)
        done, total = value.sums.get(member, (0, None))
        if done > len(value):
            done, total = 0, None
        further = PickedItems(value[done:], value.places[done:])
        found = self._compute(further, names)
        if further and isinstance(found, Decimal):
            total = found if total is None else add_up((total, found))
        value.sums[member] = len(value), total
        return (ABSENT if value else ZERO) if total is None else total

    def _compute(self, value: object, names: Names) -> object:
        items = _read_list(value, self.base, names)
        if items is None:
            return ABSENT
        values = [
            ItemAt(found, place)
            for found, place in zip(_list_members(items, self.member), places_of(items), strict=True)
            if found is not ABSENT and found is not None
        ]
        if not values:
            return ZERO if self.kind == "sum" and not items else ABSENT
        try:
            return _AGGREGATES[self.kind](values, names.locale)
        except _ItemError as problem:
            place = join_place(locate(self.base, names), problem.place, _name(self.member))
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
        items = list_items(self.base, names)
        if items is None:
            return ABSENT
        if self.count is None:
            return items[-1 if self.from_end else 0].value if items else ABSENT
        start = max(0, len(items) - self.count) if self.from_end else 0
        return pick(items[start : start + self.count])

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
        items = list_items(self.base, names)
        if items is None:
            return ABSENT
        for key in reversed(self.keys):
            items = self._sort(items, key, names)
        return pick(items)

    def _sort(self, items: list[ItemAt], key: SortKey, names: Names) -> list[ItemAt]:
        try:
            members = _list_members([item.value for item in items], key.member)
            ranked = [
                (item, _rank(ItemAt(value, item.place), names.locale))
                for item, value in zip(items, members, strict=True)
            ]
        except _ItemError as problem:
            place = join_place(locate(self.base, names), problem.place, _name(key.member))
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
        items = list_items(self.base, names)
        if items is None:
            return ABSENT
        around = zip(items, item_names(items, self.base, names), strict=True)
        return pick([item for item, inside in around if is_true(self.condition.evaluate(inside))])

    def parts(self) -> Sequence[ExpressionNode]:
        """Return the list."""
        return (self.base,)


def item_names(items: Sequence[ItemAt], base: ExpressionNode, names: Names) -> Iterator[Names]:
    """Yield the names inside each of the items of a list."""
    around, of = locate(base, names), len(items)
    for at, item in enumerate(items):
        number = item.place if isinstance(item.place, int) else at
        yield names.inside(item.value, join_place(around, item.place), number, of)


class _ItemError(Unwritable):
    """The value of an item does not fit; `place` is its place in the list."""

    def __init__(self, message: str, place: int | str) -> None:
        super().__init__(message)
        self.place = place


def pick(found: Sequence[ItemAt]) -> PickedItems:
    """Return items as a list."""
    return PickedItems([one.value for one in found], [one.place for one in found])


def _list_members(items: Iterable[object], member: Path | None) -> Iterable[object]:
    """Return a member of each of some items, or the items themselves."""
    if member is None or not member.path:
        return items
    name, path = member.name, member.path
    return [find_value(item, name, path) for item in items]


def _name(member: Path | None) -> str:
    return "" if member is None or not member.path else member.name


def _rank(found: ItemAt, locale: str) -> tuple[int, object] | None:
    try:
        return None if is_missing(found.value) else order_key(found.value, locale)
    except UnknownLocale:
        raise
    except Unwritable as problem:
        raise _ItemError(str(problem), found.place) from problem


def _read(found: ItemAt) -> Decimal:
    try:
        return read_number(found.value)
    except Unwritable as problem:
        raise _ItemError(str(problem), found.place) from problem


def _add_up(values: Sequence[ItemAt], _locale: str) -> object:
    return add_up(map(_read, values))


def _average(values: Sequence[ItemAt], locale: str) -> object:
    return calculate("/", cast("Decimal", _add_up(values, locale)), Decimal(len(values)))


def _smallest(values: Sequence[ItemAt], locale: str) -> object:
    return _in_order(values, locale)[0].value


def _largest(values: Sequence[ItemAt], locale: str) -> object:
    return _in_order(values, locale)[-1].value


def _in_order(values: Sequence[ItemAt], locale: str) -> list[ItemAt]:
    return sorted(values, key=lambda found: _rank(found, locale) or ())


_AGGREGATES: Final[Mapping[str, Callable[[Sequence[ItemAt], str], object]]] = {
    "sum": _add_up,
    "average": _average,
    "min": _smallest,
    "max": _largest,
}
AGGREGATES: Final = frozenset(_AGGREGATES)
