"""What Meetdeck uses of dateutil.rrule, which declares no types."""

from collections.abc import Iterator
from datetime import datetime

class rrule:
    def __iter__(self) -> Iterator[datetime]: ...

def rrulestr(s: str, *, dtstart: datetime) -> rrule: ...
