"""Times, lengths, places and meeting types as people write them."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from uuid import UUID
from zoneinfo import ZoneInfo

from meetdeck.booking.scheduling.explanations.service.exclusions import join_names
from meetdeck.booking.scheduling.explanations.store import CalendarTime
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.slots.hours import WorkedHours
from meetdeck.booking.slots.model import MEETING_TYPES, AlsoGroup, MeetingType, WorkInterval, to_place
from meetdeck.platform.phrases import Hours, NamedResource, join, mark, mean, phrase

ON_WEEKDAYS = (
    mark("on Mondays"),
    mark("on Tuesdays"),
    mark("on Wednesdays"),
    mark("on Thursdays"),
    mark("on Fridays"),
    mark("on Saturdays"),
    mark("on Sundays"),
)
ENTRIES = {
    SlotStatus.BUSY: mark("Busy"),
    SlotStatus.EXTRA_OPEN: mark("ExtraOpen"),
    SlotStatus.WORKING_FROM_ELSEWHERE: mark("WorkingFromElsewhere"),
}
_TYPES = {
    MeetingType.PHYSICAL: mark("Physical"),
    MeetingType.ONLINE: mark("Online"),
    MeetingType.TELEPHONE: mark("Telephone"),
    MeetingType.OFFSITE: mark("Offsite"),
}
_DAY = timedelta(days=1)


def list_dates(begin: datetime, end: datetime, zone: tzinfo) -> Iterator[date]:
    """Yield the dates that a clock shows from one moment to just before the other."""
    shown = [moment.astimezone(zone).date() for moment in (begin, end - timedelta(microseconds=1))]
    day, last = min(shown), max(shown)  # a clock may go back past midnight
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
    """Return the places of hours, each once, as first written."""
    places = {to_place(each.location): each.location for each in reversed(list(hours))}
    return sorted(places.values())


def show_types(hours: Iterable[WorkedHours]) -> str:
    """Return the meeting types of hours: `Online and Telephone`, `no meetings` when there is none."""
    types = frozenset[MeetingType]().union(*(each.meeting_types for each in hours))
    return name_types(types) if types else phrase("no meetings")


def name_type(meeting_type: MeetingType) -> str:
    """Return a meeting type: `Online`."""
    return phrase(_TYPES[meeting_type])


def name_types(meeting_types: Collection[MeetingType]) -> str:
    """Return meeting types as an enumeration, in the contract's order."""
    return join_names([name_type(each) for each in MEETING_TYPES if each in meeting_types])


def show_hours(worked: WorkedHours, zone: ZoneInfo) -> str:
    """Return hours by a zone's clock: `09:00 to 11:00`."""
    return name_hours(worked.begin.astimezone(zone).time(), worked.end.astimezone(zone).time(), is_exact=True)


def name_hours(begin: time, end: time, *, is_exact: bool = False) -> str:
    """Return hours of a day: `08:00 to 24:00`; a day's end is 00:00 when the hours are exact."""
    last = f"{end:%H:%M}" if is_exact else show_end(end)
    return mean(f"{begin:%H:%M} to {last}", Hours(begin, end))


def name_day(day: date) -> str:
    """Return a day with its weekday: `Saturday 2026-11-28`."""
    return mean(f"{day:%A} {day}", day)


def show_length(length: timedelta) -> str:
    """Return a length as people write it: `1 day and 30 minutes`, `nothing` for none."""
    minutes, seconds = divmod(length.seconds, 60)
    parts = {"day": length.days, "hour": minutes // 60, "minute": minutes % 60, "second": seconds}
    said = [f"{count} {unit}{'s' if count > 1 else ''}" for unit, count in parts.items() if count]
    return mean(join_names(said), length) if said else phrase("nothing")


def name_places(locations: Iterable[str]) -> str:
    """Return places as an enumeration: `at Aarhus and without a location`."""
    return join_names(
        [
            phrase("at {place}", place=each.strip()) if each.strip() else phrase("without a location")
            for each in locations
        ]
    )


def name_connection(connection_id: UUID | None, name: str) -> str:
    """Return a calendar connection, which has a page; empty without one."""
    return (
        mean(f"“{name}”", NamedResource("calendar connection", connection_id, name))
        if connection_id is not None
        else ""
    )


def name_appointment(times: str, connection: str) -> str:
    """Return a description of a time from a calendar, of which nothing else is known."""
    if not connection:
        return phrase("another appointment {times}", times=times)
    return phrase("another appointment {times} in {connection}", times=times, connection=connection)


def name_taken(taken: CalendarTime, times: str, show: Callable[[datetime], str]) -> str:
    """Return what takes a time, with its `times` in words; `show` writes a moment."""
    connection = name_connection(taken.connection_id, taken.connection_name or "")
    if taken.source == "unread":
        return name_unread(connection, show(taken.read_at) if taken.read_at else None)
    if taken.source == "calendar" and taken.entry is SlotStatus.BUSY:
        return name_appointment(times, connection)
    if taken.entry is not None:
        return join([phrase(ENTRIES[taken.entry]), times])
    if taken.meeting_id is not None:
        meeting = name_meeting(taken.meeting_id, taken.title)
        return phrase("the meeting {meeting} {times}", meeting=meeting, times=times)
    if taken.expires_at is None:
        return phrase("a reservation {times}", times=times)
    return phrase("a reservation {times} (held until {end})", times=times, end=show(taken.expires_at))


def name_meeting(meeting_id: UUID, title: str | None) -> str:
    """Return a meeting by its title, if it has one, and its id."""
    text = join([f"“{title}”" if title else "", f"({meeting_id})"])
    return mean(text, NamedResource("meeting", meeting_id, title or str(meeting_id)))


def name_unread(connection: str, last: str | None) -> str:
    """Return since when a connection has not read a calendar, of whose owner nothing is offered meanwhile."""
    if last is None:
        return phrase("the calendar was never read by {connection}", connection=connection)
    return phrase(
        "the calendar was last read {moment} by {connection}, too long ago", moment=last, connection=connection
    )


def show_end(moment: time) -> str:
    """Return the end of hours, a day's end as `24:00`."""
    return f"{moment:%H:%M}" if moment != time(0) else "24:00"


def describe_short(groups: Sequence[AlsoGroup]) -> str:
    """Return a sentence on the groups that have too few people free for a joint meeting."""
    if len(groups) != 1:
        names = join_names([each.name for each in groups])
        return phrase("Not enough different people of {groups} are free at that time.", groups=names)
    (group,) = groups
    if not group.people:
        return phrase("The service group {group} has no one who could join.", group=group.name)
    if group.count > 1:
        return phrase(
            "{count} people of {group} are needed, and fewer are free then.", count=group.count, group=group.name
        )
    return phrase("No one of {group} who could join is free at that time.", group=group.name)
