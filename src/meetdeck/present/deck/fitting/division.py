"""Dividing a continuing table or text: which of its items belong on which slide.

A table ends at the slide's lower edge or above the next shape below it; our own margins would be a guess, while a
footer or an empty text box says it exactly. Only one table or text of a slide continues: a second, shorter one would
leave a gap on the further slides.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Final

from msgspec.structs import replace

from meetdeck.present.deck.fitting.layout import Extent, Paragraph, stack
from meetdeck.present.deck.program.slide_parts import SlidePart, Tally

# Nobody reads more slides of one list; the rest is on the last of them.
MOST_PARTS: Final = 200

Fits = Callable[[int, int], bool]
"""Whether the items from one to before another fit on a slide; the last items with everything after them."""


def divide(count: int, fits: Fits) -> list[tuple[int, int]]:
    """Return `count` items in parts, as starts and ends: each slide has as many as fit, and at least one.

    The last slide has no single item while the one before has two, unless these do not fit there.
    """
    if count and fits(0, count):
        # The usual case.
        return [(0, count)]
    parts: list[tuple[int, int]] = []
    start = 0
    while start < count and len(parts) < MOST_PARTS:
        end = count if len(parts) == MOST_PARTS - 1 else start + 1
        while end < count - 1 and fits(start, end + 1):
            end += 1
        if end == count - 1 and fits(start, count):
            end = count
        parts.append((start, end))
        start = end
    if len(parts) > 1 and parts[-1][1] - parts[-1][0] == 1:
        begin, between = parts[-2]
        if between - begin > 1 and fits(between - 1, count):
            parts[-2:] = (begin, between - 1), (between - 1, count)
    return parts


class Units:
    """The positions of a story's units, rows or paragraphs: those before the items, those of each item, those after."""

    def __init__(self, tally: Tally, count: int) -> None:
        self.items: Final = len(tally.items)
        self._ends: Final = list(accumulate(tally.items, initial=count - tally.after - sum(tally.items)))
        self._count: Final = count

    def ranges(self, start: int, end: int) -> Iterator[range]:
        """Yield the ranges of the units on the slide of these items: before them, theirs, after the last item."""
        yield range(self._ends[0])
        yield range(self._ends[start], self._ends[end])
        yield range(self._ends[-1] if end == self.items else self._count, self._count)

    def end_of(self, part: SlidePart) -> int:
        """Return the item before which a part ends."""
        return self.items if part.end is None else part.end

    def pick(self, start: int, end: int) -> list[int]:
        """Return the positions of the units on the slide of these items."""
        return [place for units in self.ranges(start, end) for place in units]


def divide_rows(heights: Sequence[float], tally: Tally, room: float) -> list[SlidePart]:
    """Return the parts of a table, by the heights of all its rows and the height available on a slide."""
    if sum(heights) <= room:
        return [SlidePart(heights=tuple(heights), written=tuple(tally.written))]
    units = Units(tally, len(heights))
    total = list(accumulate(heights, initial=0.0))

    def fits(start: int, end: int) -> bool:
        return sum(total[r.stop] - total[r.start] for r in units.ranges(start, end)) <= room

    return [
        replace(part, heights=tuple(heights[row] for row in units.pick(part.start, units.end_of(part))))
        for part in _make_parts(divide(units.items, fits), tally)
    ]


def _make_parts(parts: Sequence[tuple[int, int]], tally: Tally) -> list[SlidePart]:
    """Return the slides' parts, at least one; the last has no end."""
    starts = [start for start, _ in parts] or [0]
    ends = [*starts[1:], None]
    return [
        SlidePart(number, len(starts), start, end, written=tuple(tally.written[start:end]))
        for number, (start, end) in enumerate(zip(starts, ends, strict=True), start=1)
    ]


def divide_paragraphs(
    paragraphs: Sequence[Paragraph], tally: Tally, fits: Callable[[Extent], bool], columns: int
) -> list[SlidePart]:
    """Return the parts of a text, by its paragraphs and whether an extent fits its shape."""
    units = Units(tally, len(paragraphs))

    def holds(start: int, end: int) -> bool:
        return fits(stack((paragraphs[place] for place in units.pick(start, end)), columns))

    parts = _make_parts(divide(units.items, holds), tally)
    return [replace(part, fits=holds(part.start, units.end_of(part))) for part in parts]
