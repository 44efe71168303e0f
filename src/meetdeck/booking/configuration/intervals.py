"""Reading PostgreSQL's intervals as the durations that go over the wire."""

from datetime import timedelta

from meetdeck.platform.durations import Duration


def read_interval(length: timedelta | None) -> Duration | None:
    """Return a column's value, which may be null, as a Duration."""
    return Duration(days=length.days, seconds=length.seconds) if length is not None else None
