"""The names of a template in the data of one slide, and inside the items of its blocks."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from msgspec import Struct

from meetdeck.present.deck.language.paths import SLIDE_MEMBERS
from meetdeck.present.deck.language.values import ABSENT, Unwritable, find_value, holds

# What a deck of any size needs, and what a computer does in some seconds.
_MOST_ITEMS: Final = 1_000_000


class Item(Struct, frozen=True):
    """The current item of a block: `path` leads to it from the entry's data; it is item `at`, from 0, `of` so many.

    A block over any other value than a list has one item, at -1.
    """

    value: object
    path: str
    at: int
    of: int


class Calculation(Struct):
    """The state that a deck's expressions share: the day on which it is built, and the number of items looked at."""

    today: date | None = None
    items: int = 0


class ScopeNames(NamedTuple):
    """The names that the expressions of one scope may ask for; see `expressions.nodes.Names`.

    `slide_member` returns what the engine knows of the deck, like `@pages`.
    """

    data: Mapping[str, object]
    items: tuple[Item, ...]
    locale: str
    calculation: Calculation
    slide_member: Callable[[str], object]

    @property
    def today(self) -> date | None:
        """The day on which the deck is built."""
        return self.calculation.today

    def find(self, name: str, path: Sequence[str]) -> object:
        """Return a value, `ABSENT` when there is none."""
        return self.slide_member(name) if name in SLIDE_MEMBERS else find_name(name, path, self.items, self.data)

    def locate(self, name: str, path: Sequence[str]) -> str:
        """Return the place of a name in the data."""
        return locate_name(name, path, self.items, self.data)

    def look_at(self, items: int) -> None:
        """Count items of lists that an expression looks at. Raises `Unwritable` when a deck has too many."""
        self.calculation.items += items
        if self.calculation.items > _MOST_ITEMS:
            raise Unwritable(f"the deck's expressions look at more than {_MOST_ITEMS:,} items of lists; send fewer.")

    def inside(self, value: object, place: str, at: int, of: int) -> "ScopeNames":
        """Return the names inside an item of a list."""
        return self._replace(items=(Item(value, place, at, of), *self.items))


def find_name(name: str, path: Sequence[str], items: Sequence[Item], data: Mapping[str, object]) -> object:
    """Return the value of a name, `ABSENT` when there is none: from the innermost item that has it, else the data."""
    if not items:
        return find_value(data, name, path) if path and path[0][0] != "@" else ABSENT
    if not path:
        return items[0].value
    if path[0][0] == "@":
        return next((_item_member(item, name) for item in items if item.at >= 0), ABSENT)
    for item in items:
        value = find_value(item.value, name, path)
        if value is not ABSENT or (len(path) > 1 and holds(item.value, name, path)):
            return value
    return find_value(data, name, path)


def _item_member(item: Item, name: str) -> object:
    match name:
        case "@index":
            return item.at
        case "@number":
            return item.at + 1
        case "@first":
            return item.at == 0
        case _:
            return item.at == item.of - 1


def locate_name(name: str, path: Sequence[str], items: Sequence[Item], data: Mapping[str, object]) -> str:
    """Return the place of a name in the data, like `holdings.2.name`; an unknown one is in the innermost item."""
    if not items or (holds(data, name, path) and not any(holds(item.value, name, path) for item in items)):
        return name
    item = next((item for item in items if path and holds(item.value, name, path)), items[0])
    return f"{item.path}.{name}" if path else item.path
