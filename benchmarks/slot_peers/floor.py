"""What no service could do without: one binary COPY of the busy rows, the pure search, and its JSON."""

from io import BytesIO
from time import perf_counter
from typing import Final, NamedTuple
from uuid import UUID

import numpy as np

from meetdeck.booking.scheduling.service.availability import SearchInput
from meetdeck.booking.slots.encode import encode
from meetdeck.booking.slots.model import Busy, Slots
from meetdeck.booking.slots.search import find_busy_span, search
from meetdeck.platform.db import Connection
from slot_peers.firm import POSTGRES_EPOCH

_SELECT: Final = (
    "select resource_key, starts_at, ends_at from occupancy where tenant_id = $1 and starts_at >= $2 and starts_at < $3"
)
_ROW: Final = np.dtype(
    [
        ("fields", ">i2"),
        *(("key_length", ">i4"), ("resource_key", ">i4")),
        *(("start_length", ">i4"), ("starts_at", ">i8")),
        *(("end_length", ">i4"), ("ends_at", ">i8")),
    ]
)
_HEADER_BYTES: Final = 19
_TRAILER_BYTES: Final = 2


class Floor(NamedTuple):
    """Seconds of each part."""

    load: float
    search: float
    encode: float

    @property
    def seconds(self) -> float:
        """How long all take."""
        return sum(self)


async def measure_floor(superuser: Connection, tenant_id: UUID, found: SearchInput) -> Floor:
    """Load, search and encode, with candidates that are there already."""
    span = find_busy_span(found.query, found.organization, found.candidates)
    begun = perf_counter()
    received = BytesIO()

    async def receive(chunk: bytes) -> None:
        received.write(chunk)

    await superuser.copy_from_query(_SELECT, tenant_id, *span, output=receive, format="binary")
    rows = np.frombuffer(received.getbuffer()[_HEADER_BYTES:-_TRAILER_BYTES], dtype=_ROW)
    busy = Busy(
        rows["resource_key"].astype(np.int64),
        rows["starts_at"].astype(np.int64) + POSTGRES_EPOCH,
        rows["ends_at"].astype(np.int64) + POSTGRES_EPOCH,
    )
    loaded = perf_counter()
    slots = search(found.query, found.organization, found.candidates, found.rooms, busy)
    searched = perf_counter()
    count_bytes(slots)
    return Floor(loaded - begun, searched - loaded, perf_counter() - searched)


def count_bytes(slots: Slots) -> int:
    """Encode and drop each piece, as a server does."""
    return sum(len(piece) for piece in encode(slots))
