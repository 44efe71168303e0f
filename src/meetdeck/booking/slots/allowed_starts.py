"""The starts at which candidates' response times, calendars and daily limits allow a meeting, ignoring rooms."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import repeat
from typing import NamedTuple

import numpy as np

from meetdeck.booking.slots.calendar import ZoneClock
from meetdeck.booking.slots.lead_time import find_ready
from meetdeck.booking.slots.limits import NO_LIMIT, DailyLimits
from meetdeck.booking.slots.model import MEETING_TYPES, Calendars, Candidate, MeetingType, Organization, Query, to_bits
from meetdeck.booking.slots.occupancy import batches, find_free, find_positions, split_by_owner
from meetdeck.booking.slots.start_grid import Axis
from meetdeck.booking.slots.timestamps import Codes, Flags, Indexes, Instants, to_instant, to_length, to_numbers


class Terms(NamedTuple):
    """The properties of candidates, a column each, that decide with the calendars which starts the rules allow.

    Candidates with the same in all columns have the same starts.
    """

    resource_keys: Instants
    limits: Instants
    before: Instants
    after: Instants
    ready: Instants

    def take(self, rows: Indexes) -> "Terms":
        """Return the terms of some candidates."""
        return Terms(*(column[rows] for column in self))

    def find_in(self, others: "Terms") -> Indexes:
        """Return for each candidate the last of the others for its resource, if the terms are the same; else -1."""
        rows = find_positions(others.resource_keys, self.resource_keys)
        same = np.logical_and.reduce([mine == theirs[rows] for mine, theirs in zip(self, others, strict=True)])
        return np.where(same, rows, -1)


class KnownTypes(NamedTuple):
    """The meeting types that the rules leave to candidates on their terms; shape of `codes` (candidates, starts)."""

    terms: Terms
    codes: Codes


class AllowedStarts(NamedTuple):
    """The starts (columns) that each rule leaves to a batch of candidates (rows)."""

    batch: slice
    early: Flags  # before the candidate's response time or working-time buffer is over
    free: Flags  # the candidate is not busy, buffers included
    full: Flags  # a day would exceed its limit
    elsewhere: Flags | None  # the candidate meets nobody physically; None: no candidate of this search is elsewhere

    def find_types(self) -> Codes:
        """Return the meeting types that all rules together leave."""
        codes: Codes = (self.free & ~(self.early | self.full)) * np.uint8(to_bits(MEETING_TYPES))
        if self.elsewhere is not None:
            codes &= ~(self.elsewhere * np.uint8(MeetingType.PHYSICAL.bit))
        return codes


def check_batches(
    query: Query, organization: Organization, candidates: Sequence[Candidate], calendars: Calendars, starts: Axis
) -> Iterator[AllowedStarts]:
    """Yield, batch by batch, the starts that each candidate's own response time, calendar and daily limit leave."""
    return check_terms(list_terms(query, organization, candidates), organization, calendars, starts, query.duration)


def check_terms(
    terms: Terms, organization: Organization, calendars: Calendars, starts: Axis, lasting: timedelta
) -> Iterator[AllowedStarts]:
    """Yield, batch by batch, the starts of meetings that calendars leave to candidates on some terms."""
    duration = to_length(lasting)
    return check_by_days(terms, list_days(organization, starts, duration), calendars, starts, duration)


def check_by_days(
    terms: Terms, days: DailyLimits, calendars: Calendars, starts: Axis, duration: int
) -> Iterator[AllowedStarts]:
    """Yield what `check_terms` yields, given the days around the starts."""
    count = len(terms.resource_keys)
    occupied = split_by_owner(terms.resource_keys, calendars.busy)
    away = _find_elsewhere(terms.resource_keys, calendars, starts, duration)
    for batch, rows, elsewhere in zip(batches(count), occupied, away, strict=False):
        free = find_free(starts, duration, (terms.before[batch], terms.after[batch]), rows)
        early = starts.instants < terms.ready[batch, np.newaxis]
        yield AllowedStarts(batch, early, free, days.find_full(terms.limits[batch], rows), elsewhere)


def list_terms(query: Query, organization: Organization, candidates: Sequence[Candidate]) -> Terms:
    """Return the terms of candidates in a search."""
    keys = np.array([each.resource_key for each in candidates], dtype=np.int64)
    limits = to_numbers(_to_limit, [each.daily_limit for each in candidates])
    ready = to_numbers(to_length, [each.response_time for each in candidates]) + to_instant(query.now)
    worked = find_ready(query, organization, candidates)
    if worked is not None:
        ready = np.maximum(ready, worked)
    return Terms(keys, limits, *list_buffers(query, candidates), ready)


def _find_elsewhere(
    resource_keys: Instants, calendars: Calendars, starts: Axis, duration: int
) -> Iterator[Flags | None]:
    """Yield, batch by batch, the starts of slots that touch a time when the candidate works from elsewhere."""
    if not len(calendars.elsewhere):
        yield from repeat(None)
    occupied = split_by_owner(resource_keys, calendars.elsewhere)
    for batch, rows in zip(batches(len(resource_keys)), occupied, strict=True):
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
