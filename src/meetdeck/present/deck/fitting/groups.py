"""The innermost items of a continuing story, in groups: where slides may end, and which headings are repeated.

A story's items may have a list of their own that repeats rows or paragraphs; then these are what slides are made of,
and each item is a group with a heading before them and perhaps a subtotal after them.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import accumulate, takewhile
from typing import Final, NamedTuple

from meetdeck.present.deck.program.slide_parts import UNCUT, CountedItem, Cut

Fits = Callable[[int, int], bool]


class _Group(NamedTuple):
    """A group: its innermost items from `begin` to `end`, and the positions of its heading's units."""

    begin: int
    end: int
    heading: range


class Leaves:
    """The innermost items of a story by number, with the positions of their units, headings and subtotals included."""

    def __init__(self, items: Sequence[CountedItem], first: int, *, is_nested: bool) -> None:
        self.is_nested: Final = is_nested
        # The first unit of each: of the first in a group, that of the heading; last the one after all.
        self.edges: Final[list[int]] = []
        self._paths: Final[list[tuple[int, ...]]] = []
        # The groups around each, outermost first.
        self._groups: Final[list[tuple[_Group, ...]]] = []
        if is_nested:
            self.edges.append(self._add(items, first, ()))
        else:
            self.edges.extend(accumulate((one.units for one in items), initial=first))
        self.count: Final = len(self.edges) - 1
        depth = _find_depth(items) if is_nested else 1
        # Items without inner ones are none of the innermost where others have them.
        self._shown: Final = [at for at, path in enumerate(self._paths) if len(path) == depth]

    @property
    def end(self) -> int:
        """The position of the first unit after all items."""
        return self.edges[-1]

    def _add(self, items: Sequence[CountedItem], at: int, path: tuple[int, ...]) -> int:
        """Add the innermost of items whose first unit is at a position; return where their units end."""
        for index, one in enumerate(items):
            begin = len(self._paths)
            if one.inner:
                self._add(one.inner, at + one.head, (*path, index))
                self.edges[begin] = at
                group = _Group(begin, len(self._paths), range(at, at + one.head))
                self._groups[begin:] = [(group, *around) for around in self._groups[begin:]]
            else:
                self.edges.append(at)
                self._paths.append((*path, index))
                self._groups.append(())
            at += one.units
        return at

    def repeated(self, start: int) -> list[range]:
        """Return the positions of the headings that are repeated on a slide that starts with an item."""
        around = self._groups[start] if self.is_nested and start < self.count else ()
        return [group.heading for group in around if group.begin < start]

    def count_shown(self, leaf: int) -> int:
        """Return how many innermost items there are before one."""
        return bisect_left(self._shown, leaf) if self.is_nested else leaf

    def settle(self, start: int, end: int, fits: Fits) -> int:
        """Return where a slide ends that has room for the items from `start` to `end`: before a group that fits on one.

        A heading belongs to the first item of its group, so it never stands last.
        """
        if not self.is_nested:
            return end
        torn = (group for group in self._groups[end] if start < group.begin < end)
        return next((group.begin for group in torn if fits(group.begin, group.end)), end)

    def may_move(self, start: int, end: int) -> bool:
        """Return whether the slide from `start` may leave the item at `end`, its last, to the single one after it."""
        if not self.is_nested:
            return True
        torn = [group for group in self._groups[end + 1] if group.begin <= end]
        if not torn:
            # A whole group is not alone.
            return not self._groups[end + 1] and not self._groups[end]
        return all(max(group.begin, start) < end for group in torn)

    def cut(self, start: int, end: int) -> Cut:
        """Return the story's own items on a slide, and in it those that are torn."""
        if not self.is_nested:
            return Cut(start, end)
        if start == end:
            return UNCUT._replace(end=0)
        shared = _count_shared(self._paths, start), _count_shared(self._paths, end)
        return self._cut((self._paths[start], self._paths[end - 1]), shared, 0, (True, True))

    def _cut(
        self, paths: tuple[Sequence[int], Sequence[int]], shared: tuple[int, int], level: int, ends: tuple[bool, bool]
    ) -> Cut:
        """Return a group's cut by the paths of a slide's first and last item; `ends` are those where it is cut.

        `shared` says how many levels of groups these share with the items before and after.
        """
        (first, last), inner = paths, dict[int, Cut]()
        is_first, is_last = ends[0] and shared[0] > level, ends[1] and shared[1] > level
        if is_first:
            is_same = is_last and first[level] == last[level]
            inner[first[level]] = self._cut(paths, shared, level + 1, (True, is_same))
        if is_last and last[level] not in inner:
            inner[last[level]] = self._cut(paths, shared, level + 1, (False, True))
        start, end = first[level] if ends[0] else 0, last[level] + 1 if ends[1] else None
        return Cut(start, end, inner, *ends)


def _find_depth(items: Sequence[CountedItem]) -> int:
    depth = 1
    while any(one.inner is not None for one in items):
        items, depth = [inner for one in items for inner in one.inner or ()], depth + 1
    return depth


def _count_shared(paths: Sequence[Sequence[int]], leaf: int) -> int:
    """Return how many groups contain both an item and the one before it."""
    if not 0 < leaf < len(paths):
        return 0
    pairs = zip(paths[leaf - 1], paths[leaf], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
