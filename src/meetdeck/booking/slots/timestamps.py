"""Time as whole numbers: microseconds since the UTC epoch, which is how PostgreSQL counts too.

A *length* is a number of microseconds; a *wall* instant is what a local clock shows, counted as if it were UTC.
"""

from collections.abc import Callable, Hashable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import numpy as np
import numpy.typing as npt

Value = TypeVar("Value", bound=Hashable)
Instants = npt.NDArray[np.int64]
Indexes = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.uint8]  # sets of meeting types, one bit each

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
HALF_HOUR = 1_800_000_000
DAY = 48 * HALF_HOUR
_FIRST = (datetime(1, 1, 1, tzinfo=UTC) - EPOCH) // MICROSECOND
_LAST = (datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC) - EPOCH) // MICROSECOND
FAR = 1 << 60  # beyond the calendar's ends, and still far from overflow when a few are added


def to_instant(moment: datetime) -> int:
    """Return an aware moment as microseconds since the UTC epoch."""
    return (moment - EPOCH) // MICROSECOND


def to_datetime(instant: int) -> datetime:
    """Return microseconds since the UTC epoch as an aware moment in UTC; beyond the calendar's ends, its end."""
    return EPOCH + timedelta(microseconds=min(max(instant, _FIRST), _LAST))


def to_length(duration: timedelta) -> int:
    """Return a duration in microseconds, at most the length of the calendar."""
    return min(duration // MICROSECOND, FAR)


def to_numbers(convert: Callable[[Value], int], values: Sequence[Value]) -> Instants:
    """Return each value as a number; equal ones are converted once: thousands of advisors have a few working times."""
    known = {value: convert(value) for value in set(values)}
    return np.array([known[value] for value in values], dtype=np.int64)
