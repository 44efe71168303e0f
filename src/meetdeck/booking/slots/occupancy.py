"""Busy time of the resources that are searched, and the starts that it leaves free."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from meetdeck.booking.slots.axis import Axis
from meetdeck.booking.slots.instants import FAR, Flags, Indexes, Instants
from meetdeck.booking.slots.model import Busy

BATCH = 250  # resources weighed at a time: what they need fits into the processor's cache
_TABLE_SPAN = 1 << 22


class Occupied(NamedTuple):
    """Busy rows of one batch: the resource's place in the batch, and from when to when it is taken."""

    owners: Indexes
    begins: Instants
    ends: Instants


def batches(count: int) -> Iterator[slice]:
    """Cut 0…count into slices of at most `BATCH`."""
    return (slice(begin, min(begin + BATCH, count)) for begin in range(0, count, BATCH))


def split_by_owner(resource_keys: Sequence[int], busy: Busy) -> list[Occupied]:
    """Return the busy rows of the resources, an item for each of `batches(len(resource_keys))`; drop all others."""
    owners = _positions(np.array(resource_keys, dtype=np.int64), busy.resource_keys)
    rows = np.flatnonzero((owners >= 0) & (busy.ends_at > busy.starts_at))
    batch_of_row = owners[rows] // BATCH
    if len(resource_keys) > BATCH:
        order = np.argsort(batch_of_row.astype(np.uint16), kind="stable")  # a radix sort, for 16 bits
        rows, batch_of_row = rows[order], batch_of_row[order]
    cuts = np.searchsorted(batch_of_row, np.arange(1, -(-len(resource_keys) // BATCH)))
    return [
        Occupied(
            owners[part] - batch.start,
            np.clip(busy.starts_at[part], -FAR, FAR),
            np.clip(busy.ends_at[part], -FAR, FAR),
        )
        for batch, part in zip(batches(len(resource_keys)), np.split(rows, cuts), strict=True)
    ]


def find_free(axis: Axis, reach: tuple[Instants, Instants], occupied: Occupied) -> Flags:
    """Say of each resource and start whether the resource is free; shape (resources, starts).

    `reach` is how long before each start and how long after it each resource must be free. Taken from b to e, a
    resource cannot start in (b - after, e + before): +1 and -1 at the ends of that range, and a running sum over them
    counts what stands in the way of each start.
    """
    before, after = reach
    shape = len(before), len(axis) + 1
    first = axis.count_through(occupied.begins - after[occupied.owners])
    stop = axis.count_before(occupied.ends + before[occupied.owners])
    return count_ranges(occupied.owners, first, stop, shape)[:, :-1] == 0


def count_ranges(rows: Indexes, first: Indexes, stop: Indexes, shape: tuple[int, int]) -> Indexes:
    """Return how many of the ranges [first, stop), each of one row, cover each cell; the last column is spare."""
    height, width = shape
    line = rows * width
    counts = np.bincount(line + first, minlength=height * width)
    counts -= np.bincount(line + stop, minlength=height * width)
    counts = counts.reshape(shape)
    return np.cumsum(counts, axis=1, out=counts)


def _positions(wanted: Instants, keys: Instants) -> Indexes:
    """Return where each key stands among the wanted ones, -1 where it does not."""
    lowest, span = int(wanted.min()), int(np.ptp(wanted)) + 1
    if span <= _TABLE_SPAN:
        table = np.full(span + 2, -1, dtype=np.intp)  # the spare ends catch the keys below and above
        table[wanted - lowest + 1] = np.arange(len(wanted))
        return table.take(keys - lowest + 1, mode="clip")
    order = np.argsort(wanted)
    found = order[np.searchsorted(wanted, keys, sorter=order).clip(max=len(wanted) - 1)]
    return np.where(wanted[found] == keys, found, -1)
