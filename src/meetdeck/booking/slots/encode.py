"""Free slots as JSON, by joining pieces that are rendered once: the times of each start, the rest of each offer."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from meetdeck.booking.slots.instants import Instants
from meetdeck.booking.slots.model import MEETING_TYPES, Slots

CHUNK_BYTES = 1 << 16


def encode(slots: Slots) -> Iterator[bytes]:
    """Yield a JSON array of {startDate, endDate, meetingType, employeeId} in chunks, in the order of `Slots`.

    Datetimes are UTC with Z, to the second (spec, available-slot search result items; docs/api.md 5). Chunks hold whole
    starts and, the last one aside, at least `CHUNK_BYTES`.
    """
    pieces, size = [b"["], 1
    for piece in _render_starts(slots):
        pieces.append(piece)
        size += len(piece)
        if size >= CHUNK_BYTES:
            yield b"".join(pieces)
            pieces, size = [], 0
    yield b"".join((*pieces, b"]"))


def _render_starts(slots: Slots) -> Iterator[bytes]:
    """Yield the items of each start that has any, with a comma before every item but the very first."""
    types = [each for each in MEETING_TYPES if np.any(slots.offers & each.bit)]
    bits = np.array([each.bit for each in types], dtype=np.uint8)[:, np.newaxis]
    employees = [str(each) for each in slots.employee_ids]
    ends_of_items = np.array(
        [f'"meetingType":"{each}","employeeId":"{employee}"}}'.encode() for each in types for employee in employees],
        dtype=np.object_,
    )
    separator = b""
    times = zip(_render_times(slots.starts_at), _render_times(slots.starts_at + slots.duration), strict=True)
    for (begin, end), offers in zip(times, slots.offers, strict=True):
        found: list[bytes] = ends_of_items.take(np.flatnonzero((offers & bits) != 0)).tolist()
        if found:
            start_of_item = f'{{"startDate":"{begin}","endDate":"{end}",'.encode()
            found[0] = separator + start_of_item + found[0]
            separator = b","
            yield (b"," + start_of_item).join(found)


def _render_times(instants: Instants) -> npt.NDArray[np.str_]:
    return np.datetime_as_string(instants.astype("datetime64[us]"), unit="s", timezone="UTC")
