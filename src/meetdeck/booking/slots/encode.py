"""Free slots as JSON, by joining pieces that are rendered once: the times of each start, the rest of each offer."""

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from meetdeck.booking.slots.model import MEETING_TYPES, Slots
from meetdeck.booking.slots.timestamps import Codes, Indexes, Instants

CHUNK_BYTES = 1 << 17
_BLOCK = 900  # items of one start that are rendered at a time: about a chunk

Pieces = npt.NDArray[np.object_]
FindMembers = Callable[[int, Indexes, Indexes], Pieces]
"""Of a start, and of the meeting type (its index in `MEETING_TYPES`) and column of each item: members with commas."""


def encode(slots: Slots, find_members: FindMembers | None = None) -> Iterator[bytes]:
    """Return a JSON array of {startDate, endDate, meetingType, employeeId} in chunks, in the order of `Slots`.

    `find_members` returns more members of each item. Datetimes are UTC with Z, to the second (spec, available-slot
    search result items; docs/api.md#times). A chunk has `CHUNK_BYTES` to about twice as many, except the last. Its
    parts are rendered beforehand, so that a chunk takes less than a tenth of a millisecond on demand.
    """
    types, columns = slots.list_items()
    employees = [str(each) for each in slots.employee_ids]
    ends_of_items = np.array(
        [
            f'"meetingType":"{MEETING_TYPES[each]}","employeeId":"{employees[column]}"}}'.encode()
            for each, column in zip(types.tolist(), columns.tolist(), strict=True)
        ],
        dtype=np.object_,
    )
    bits = np.array([each.bit for each in MEETING_TYPES], dtype=np.uint8)[types]
    if find_members is None:
        return _join_chunks(_render_blocks(slots, columns, bits, ends_of_items))

    def find_of_items(start: int, items: Indexes) -> Pieces:
        return find_members(start, types[items], columns[items])

    return _join_chunks(_render_blocks(slots, columns, bits, ends_of_items, find_of_items))


def _join_chunks(blocks: Iterator[bytes]) -> Iterator[bytes]:
    pieces, size = [b"["], 1
    for block in blocks:
        pieces.append(block)
        size += len(block)
        if size >= CHUNK_BYTES:
            yield b"".join(pieces)
            pieces, size = [], 0
    yield b"".join((*pieces, b"]"))


def _render_blocks(
    slots: Slots,
    columns: Indexes,
    bits: Codes,
    ends_of_items: Pieces,
    find_more: Callable[[int, Indexes], Pieces] | None = None,
) -> Iterator[bytes]:
    """Yield the items of each start, with a comma before every item except the very first."""
    separator = b""
    times = zip(_render_times(slots.starts_at), _render_times(slots.starts_at + slots.duration), strict=True)
    for start, ((begin, end), offers) in enumerate(zip(times, slots.offers, strict=True)):
        start_of_item = f'{{"startDate":"{begin}","endDate":"{end}",'.encode()
        offered = np.flatnonzero((offers.take(columns) & bits) != 0)
        for first in range(0, len(offered), _BLOCK):
            items = offered[first : first + _BLOCK]
            pieces = ends_of_items.take(items)
            if find_more is not None:
                pieces = find_more(start, items) + pieces
            found: list[bytes] = pieces.tolist()
            found[0] = separator + start_of_item + found[0]
            separator = b","
            yield (b"," + start_of_item).join(found)


def _render_times(instants: Instants) -> npt.NDArray[np.str_]:
    return np.datetime_as_string(instants.astype("datetime64[us]"), unit="s", timezone="UTC")
