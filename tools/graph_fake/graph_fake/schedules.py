"""Free and busy times, as getSchedule answers them; pure."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import msgspec

from graph_fake.directory import Person
from graph_fake.events import Event
from graph_fake.problems import GraphProblem
from graph_fake.times import DateTimeTimeZone, show, to_utc

_MOST_SCHEDULES: Final = 20
_LONGEST: Final = timedelta(days=62)
_SHORTEST_INTERVAL: Final = 5
_LONGEST_INTERVAL: Final = 1_440
_MOST_ITEMS: Final = 1_000
_DIGITS: Final = {"free": "0", "tentative": "1", "busy": "2", "oof": "3"}
"""Working elsewhere is missing: the view tells it as free, "for backward compatibility"."""


class ScheduleRequest(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    """The body of getSchedule."""

    schedules: list[str]
    start_time: DateTimeTimeZone
    end_time: DateTimeTimeZone
    availability_view_interval: int = 30

    def read_window(self) -> tuple[datetime, datetime]:
        """Return the requested window. Raises GraphProblem when it is over a limit."""
        begins, ends = to_utc(self.start_time), to_utc(self.end_time)
        if len(self.schedules) > _MOST_SCHEDULES:
            raise GraphProblem(400, "ErrorTooManySchedules", f"At most {_MOST_SCHEDULES} schedules in a request.")
        if ends <= begins:
            raise GraphProblem(400, "ErrorInvalidTimeInterval", "The end time must be after the start time.")
        if ends - begins >= _LONGEST:
            message = "The requested time duration specified for FreeBusyViewOptions.TimeWindow is too long."
            raise GraphProblem(400, "ErrorTimeIntervalTooBig", message)
        if not _SHORTEST_INTERVAL <= self.availability_view_interval <= _LONGEST_INTERVAL:
            raise GraphProblem(400, "ErrorInvalidMergedFreeBusyInterval", "The interval must be 5 to 1440 minutes.")
        return begins, ends


def write_schedule(  # noqa: PLR0913, PLR0917 - one row of an answer
    name: str, person: Person, events: Sequence[Event], begins: datetime, ends: datetime, minutes: int, zone: str
) -> dict[str, object]:
    """Return the schedule of one mailbox: its items without ids, or an error."""
    if person.mailbox != "Cloud":
        return write_error(name, "ErrorMailRecipientNotFound", "The mailbox is not in this service.")
    if person.schedule_problem:
        return write_error(name, person.schedule_problem, "Unable to resolve the free/busy times of this mailbox.")
    if len(events) > _MOST_ITEMS:
        return write_error(name, "ErrorFreeBusyDLLimitReached", "The free/busy times have more than 1000 entries.")
    return {
        "scheduleId": name,
        "availabilityView": _draw(events, begins, ends, minutes),
        "scheduleItems": [_show_item(each, zone, shows_subject=person.shows_subjects) for each in events],
    }


def write_error(name: str, code: str, message: str) -> dict[str, object]:
    """Return the row of a mailbox whose schedule is not available."""
    error = {"message": message, "responseCode": code}
    return {"scheduleId": name, "availabilityView": "", "scheduleItems": [], "error": error}


def _show_item(event: Event, zone: str, *, shows_subject: bool) -> dict[str, object]:
    item: dict[str, object] = {
        "isPrivate": event.sensitivity == "private",
        "status": event.show_as,
        "start": show(event.start, zone),
        "end": show(event.end, zone),
    }
    if shows_subject and event.sensitivity == "normal":
        item |= {"subject": event.subject, "location": event.location.display_name}
    return item


def _draw(events: Sequence[Event], begins: datetime, ends: datetime, minutes: int) -> str:
    """Return a digit for each interval: the most occupied state in it."""
    step = timedelta(minutes=minutes)
    digits: list[str] = []
    while begins < ends:
        inside = (each for each in events if each.start < begins + step and each.end > begins)
        digits.append(max((_DIGITS.get(each.show_as, "0") for each in inside), default="0"))
        begins += step
    return "".join(digits)
