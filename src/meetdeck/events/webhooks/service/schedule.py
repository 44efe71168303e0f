"""The times of a delivery's retries (docs/decisions/0113). Pure."""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

_SECOND: Final = timedelta(seconds=1)
_HOUR: Final = timedelta(hours=1)

# The specification's example: ten attempts in 75 hours, 35 minutes and 5 seconds.
PAUSES: Final = (
    5 * _SECOND,
    _HOUR / 12,
    _HOUR / 2,
    2 * _HOUR,
    5 * _HOUR,
    10 * _HOUR,
    14 * _HOUR,
    20 * _HOUR,
    24 * _HOUR,
)
LONGEST_RETRY_AFTER: Final = 24 * _HOUR
_JITTER: Final = 0.1  # of a pause, which is only lengthened


def plan_next(attempt: int, at: datetime, jitter: float, retry_after: timedelta | None = None) -> datetime | None:
    """Return when to try again after a failed attempt; None: it was the last.

    `jitter` is random, from 0 to 1. `retry_after` extends the pause, up to a day.
    """
    if attempt > len(PAUSES):
        return None
    pause = PAUSES[attempt - 1] * (1 + _JITTER * jitter)
    return at + max(pause, min(retry_after or pause, LONGEST_RETRY_AFTER))


def read_retry_after(text: str | None, now: datetime) -> timedelta | None:
    """Return the pause that a receiver asks for (RFC 9110, section 10.2.3); None for none or an invalid one."""
    if text is None:
        return None
    try:
        if text.strip().isascii() and text.strip().isdigit():
            return min(int(text), LONGEST_RETRY_AFTER // _SECOND) * _SECOND
        moment = parsedate_to_datetime(text)
        return max((moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)) - now, timedelta())
    except (ValueError, OverflowError):
        return None
