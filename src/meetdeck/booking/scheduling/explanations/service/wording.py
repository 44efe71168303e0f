"""Times, lengths, places and meeting types as people write them."""

from collections.abc import Collection, Iterable, Iterator
from datetime import date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

from meetdeck.booking.scheduling.explanations.service.exclusions import join_names
from meetdeck.booking.slots.hours import WorkedHours
from meetdeck.booking.slots.model import MEETING_TYPES, MeetingType, WorkInterval, to_place

_DAY = timedelta(days=1)


def list_dates(begin: datetime, end: datetime, zone: tzinfo) -> Iterator[date]:
    """Yield the dates that a clock shows from one moment to just before the other."""
    shown = [moment.astimezone(zone).date() for moment in (begin, end - timedelta(microseconds=1))]
    day, last = min(shown), max(shown)  # a clock may go back over midnight
    while day <= last:
        yield day
        day += _DAY


def join_weekday_hours(intervals: Iterable[WorkInterval]) -> list[tuple[time, time]]:
    """Return the hours of one weekday, joined where they touch, in any meeting type."""
    spans: list[tuple[time, time]] = []
    for begin, end in sorted((each.from_time, each.to_time) for each in intervals):
        if spans and (spans[-1][1] == time(0) or begin <= spans[-1][1]):
            first, reached = spans[-1]
            spans[-1] = first, time(0) if time(0) in {reached, end} else max(reached, end)
        else:
            spans.append((begin, end))
    return spans


def list_places(hours: Iterable[WorkedHours]) -> list[str]:
    """Return the places of hours, each once, as it is written first."""
    places = {to_place(each.location): each.location for each in reversed(list(hours))}
    return sorted(places.values())


def show_types(hours: Iterable[WorkedHours]) -> str:
    """Return the meeting types of hours: `Online and Telephone`, `no meetings` when there is none."""
    types = frozenset[MeetingType]().union(*(each.meeting_types for each in hours))
    return name_types(types) if types else "no meetings"


def name_types(meeting_types: Collection[MeetingType]) -> str:
    """Return meeting types as an enumeration, in the contract's order."""
    return join_names([each.value for each in MEETING_TYPES if each in meeting_types])


def show_hours(worked: WorkedHours, zone: ZoneInfo) -> str:
    """Return hours by a zone's clock: `09:00 to 11:00`."""
    return f"{worked.begin.astimezone(zone):%H:%M} to {worked.end.astimezone(zone):%H:%M}"


def show_length(length: timedelta) -> str:
    """Return a length as people write it: `1 day and 30 minutes`, `nothing` for none."""
    minutes, seconds = divmod(length.seconds, 60)
    parts = {"day": length.days, "hour": minutes // 60, "minute": minutes % 60, "second": seconds}
    said = [f"{count} {unit}{'s' if count > 1 else ''}" for unit, count in parts.items() if count]
    return join_names(said or ["nothing"])


def name_places(locations: Iterable[str]) -> str:
    """Return places as an enumeration: `at Aarhus and without a location`."""
    return join_names([f"at {each.strip()}" if each.strip() else "without a location" for each in locations])


def show_end(moment: time) -> str:
    """Return the end of hours, a day's end as `24:00`."""
    return f"{moment:%H:%M}" if moment != time(0) else "24:00"
