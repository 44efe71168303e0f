"""Calendars from the packed columns of a row, as `read_calendars` and `read_changes` of kept.sql write them."""

from typing import Final

import numpy as np
from asyncpg import Record

from meetdeck.booking.scheduling.search.service.candidates import PACKED_ENTRY, POSTGRES_EPOCH
from meetdeck.booking.slots.kept_times import NEVER, KeptCalendars, KeptTimes
from meetdeck.booking.slots.timestamps import Instants

_NOTHING: Final = np.empty(0, dtype=np.int64)
_NO_TIMES: Final = KeptTimes.sort(_NOTHING, _NOTHING, _NOTHING)


def unpack_calendars(row: Record, begin: int, end: int) -> KeptCalendars:
    """Return the calendars of a row between two instants."""
    keys, starts, ends, expires = (
        np.frombuffer(row[name], dtype=kind).astype(np.int64)
        for name, kind in (
            ("taken_keys", ">i4"),
            ("taken_starts", ">i8"),
            ("taken_ends", ">i8"),
            ("taken_expire", ">i8"),
        )
    )
    is_reserved = expires != NEVER
    expires_at = np.where(is_reserved, expires + POSTGRES_EPOCH, NEVER) if is_reserved.any() else None
    booked = KeptTimes.sort(keys, starts + POSTGRES_EPOCH, ends + POSTGRES_EPOCH, expires_at)
    packed: list[bytes] = row["entries"]
    each = len(packed) // 3
    busy, extra_open, elsewhere = (
        _unpack_entries(b"".join(packed[first : first + each])) for first in range(0, len(packed), each)
    )
    return KeptCalendars.of_entries(begin, end, booked, busy, extra_open, elsewhere)


def _unpack_entries(packed: bytes) -> KeptTimes:
    if not packed:
        return _NO_TIMES
    noted = np.frombuffer(packed, dtype=PACKED_ENTRY)
    columns: dict[str, Instants] = {name: noted[name].astype(np.int64) for name in PACKED_ENTRY.names or ()}
    starts, ends = columns["starts_at"] + POSTGRES_EPOCH, columns["ends_at"] + POSTGRES_EPOCH
    return KeptTimes.sort(columns["resource_keys"], starts, ends)
