"""The part of a table or list that one of several slides shows."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from msgspec import Struct

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class Tally:
    """A count of units, rows or paragraphs, by their `ends`: of those of each item, and those behind the last one."""

    ends: tuple[bytes, ...]
    items: list[int] = field(default_factory=list[int])
    after: int = 0

    def count(self, written: Sequence[bytes]) -> int:
        """Return the number of units that were written."""
        text = b"".join(written)
        return sum(map(text.count, self.ends))


class SlidePart(Struct, frozen=True):
    """Part `number` of `of`, from 1: the items from `start` to `end`, or without an end all that are left.

    `heights` are those of its table's rows in points, where they have been measured. A text that `fits` has been
    measured, too. A `tally` counts what is written.
    """

    number: int = 1
    of: int = 1
    start: int = 0
    end: int | None = None
    heights: tuple[float, ...] = ()
    fits: bool = False
    tally: Tally | None = None

    @property
    def is_last(self) -> bool:
        """Return whether nothing goes on behind it."""
        return self.number == self.of

    def pick(self, items: Sequence[T]) -> Sequence[T]:
        """Return its own of all items."""
        return items if self.end is None and not self.start else items[self.start : self.end]


WHOLE: Final = SlidePart()
