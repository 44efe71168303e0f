"""The columns of an advisor who is offered on several terms."""

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

import numpy as np

from meetdeck.booking.slots.model import Candidate
from meetdeck.booking.slots.timestamps import Codes


def unite_columns(slots: Codes, searched: Sequence[Candidate], *, together: bool) -> None:
    """Keep each slot of an advisor only in the column of the highest priority.

    With `together`, keep only the slots that all advisors offer.
    """
    order = sorted(range(len(searched)), key=lambda column: -searched[column].priority)
    columns_of = _list_columns(searched, order)
    if together:
        keep_common(slots, searched)
    if len(columns_of) == len(searched):
        return
    for first, *further in columns_of.values():
        offered = slots[:, first].copy()
        for column in further:
            slots[:, column] &= ~offered
            offered |= slots[:, column]


def keep_common(slots: Codes, searched: Sequence[Candidate]) -> None:
    """Write what all advisors offer, each in any column, into every column."""
    columns_of = _list_columns(searched, range(len(searched)))
    each_offers = [np.bitwise_or.reduce(slots[:, columns], axis=1) for columns in columns_of.values()]
    slots[:] = np.bitwise_and.reduce(each_offers)[:, np.newaxis]


def _list_columns(searched: Sequence[Candidate], order: Sequence[int]) -> dict[UUID, list[int]]:
    columns_of: defaultdict[UUID, list[int]] = defaultdict(list)
    for column in order:
        columns_of[searched[column].employee_id].append(column)
    return columns_of
