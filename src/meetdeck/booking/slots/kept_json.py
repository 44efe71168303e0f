"""The JSON of slots that is given again, and written anew only at the starts that changed."""

from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, Self

import numpy as np

from meetdeck.booking.slots.encode import Items, render_starts
from meetdeck.booking.slots.model import Slots
from meetdeck.booking.slots.timestamps import Indexes

_PIECE_BYTES = 1 << 20  # each piece has a price when it is sent
_BYTES_OF_ITEM = 150


class KeptJson(NamedTuple):
    """The JSON that `encode` returns for slots, in longer pieces.

    Piece p has the items of the starts from `bounds[p]` up to `bounds[p + 1]`, of each start `lengths[start]` bytes
    with the comma before them; of the very first, [ is in its place.
    """

    slots: Slots
    items: Items
    pieces: tuple[bytes, ...]
    bounds: Sequence[int]
    lengths: Sequence[int]

    @property
    def size(self) -> int:
        """Return about how many bytes it takes."""
        return sum(map(len, self.pieces)) + _BYTES_OF_ITEM * len(self.items.ends)

    @classmethod
    def write(cls, slots: Slots) -> Self:
        """Return the JSON of slots."""
        items = Items.of(slots)
        pieces, bounds, lengths = list[bytes](), [0], list[int]()
        blocks, size = list[bytes](), 0
        for block in _render(slots, items, np.arange(len(slots.starts_at))):
            blocks.append(block)
            lengths.append(len(block))
            size += len(block)
            if size >= _PIECE_BYTES:
                pieces.append(b"".join(blocks))
                bounds.append(len(lengths))
                blocks, size = [], 0
        pieces.append(b"".join((*blocks, b"]")))
        bounds.append(len(lengths))
        pieces[0] = b"[" + pieces[0].removeprefix(b",")
        return cls(slots, items, tuple(pieces), bounds, lengths)

    def rewrite(self, slots: Slots) -> Self:
        """Return the JSON of slots; what is the same as in these is not written again."""
        before = self.slots
        if _name_columns(before) != _name_columns(slots) or not np.array_equal(before.starts_at, slots.starts_at):
            return self.write(slots)
        changed = np.flatnonzero((before.offers != slots.offers).any(axis=1))
        if _has_more(slots, before, changed):
            return self.write(slots)
        new = dict(zip(changed.tolist(), _render(slots, self.items, changed), strict=True))
        lengths = list(self.lengths)
        for start, block in new.items():
            lengths[start] = len(block)
        pieces = list(self.pieces)
        for number, (first, stop) in enumerate(pairwise(self.bounds)):
            if any(first <= start < stop for start in new):
                if not any(lengths[first:stop]) or not any(self.lengths[first:stop]):
                    return self.write(slots)
                begin = b"[" if number == 0 else b","
                end = b"]" if number == len(pieces) - 1 else b""
                pieces[number] = _join(begin, self._list_blocks(number, new), end)
        return type(self)(slots, self.items, tuple(pieces), self.bounds, lengths)

    def _list_blocks(self, number: int, new: dict[int, bytes]) -> Iterator[bytes | memoryview]:
        """Yield the items of each start of a piece, the new ones of some."""
        view, place = memoryview(self.pieces[number]), 0
        for start in range(*self.bounds[number : number + 2]):
            end = place + self.lengths[start]
            yield new[start] if start in new else view[place:end]
            place = end


def _name_columns(slots: Slots) -> tuple[Hashable, ...]:
    return slots.employee_ids, slots.priorities, slots.duration


def _has_more(slots: Slots, before: Slots, starts: Indexes) -> bool:
    """Return whether some starts have items that none had before."""
    offered = np.bitwise_or.reduce(before.offers, axis=0)
    return bool((np.bitwise_or.reduce(slots.offers[starts], axis=0) & ~offered).any())


def _render(slots: Slots, items: Items, starts: Indexes) -> Iterator[bytes]:
    """Yield the items of some starts, a comma before each; nothing for a start without any."""
    for start_of_item, start in zip(
        render_starts(slots.starts_at[starts], slots.duration), starts.tolist(), strict=True
    ):
        offered = items.find_offered(slots.offers[start])
        beginning = b"," + start_of_item
        yield beginning + beginning.join(items.ends.take(offered).tolist()) if len(offered) else b""


def _join(begin: bytes, blocks: Iterator[bytes | memoryview], end: bytes) -> bytes:
    """Return blocks joined by commas, whatever is in front of each."""
    parts: list[bytes | memoryview] = []
    for block in blocks:
        if len(block):
            parts += (b",", block[1:])
    parts[:1] = [begin] if parts else []
    return b"".join((*parts, end))
