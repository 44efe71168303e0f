"""The part of a table or list that one of several slides shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

from msgspec import Struct

from meetdeck.present.deck.findings import Finding
from meetdeck.present.deck.language.expressions.lists import FirstItems, PickedItems
from meetdeck.present.deck.program.names import Item

T = TypeVar("T")


class WrittenItem(NamedTuple):
    """An item as it was written once to be measured, with its findings."""

    text: bytes
    findings: tuple[Finding, ...]


class CountedItem(NamedTuple):
    """An item with the number of its units, rows or paragraphs.

    When it has a list of its own that repeats units, `inner` are that list's items, and `head` counts the units before
    them.
    """

    item: Item
    units: int
    head: int = 0
    inner: "Sequence[CountedItem] | None" = None


@dataclass(slots=True, eq=False)
class Tally:
    """A count of units, rows or paragraphs, by their `ends`: of each item, and of those after the last one.

    The items `is_fixed` unless they depend on other slides; some `is_nested` when they have inner ones.
    `foot` counts those after the items that are on every slide, `after` those that are only on the last one. `written`
    are the items, if they are the same on whichever slide they are. `inner` are those of the item that is being
    written, with the number of units before them. Of a `frame`, the items are not written.
    """

    ends: tuple[bytes, ...]
    items: list[CountedItem] = field(default_factory=list[CountedItem])
    foot: int = 0
    after: int = 0
    written: list[WrittenItem] = field(default_factory=list[WrittenItem])
    inner: tuple[int, Sequence[CountedItem]] | None = None
    is_frame: bool = False
    is_fixed: bool = False
    is_nested: bool = False

    def count(self, text: bytes) -> int:
        """Return the number of units in the written bytes."""
        return sum(map(text.count, self.ends))

    def add_up(self, item: Item, text: bytes) -> CountedItem:
        """Return the written item, counted with the inner items that it has just written."""
        if self.inner is None:
            return CountedItem(item, self.count(text))
        (head, inner), self.inner, self.is_nested = self.inner, None, True
        return CountedItem(item, self.count(text), head, inner)


class Story:
    """The innermost items of a continuing story, which are listed when they are first asked for."""

    def __init__(self, items: Sequence[CountedItem]) -> None:
        self._items = items
        self._listed: tuple[list[object], list[str]] | None = None
        # The sums of the first of them, see `FirstItems`.
        self._sums: dict[str, tuple[int, Decimal | None]] = {}

    def pick(self, first: int, end: int | None) -> PickedItems:
        """Return the items between two numbers, with their places in the data."""
        if self._listed is None:
            items = self._items
            while any(one.inner is not None for one in items):
                items = [inner for one in items for inner in one.inner or ()]
            self._listed = [one.item.value for one in items], [one.item.path for one in items]
        values, places = self._listed[0][first:end], self._listed[1][first:end]
        return PickedItems(values, places) if first else FirstItems(values, places, self._sums)


class StoryItems(NamedTuple):
    """The innermost items of a story on a slide: from `start` to `end`; `before` counts those of the slides before."""

    story: Story
    before: int | None = 0
    start: int = 0
    end: int | None = None

    def pick(self, name: str) -> PickedItems:
        """Return the value of `@here`, `@before` or `@shown`."""
        if name == "@here":
            return self.story.pick(self.start, self.end)
        return self.story.pick(0, self.before if name == "@before" else self.end)


class Cut(NamedTuple):
    """The inner items of a torn item that are on a slide: from `start` to `end`, and by position those torn again.

    It is `continued` from the slide before, and has `more` on the next one.
    """

    start: int = 0
    end: int | None = None
    inner: "Mapping[int, Cut]" = MappingProxyType({})
    continued: bool = False
    more: bool = False


UNCUT: Final = Cut()
_NO_CUTS: Final[Mapping[int, Cut]] = MappingProxyType({})


class SlidePart(Struct, frozen=True):
    """Part `number` of `of`, from 1: the items from `start` to `end`, or without an end all the rest.

    `cuts` are those of them that are torn, by position. `heights` are those of its table's rows in points, if measured.
    A text that `fits` has been measured, too. `written` are its items as written, if they fit on any slide, None for a
    torn one; `items` are its items, if they are known. `story` are the innermost ones. The output is counted by a
    `tally`.
    """

    number: int = 1
    of: int = 1
    start: int = 0
    end: int | None = None
    cuts: Mapping[int, Cut] = _NO_CUTS
    heights: tuple[float, ...] = ()
    fits: bool = False
    written: tuple[WrittenItem | None, ...] = ()
    story: StoryItems | None = None
    items: Sequence[Item] = ()
    tally: Tally | None = None

    @property
    def is_last(self) -> bool:
        """Return whether this is the last part."""
        return self.number == self.of

    def pick(self, items: Sequence[T]) -> Sequence[T]:
        """Return its own of all items."""
        return items if self.end is None and not self.start else items[self.start : self.end]

    def find(self, name: str) -> object:
        """Return the value of a name about the part, such as `@part` or `@shown`."""
        match name:
            case "@part":
                return self.number
            case "@parts":
                return self.of
            case "@more":
                return not self.is_last
            case "@continued":
                return self.number > 1
            case _:
                return (self.story or StoryItems(Story(self.tally.items if self.tally else ()))).pick(name)


WHOLE: Final = SlidePart()
