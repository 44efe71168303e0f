"""Dividing a continuing table or text: which of its items belong on which slide.

A table ends at the slide's lower edge or above the next shape below it; our own margins would be a guess, while a
footer or an empty text box says it exactly. Only one table or text of a slide continues: a second, shorter one would
leave a gap on the further slides.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final, Generic, NamedTuple, TypeVar

from msgspec.structs import replace

from meetdeck.present.deck.fitting.groups import Leaves
from meetdeck.present.deck.fitting.layout import Extent, Paragraph, stack
from meetdeck.present.deck.program.slide_parts import SlidePart, Story, StoryItems, Tally, WrittenItem

# Nobody reads more slides of one list; the rest is on the last of them.
MOST_PARTS: Final = 200

T = TypeVar("T")
Fits = Callable[[int, int], bool]
"""Returns True if the items from one index up to another fit on a slide; the last ones with the text after them."""


def divide(count: int, fits: Fits, groups: Leaves | None = None) -> list[tuple[int, int]]:
    """Return `count` items in parts, as starts and ends: each slide has as many as fit, and at least one.

    A group that fits on a slide is not torn. The last slide has no single item while the one before has two, unless
    these do not fit there.
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
        if end < count and groups is not None:
            end = groups.settle(start, end, fits)
        parts.append((start, end))
        start = end
    if len(parts) > 1 and parts[-1][1] - parts[-1][0] == 1:
        begin, between = parts[-2]
        may_move = between - begin > 1 and (groups is None or groups.may_move(begin, between - 1))
        if may_move and fits(between - 1, count):
            parts[-2:] = (begin, between - 1), (between - 1, count)
    return parts


class Frame(NamedTuple, Generic[T]):
    """The units of a slide before its items, and those after them."""

    head: Sequence[T]
    foot: Sequence[T]


Measure = Callable[[bool, bool], Frame[T]]
"""The frame of a slide, by whether there are slides before it, and slides behind it."""


class Units(Generic[T]):
    """A story's units, rows or paragraphs: those before the items, those of each innermost item, those after.

    With `measure`, those before and after are not the same on all slides.
    """

    def __init__(self, units: Sequence[T], tally: Tally, measure: Measure[T] | None) -> None:
        first = len(units) - tally.after - tally.foot - sum(one.units for one in tally.items)
        self.leaves: Final = Leaves(tally.items, first, is_nested=tally.is_nested)
        self._units: Final = units
        self._measure: Final = measure
        self._frames: Final[dict[tuple[bool, bool], Frame[T]]] = {}
        last = self.leaves.end
        self._frames[False, False] = Frame(units[:first], units[last:])
        if measure is None:
            self._frames[True, False] = self._frames[False, False]
            self._frames[False, True] = self._frames[True, True] = Frame(units[:first], ())

    def frame(self, start: int, end: int) -> Frame[T]:
        """Return what stands around the innermost items of a slide."""
        kind = start > 0, end < self.leaves.count
        found = self._frames.get(kind)
        if found is None and self._measure is not None:
            found = self._frames[kind] = self._measure(*kind)
        return found or self._frames[False, False]

    def inside(self, start: int, end: int) -> list[T]:
        """Return the units of the innermost items of a slide, with the repeated headings of their groups."""
        repeated = [self._units[at] for units in self.leaves.repeated(start) for at in units]
        return [*repeated, *self._units[self.leaves.edges[start] : self.leaves.edges[end]]]

    def pick(self, start: int, end: int) -> list[T]:
        """Return all units of a slide."""
        frame = self.frame(start, end)
        return [*frame.head, *self.inside(start, end), *frame.foot]


class Rooms(NamedTuple):
    """The heights that a table may have on its last slide, and on the others."""

    last: float
    others: float


def divide_rows(
    heights: Sequence[float], tally: Tally, rooms: Rooms, measure: Measure[float] | None
) -> list[SlidePart]:
    """Return the parts of a table, by the heights of all its rows.

    `measure` measures the rows before and after the items, where slides differ in them.
    """
    if sum(heights) <= rooms.last:
        story = StoryItems(Story(tally.items))
        return [SlidePart(heights=tuple(heights), written=tuple(tally.written), story=story)]
    units = Units(heights, tally, measure)
    leaves, total = units.leaves, list(accumulate(heights, initial=0.0))
    edges, count = leaves.edges, leaves.count
    around: dict[tuple[bool, bool], float] = {}

    def fits(start: int, end: int) -> bool:
        kind = start > 0, end < count
        if kind not in around:
            frame = units.frame(start, end)
            around[kind] = sum(frame.head) + sum(frame.foot)
        height = around[kind] + total[edges[end]] - total[edges[start]]
        if leaves.is_nested:
            height += sum(total[one.stop] - total[one.start] for one in leaves.repeated(start))
        return height <= (rooms.others if end < count else rooms.last)

    parts = divide(count, fits, leaves)
    made = _make_parts(parts, tally, leaves)
    return [replace(part, heights=tuple(units.pick(*span))) for part, span in zip(made, parts or [(0, 0)], strict=True)]


def _make_parts(parts: Sequence[tuple[int, int]], tally: Tally, leaves: Leaves) -> list[SlidePart]:
    """Return the slides' parts, at least one; the last has no end."""
    story, count = Story(tally.items), len(parts)
    made: list[SlidePart] = []
    for number, (start, end) in enumerate(parts or [(0, 0)], start=1):
        cut = leaves.cut(start, end)
        last = None if number == max(count, 1) else cut.end
        written: tuple[WrittenItem | None, ...] = tuple(tally.written[cut.start : last])
        if cut.inner and written:
            written = tuple(None if at in cut.inner else one for at, one in enumerate(written, cut.start))
        first, stop = leaves.count_shown(start), leaves.count_shown(end)
        own = StoryItems(story, first, first, stop)
        needed = tally.is_fixed and (None in written or not written)
        items = [one.item for one in tally.items[cut.start : last]] if needed else ()
        part = SlidePart(number, max(count, 1), cut.start, last, cut.inner, written=written, story=own, items=items)
        made.append(part)
    return made


def divide_paragraphs(
    paragraphs: Sequence[Paragraph],
    tally: Tally,
    fits: Callable[[Extent, bool], bool],
    columns: int,
    measure: Measure[Paragraph] | None,
) -> list[SlidePart]:
    """Return the parts of a text, by its paragraphs, and whether an extent fits its shape; on the last slide, if true.

    `measure` measures the paragraphs before and after the items, where slides differ in them.
    """
    units = Units(paragraphs, tally, measure)
    leaves = units.leaves

    def holds(start: int, end: int) -> bool:
        return fits(stack(units.pick(start, end), columns), end == leaves.count)

    parts = divide(leaves.count, holds, leaves)
    made = _make_parts(parts, tally, leaves)
    return [replace(part, fits=holds(*span)) for part, span in zip(made, parts or [(0, 0)], strict=True)]
