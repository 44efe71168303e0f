"""The total length of free time slots: overlapping ones count once."""

from datetime import timedelta
from uuid import UUID

import numpy as np

from meetdeck.booking.slots.model import Slots


def measure_free_time(slots: Slots) -> dict[UUID, timedelta]:
    """Return for each employee with a slot how long they are free in slots."""
    columns, rows = np.nonzero(slots.offers.T)
    if not len(columns):
        return {}
    employees = list(dict.fromkeys(slots.employee_ids))
    places = {employee_id: place for place, employee_id in enumerate(employees)}
    owners = np.array([places[each] for each in slots.employee_ids], dtype=np.int64)[columns]
    starts = slots.starts_at[rows]
    order = np.lexsort((starts, owners))
    owners, starts = owners[order], starts[order]
    lengths = np.full(len(starts), slots.duration, dtype=np.int64)
    is_followed = np.diff(owners) == 0
    lengths[:-1][is_followed] = np.minimum(np.diff(starts), slots.duration)[is_followed]
    totals = np.zeros(len(employees), dtype=np.int64)
    np.add.at(totals, owners, lengths)
    return {
        employee_id: timedelta(microseconds=total)
        for employee_id, total in zip(employees, totals.tolist(), strict=True)
        if total
    }
