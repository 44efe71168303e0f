"""The starts that candidates' own response times, calendars and daily limits leave them, with rooms left out."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import repeat
from typing import NamedTuple

import numpy as np

from meetdeck.booking.slots.calendar import ZoneClock
from meetdeck.booking.slots.lead_time import find_ready
from meetdeck.booking.slots.limits import NO_LIMIT, DailyLimits
from meetdeck.booking.slots.model import Calendars, Candidate, Organization, Query
from meetdeck.booking.slots.occupancy import batches, find_free, split_by_owner
from meetdeck.booking.slots.start_grid import Axis
from meetdeck.booking.slots.timestamps import Flags, Instants, to_instant, to_length, to_numbers


class AllowedStarts(NamedTuple):
    """The starts (columns) that each rule leaves to a batch of candidates (rows)."""

    batch: slice
    early: Flags  # before the candidate's response time or working-time buffer is over
    free: Flags  # the candidate is not busy, buffers included
    full: Flags  # a day would exceed its limit
    elsewhere: Flags | None  # the candidate meets nobody physically; None: no candidate of this search is elsewhere


def check_batches(
    query: Query, organization: Organization, candidates: Sequence[Candidate], calendars: Calendars, starts: Axis
) -> Iterator[AllowedStarts]:
    """Yield, batch by batch, the starts that each candidate's own response time, calendar and daily limit leave."""
    duration = to_length(query.duration)
    occupied = split_by_owner([each.resource_key for each in candidates], calendars.busy)
    limits = to_numbers(_to_limit, [each.daily_limit for each in candidates])
    before, after = list_buffers(query, candidates)
    ready = to_numbers(to_length, [each.response_time for each in candidates]) + to_instant(query.now)
    worked = find_ready(query, organization, candidates)
    if worked is not None:
        ready = np.maximum(ready, worked)
    days = list_days(organization, starts, duration)
    away = _find_elsewhere(candidates, calendars, starts, duration)
    for batch, rows, elsewhere in zip(batches(len(candidates)), occupied, away, strict=False):
        free = find_free(starts, duration, (before[batch], after[batch]), rows)
        early = starts.instants < ready[batch, np.newaxis]
        yield AllowedStarts(batch, early, free, days.find_full(limits[batch], rows), elsewhere)


def _find_elsewhere(
    candidates: Sequence[Candidate], calendars: Calendars, starts: Axis, duration: int
) -> Iterator[Flags | None]:
    """Yield, batch by batch, the starts of slots that touch a time when the candidate works from elsewhere."""
    if not len(calendars.elsewhere):
        yield from repeat(None)
    for batch, rows in zip(
        batches(len(candidates)),
        split_by_owner([each.resource_key for each in candidates], calendars.elsewhere),
        strict=True,
    ):
        no_buffers = np.zeros(batch.stop - batch.start, dtype=np.int64)
        yield ~find_free(starts, duration, (no_buffers, no_buffers), rows)


def list_days(organization: Organization, starts: Axis, duration: int) -> DailyLimits:
    """Return the organization's days around some starts."""
    clock = ZoneClock(organization.zone, int(starts.instants[0]), int(starts.instants[-1]) + duration)
    return DailyLimits(clock, starts, duration)


def list_buffers(query: Query, candidates: Sequence[Candidate]) -> tuple[Instants, Instants]:
    """Return how long before a slot, and how long after it, each candidate must be free."""
    least_before, least_after = map(to_length, query.buffers)
    before = to_numbers(to_length, [each.buffer_before for each in candidates])
    after = to_numbers(to_length, [each.buffer_after for each in candidates])
    return np.maximum(before, least_before), np.maximum(after, least_after)


def _to_limit(daily_limit: timedelta | None) -> int:
    return NO_LIMIT if daily_limit is None else to_length(daily_limit)
