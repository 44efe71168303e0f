"""Searches that find the same at each moment within a minute, so that an answer can be given again."""

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import NamedTuple, Self

from meetdeck.booking.slots.model import NO_TIME, Candidate, Query
from meetdeck.booking.slots.timestamps import to_instant, to_length

_MINUTE = timedelta(minutes=1)


class Minute(NamedTuple):
    """A whole minute, or, unless `is_whole`, all moments between it and the next one."""

    number: int
    is_whole: bool

    @classmethod
    def of(cls, moment: datetime) -> Self:
        """Return the minute of a moment."""
        number, rest = divmod(to_instant(moment), to_length(_MINUTE))
        return cls(number, not rest)


def is_same_within_minutes(query: Query, candidates: Sequence[Candidate]) -> bool:
    """Return whether the search finds the same slots at all moments of one `Minute`, in the same calendars.

    Slots begin on whole minutes, and are compared with moments that are some length from now. If these lengths are of
    whole minutes, as is usual, nothing changes between two whole minutes. Hours count for the working-time buffer only.
    """
    people = (*candidates, *query.people)
    lengths = {query.minimum_notice, query.max_ahead or NO_TIME, *(each.response_time for each in people)}
    if query.starts_at == query.now:
        lengths.add(query.ends_at - query.starts_at)
    if any(each % _MINUTE for each in lengths):
        return False
    if not query.customer_initiated or not query.working_time_buffer:
        return True
    weeks = {each.intervals for each in people}
    hours = {edge for week in weeks for each in week for edge in (each.from_time, each.to_time)}
    return not query.working_time_buffer % _MINUTE and not any(_has_seconds(each) for each in hours)


def _has_seconds(each: time) -> bool:
    return bool(each.second or each.microsecond)
