"""The part of a table or list that one of several slides shows."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeVar

from msgspec import Struct

from meetdeck.present.deck.findings import Finding

T = TypeVar("T")


class WrittenItem(NamedTuple):
    """An item as it was written once to be measured, with its findings."""

    text: bytes
    findings: tuple[Finding, ...]


@dataclass(slots=True, eq=False)
class Tally:
    """A count of units, rows or paragraphs, by their `ends`: of those of each item, and those after the last one.

    `written` are the items, if they are the same on whichever slide they are.
    """

    ends: tuple[bytes, ...]
    items: list[int] = field(default_factory=list[int])
    after: int = 0
    written: list[WrittenItem] = field(default_factory=list[WrittenItem])

    def count(self, text: bytes) -> int:
        """Return the number of units in the written bytes."""
        return sum(map(text.count, self.ends))


class SlidePart(Struct, frozen=True):
    """Part `number` of `of`, from 1: the items from `start` to `end`, or without an end all the rest.

    `heights` are those of its table's rows in points, if measured. A text that `fits` has been measured, too. `written`
    are its items as written, if they fit on any slide. The output is counted by a `tally`.
    """

    number: int = 1
    of: int = 1
    start: int = 0
    end: int | None = None
    heights: tuple[float, ...] = ()
    fits: bool = False
    written: tuple[WrittenItem, ...] = ()
    tally: Tally | None = None

    @property
    def is_last(self) -> bool:
        """Return whether this is the last part."""
        return self.number == self.of

    def pick(self, items: Sequence[T]) -> Sequence[T]:
        """Return its own of all items."""
        return items if self.end is None and not self.start else items[self.start : self.end]


WHOLE: Final = SlidePart()
