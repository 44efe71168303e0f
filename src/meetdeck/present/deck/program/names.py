"""The names of a template in the data of one slide, and inside the items of its blocks."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from functools import lru_cache
from typing import Final, NamedTuple, cast

from msgspec import Struct

from meetdeck.present.deck.language.expressions.grouping import Group
from meetdeck.present.deck.language.expressions.lists import join_place
from meetdeck.present.deck.language.paths import SLIDE_MEMBERS, STORY_LISTS
from meetdeck.present.deck.language.values import ABSENT, Unwritable, find_value, holds, is_list

# As many as a deck of any size needs, and a computer handles in some seconds.
_MOST_ITEMS: Final = 1_000_000
# An object with more members is not searched for names similar to a missing one.
_MOST_ALIKE: Final = 100
_ALIKE: Final = 0.8
# Nearly all are dictionaries, which are recognized at once.
_OBJECTS: Final = (dict, Mapping)
_STEPS_BETWEEN_CHECKS: Final = 64
_JOINTS: Final = re.compile(r"[\W_]+")
_DIGITS: Final = re.compile(r"\d+")


class Item(Struct, frozen=True):
    """The current item of a block: `path` leads to it from the entry's data; it is item `at`, from 0, of `of` items.

    A block over any other value than a list has one item, at -1.
    """

    value: object
    path: str
    at: int
    of: int


def go_on() -> None:
    """Check nothing."""


@dataclass(slots=True)
class Calculation:
    """The state that all parts of a deck share while it is built.

    `today` is the day on which it is built, `items` the number of items that expressions read. `check` is called
    repeatedly, and raises when the deck takes too long; `steps` counts up to the next call.
    """

    today: date | None = None
    items: int = 0
    check: Callable[[], None] = go_on
    steps: int = 0

    def step(self, times: int = 1) -> None:
        """Count small steps of work, such as written items. Raises as `check` does."""
        before = self.steps
        self.steps = before + times
        if before // _STEPS_BETWEEN_CHECKS != self.steps // _STEPS_BETWEEN_CHECKS:
            self.check()


class ScopeNames(NamedTuple):
    """The names that the expressions of one scope may use; see `expressions.nodes.Names`.

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

    def count_items(self, items: int) -> None:
        """Count items of lists that an expression reads. Raises `Unwritable` when a deck has too many."""
        self.calculation.items += items
        self.calculation.check()
        if self.calculation.items > _MOST_ITEMS:
            raise Unwritable(f"the deck's expressions look at more than {_MOST_ITEMS:,} items of lists; send fewer.")

    def inside(self, value: object, place: str, at: int, of: int) -> "ScopeNames":
        """Return the names inside an item of a list."""
        self.calculation.step()
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
    """Return the place of a name in the data, like `holdings.2.name`; an unknown one is in the innermost item.

    The items of a list about the slide have whole paths.
    """
    if name in STORY_LISTS:
        return ""
    if not items or (holds(data, name, path) and not any(holds(item.value, name, path) for item in items)):
        return name
    item = next((item for item in items if path and holds(item.value, name, path)), items[0])
    if isinstance(item.value, Group):
        return join_place(item.path, item.value.locate(name))
    return f"{item.path}.{name}" if path else item.path


def find_alike(path: Sequence[str], items: Sequence[Item], data: Mapping[str, object]) -> str:
    """Return the name in the data that a name without a value may mean, empty without one."""
    for item in items:
        if alike := _follow(path, item.value):
            return alike
    return _follow(path, data)


def _follow(path: Sequence[str], value: object) -> str:
    """Return the path to a value below another one, by members named like the segments or alike; empty without it."""
    found: list[str] = []
    for segment in path:
        if isinstance(value, _OBJECTS):
            members = cast("Mapping[str, object]", value)
            name = segment if segment in members else _nearest(segment, tuple(members)[:_MOST_ALIKE])
            if not name:
                return ""
            value = members.get(name)
        elif is_list(value) and segment.isdigit() and int(segment) < len(value):
            name, value = segment, value[int(segment)]
        else:
            return ""
        found.append(name)
    return ".".join(found) if value is not None and found != list(path) else ""


# The items of a long list lack the same name.
@lru_cache(maxsize=1_024)
def _nearest(name: str, known: tuple[str, ...]) -> str:
    """Return the known name that differs from another by capitals, hyphens and the like, or by a letter; else empty."""
    plain = _plain(name)
    same = next((other for other in known if _plain(other) == plain), "")
    digits = _DIGITS.findall(name)
    near = (other for other in get_close_matches(name, known, 3, _ALIKE) if _DIGITS.findall(other) == digits)
    return same or next(near, "")


def _plain(name: str) -> str:
    return _JOINTS.sub("", name).casefold()
