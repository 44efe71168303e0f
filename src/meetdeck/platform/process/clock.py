"""The only place that reads the clock; everything else takes the time as an argument."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def now() -> datetime:
    """Return the current time, aware, in UTC."""
    return datetime.now(UTC)  # noqa: TID251 - this is the one place
