"""Reading working hours: thousands of advisors have only a few different weeks, each of which is read once."""

from datetime import time
from functools import lru_cache

from meetdeck.booking.slots.model import MeetingType, WorkInterval


@lru_cache(maxsize=4096)
def read_week(workdays: tuple[str, ...], home: str) -> tuple[WorkInterval, ...]:
    """Return the hours of a week of workdays, written as `list_candidates` does.

    A workday without a location is at `home`. Equal weeks are mostly one object, which makes the search quicker.
    """
    return tuple(_read_workday(each, home) for each in workdays)


@lru_cache(maxsize=4096)
def _read_workday(text: str, home: str) -> WorkInterval:
    weekday, begin, end, meeting_types, location = text.split(" ", 4)
    names = meeting_types.strip("{}")
    return WorkInterval(
        weekday=int(weekday),
        from_time=time.fromisoformat(begin),
        to_time=time.fromisoformat(end),
        meeting_types=frozenset(MeetingType(one) for one in names.split(",") if one),
        location=location or home,
    )
