"""Free slots as JSON, by joining pieces that are rendered once: the times of each start, the rest of each offer."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from meetdeck.booking.slots.model import MEETING_TYPES, Slots
from meetdeck.booking.slots.timestamps import Codes, Indexes, Instants

CHUNK_BYTES = 1 << 17
_PART = 1500  # items of one start that are rendered at a time: usually a chunk, which is not copied again

Pieces = npt.NDArray[np.object_]


class Members(NamedTuple):
    """More members of items: JSON with a comma behind it, and which of these texts the items of a start have.

    `find` returns for a start (its index), and items with the given meeting types (indexes in `MEETING_TYPES`) and
    columns, the numbers of the texts in question, negative ones for none, and at which place of these each item's is.
    """

    texts: Sequence[bytes]
    find: Callable[[int, Indexes, Indexes], tuple[Indexes, Indexes]]


class Items(NamedTuple):
    """The items that some start has, in order: meeting types (indexes in `MEETING_TYPES`) and columns.

    `bits` are the meeting types as sets, and `ends` the JSON behind the times.
    """

    types: Indexes
    columns: Indexes
    bits: Codes
    ends: Pieces

    @classmethod
    def of(cls, slots: Slots) -> Self:
        """Return the items of slots."""
        types, columns = slots.list_items()
        employees = [str(each) for each in slots.employee_ids]
        ends = [
            f'"meetingType":"{MEETING_TYPES[each]}","employeeId":"{employees[column]}"}}'.encode()
            for each, column in zip(types.tolist(), columns.tolist(), strict=True)
        ]
        bits = np.array([each.bit for each in MEETING_TYPES], dtype=np.uint8)[types]
        return cls(types, columns, bits, np.array(ends, dtype=np.object_))

    def find_offered(self, offers: Codes) -> Indexes:
        """Return the items, as indexes, that a start has which offers this."""
        return np.flatnonzero((offers.take(self.columns) & self.bits) != 0)


def encode(slots: Slots, members: Members | None = None) -> Iterator[bytes]:
    """Return a JSON array of {startDate, endDate, meetingType, employeeId} in chunks, in the order of `Slots`.

    `members` are more members of each item. Datetimes are UTC with Z, to the second (spec, available-slot
    search result items; docs/api/index.md). A chunk has `CHUNK_BYTES` to about twice as many, except the last. Its
    parts are rendered beforehand, so that a chunk takes less than a tenth of a millisecond on demand.
    """
    items = Items.of(slots)
    if members is None:
        return _join_chunks(_render_blocks(slots, items))
    return _join_chunks(_render_more(slots, items, members))


def _join_chunks(blocks: Iterator[bytes]) -> Iterator[bytes]:
    pieces, size = [b"["], 1
    for block in blocks:
        pieces.append(block)
        size += len(block)
        if size >= CHUNK_BYTES:
            yield b"".join(pieces)
            pieces, size = [], 0
    yield b"".join((*pieces, b"]"))


def _render_blocks(slots: Slots, items: Items) -> Iterator[bytes]:
    """Yield the items of each start, with a comma before every item except the very first."""
    separator = b""
    for start_of_item, offers in zip(render_starts(slots.starts_at, slots.duration), slots.offers, strict=True):
        offered = items.find_offered(offers)
        for some in _split(len(offered)):
            found: list[bytes] = items.ends.take(offered[some]).tolist()
            found[0] = separator + start_of_item + found[0]
            separator = b","
            yield (b"," + start_of_item).join(found)


def _render_more(slots: Slots, items: Items, members: Members) -> Iterator[bytes]:
    """Yield what `_render_blocks` yields, with more members behind the times of each item."""
    ends = len(items.ends)
    pieces = items.ends  # behind the ends are the beginnings of a start: all pieces are taken at once
    separator = b""
    times = render_starts(slots.starts_at, slots.duration)
    for start, (start_of_item, offers) in enumerate(zip(times, slots.offers, strict=True)):
        offered = items.find_offered(offers)
        if not len(offered):
            continue
        numbers, text_of = members.find(start, items.types.take(offered), items.columns.take(offered))
        count = ends + len(numbers)
        if len(pieces) < count:
            pieces = np.concatenate((items.ends, np.empty(len(numbers), dtype=np.object_)))
        pieces[ends:count] = _render_beginnings(b"," + start_of_item, members.texts, numbers)
        chosen = np.empty((len(offered), 2), dtype=np.intp)
        np.add(text_of, ends, out=chosen[:, 0])
        chosen[:, 1] = offered
        for some in _split(len(offered)):
            block = b"".join(pieces.take(chosen[some].ravel()).tolist())
            yield block if separator else block.removeprefix(b",")
            separator = b","


def _split(items: int) -> Iterator[slice]:
    """Return the items of a start in even parts."""
    step = -(-items // max(1, -(-items // _PART))) or 1
    return (slice(first, min(first + step, items)) for first in range(0, items, step))


def _render_beginnings(beginning: bytes, texts: Sequence[bytes], numbers: Indexes) -> list[bytes]:
    """Return a beginning with each of the numbered texts behind it."""
    return [beginning + texts[number] if number >= 0 else b"" for number in numbers.tolist()]


def render_starts(starts_at: Instants, duration: int) -> Iterator[bytes]:
    """Yield the beginning of the items of each start: its times."""
    times = zip(_render_times(starts_at), _render_times(starts_at + duration), strict=True)
    return (f'{{"startDate":"{begin}","endDate":"{end}",'.encode() for begin, end in times)


def _render_times(instants: Instants) -> npt.NDArray[np.str_]:
    return np.datetime_as_string(instants.astype("datetime64[us]"), unit="s", timezone="UTC")
