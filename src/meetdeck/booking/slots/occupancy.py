"""Busy time of the searched resources, and the starts that it leaves free."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meetdeck.booking.slots.model import Spans
from meetdeck.booking.slots.start_grid import Axis
from meetdeck.booking.slots.timestamps import FAR, Flags, Indexes, Instants

BATCH = 250  # resources checked at a time: their arrays fit into the processor's cache
_TABLE_SPAN = 1 << 22
_SPAN_OF_ROW = 32


class BusyRows(NamedTuple):
    """Busy rows of one batch: the resource's index in the batch, the beginning and the end.

    The first `booked` rows are of meetings and reservations, the others of calendar entries.
    """

    owners: Indexes
    begins: Instants
    ends: Instants
    booked: int

    def without_entries(self) -> "BusyRows":
        """Return the rows of meetings and reservations."""
        own = slice(self.booked)
        return BusyRows(self.owners[own], self.begins[own], self.ends[own], self.booked)


def batches(count: int) -> Iterator[slice]:
    """Return 0…count as slices of at most `BATCH`."""
    return (slice(begin, min(begin + BATCH, count)) for begin in range(0, count, BATCH))


def split_by_owner(resource_keys: Sequence[int] | Instants, busy: Spans) -> Iterator[BusyRows]:
    """Yield the busy rows of the resources, an item for each of `batches(len(resource_keys))`; drop all others.

    A repeated resource has its rows each time.
    """
    owners, row_of = _find_owners(np.asarray(resource_keys, dtype=np.int64), busy.resource_keys)
    parts = _split_rows(owners, -(-len(resource_keys) // BATCH))
    for batch, part in zip(batches(len(resource_keys)), parts, strict=True):
        own, rows = owners[part] - batch.start, part if row_of is None else row_of[part]
        begins, ends = (np.clip(column[rows], -FAR, FAR) for column in (busy.starts_at, busy.ends_at))
        real = ends > begins
        if not real.all():
            own, rows, begins, ends = (column[real] for column in (own, rows, begins, ends))
        booked = int(np.searchsorted(rows, len(busy) - busy.entries))  # the rows of one batch keep their order
        yield BusyRows(own, begins, ends, booked)


def _split_rows(owners: Indexes, count: int) -> Iterator[Indexes]:
    """Yield the rows of each batch, in their order; a row without an owner, -1, is of none."""
    if count == 1:
        yield np.flatnonzero(owners >= 0)
        return
    batch_of_row = (owners // BATCH).astype(np.uint16)  # for a row without an owner: the highest of all
    order = np.argsort(batch_of_row, kind="stable")  # a radix sort, for 16 bits
    cuts = np.searchsorted(batch_of_row, np.arange(count + 1), sorter=order).tolist()
    yield from (order[slice(*cut)] for cut in pairwise(cuts))


def find_free(axis: Axis, duration: int, buffers: tuple[Instants, Instants], occupied: BusyRows) -> Flags:
    """Return for each resource and start whether the resource is free; shape (resources, starts).

    `buffers` are how long before a slot of the duration, and how long after it, each resource must be free of meetings.
    Taken from b to e, a resource cannot start in (b - duration - after, e + before): +1 and -1 at the ends of that
    range, and a running sum over them counts the conflicting rows of each start.
    """
    shape = len(buffers[0]), len(axis) + 1
    begins, ends = occupied.begins - duration, occupied.ends
    if buffers[0].any() or buffers[1].any():
        before, after = (each[occupied.owners] for each in buffers)
        before[occupied.booked :] = after[occupied.booked :] = 0
        begins, ends = begins - after, ends + before
    first, stop = axis.count_through(begins), axis.count_before(ends)
    return count_ranges(occupied.owners, first, stop, shape)[:, :-1] == 0


def count_ranges(rows: Indexes, first: Indexes, stop: Indexes, shape: tuple[int, int]) -> Indexes:
    """Return the number of ranges [first, stop), each of one row, that cover each cell; the last column is spare."""
    height, width = shape
    line = rows * width
    counts = np.bincount(line + first, minlength=height * width)
    counts -= np.bincount(line + stop, minlength=height * width)
    counts = counts.reshape(shape)
    return np.cumsum(counts, axis=1, out=counts)


def _find_owners(wanted: Instants, keys: Instants) -> tuple[Indexes, Indexes | None]:
    """Return the index among the wanted keys of each row, and the rows, in their order; None: each row once.

    A row whose key is wanted several times is returned with each index; one whose key is not wanted, with -1.
    """
    owners = find_positions(wanted, keys)
    order = np.argsort(wanted, kind="stable")
    is_twin = np.diff(wanted[order]) == 0
    if not is_twin.any():
        return owners, None
    twin_before = np.full(len(wanted) + 1, -1, dtype=np.intp)  # the spare one has no owner
    twin_before[order[1:][is_twin]] = order[:-1][is_twin]
    found = [owners]
    while ((owners := twin_before[owners]) >= 0).any():
        found.append(owners)
    return np.stack(found, axis=1).ravel(), np.repeat(np.arange(len(keys)), len(found))


def find_positions(wanted: Instants, keys: npt.NDArray[np.signedinteger[Any]]) -> Indexes:
    """Return the last index of each key among the wanted ones, -1 for an unwanted one."""
    lowest, span = int(wanted.min()), int(np.ptp(wanted)) + 1
    if span <= min(_TABLE_SPAN, _SPAN_OF_ROW * (len(wanted) + len(keys))):  # a table for few rows is not much longer
        table = np.full(span + 2, -1, dtype=np.intp)  # the spare ends catch the keys below and above
        table[wanted - lowest + 1] = np.arange(len(wanted))
        return table.take(keys - (lowest - 1), mode="clip")
    order = np.argsort(wanted, kind="stable")
    found = order[np.searchsorted(wanted, keys, side="right", sorter=order) - 1]
    return np.where(wanted[found] == keys, found, -1)
