"""Searching again after the calendars of some resources changed: only their candidates' slots are found anew."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from meetdeck.booking.slots.allowed_starts import Terms, check_by_days
from meetdeck.booking.slots.columns import unite_columns
from meetdeck.booking.slots.limits import DailyLimits
from meetdeck.booking.slots.model import Calendars, Candidate, Room, Slots
from meetdeck.booking.slots.occupancy import find_positions
from meetdeck.booking.slots.start_grid import Axis
from meetdeck.booking.slots.timestamps import Codes, Indexes


class Frame(NamedTuple):
    """All of a search that does not depend on the time at which a candidate is taken.

    Times of the resources in `common` change it. Candidate c follows the plan `plan_of[c]`, only in the meeting types
    `types_of[c]`; `offers` are those of the plans, shape (plans, starts).
    """

    candidates: Sequence[Candidate]
    common: frozenset[int]
    starts: Axis
    duration: int
    plan_of: Indexes
    types_of: Codes
    offers: Codes
    terms: Terms
    days: DailyLimits

    @property
    def size(self) -> int:
        """Return about how many bytes it takes."""
        return self.offers.nbytes + sum(each.nbytes for each in (self.plan_of, self.types_of, *self.terms))

    def offer(self, candidates: Indexes | slice, allowed: Codes) -> Codes:
        """Return the meeting types of some candidates whose calendars allow these; shape (candidates, starts)."""
        offered: Codes = self.offers[self.plan_of[candidates]] & self.types_of[candidates, np.newaxis] & allowed
        return offered


def find_common(rooms: Sequence[Room], calendars: Calendars) -> frozenset[int]:
    """Return the resources whose times change more than slots of their own: rooms, and those with extra hours."""
    extra: list[int] = calendars.extra_open.resource_keys.tolist()
    return frozenset(extra).union(room.resource_key for room in rooms)


def search_again(known: Slots, frame: Frame, changed: frozenset[int], calendars: Calendars) -> Slots | None:
    """Return what the search of a frame finds, given what it found before the calendars of some resources changed.

    None: slots of others may have changed, too, or those of most.
    """
    if not changed:
        return known
    keys = np.fromiter(changed, dtype=np.int64)
    columns = np.flatnonzero(find_positions(keys, frame.terms.resource_keys) >= 0)
    if 2 * len(columns) > len(frame.candidates) or changed & (frame.common | find_common((), calendars)):
        return None
    if not len(columns):
        return known
    found = np.empty((len(frame.starts), len(columns)), dtype=np.uint8)
    terms = frame.terms.take(columns)
    for each in check_by_days(terms, frame.days, calendars, frame.starts, frame.duration):
        found[:, each.batch] = frame.offer(columns[each.batch], each.find_types()).T
    unite_columns(found, [frame.candidates[column] for column in columns.tolist()], together=False)
    offers = known.offers.copy()
    offers[:, columns] = found
    return replace(known, offers=offers)
