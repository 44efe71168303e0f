"""The busy times of a person on a CalDAV server: all calendars that block the person's time, as one schedule."""

from functools import partial
from hashlib import sha256
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from meetdeck.connections.caldav.client import CalDavClient
from meetdeck.connections.caldav.documents import DavResource
from meetdeck.connections.failures import ServiceProblem
from meetdeck.connections.icalendar import BusyTime, CalendarRefused, Problem, Window, read_busy_times
from meetdeck.connections.schedules import Schedule
from meetdeck.platform.process.threads import run_in_thread

_MOST_CALENDARS: Final = 50
_CALENDAR: Final = "calendar"


class ScheduleRequest(NamedTuple):
    """The request for one schedule: the mailbox, the days, and the tags that the last reading returned."""

    homes: tuple[str, ...]
    """Paths of the person's calendar homes; none if they are unknown."""
    window: Window
    zone: ZoneInfo
    """The zone of dates and floating times."""
    known: str | None = None
    """The tag of the last reading."""
    tentative_blocks: bool = True


async def read_schedule(client: CalDavClient, wanted: ScheduleRequest) -> Schedule:
    """Return a schedule; `unchanged` if no calendar's tag changed. Raises ServiceFailed."""
    if not wanted.homes:
        return Schedule([], ServiceProblem.DENIED.value)
    seen = [one for home in wanted.homes for one in await client.list_inside(home) if _CALENDAR in one.kinds]
    if not seen:
        return Schedule([], Problem.NO_CALENDAR.value)
    if len(seen) > _MOST_CALENDARS:
        return Schedule([], Problem.TOO_MANY.value)
    calendars = {one.path: one for one in seen if one.takes_time}
    tag = _find_tag(calendars, wanted)
    if tag is not None and tag == wanted.known:
        return Schedule([], tag=tag, is_unchanged=True)
    times = list[BusyTime]()
    for path in calendars:
        file = await client.read_times(wanted.window, path)
        try:
            times += await run_in_thread(partial(_read, file, wanted))
        except CalendarRefused as refused:
            return Schedule([], refused.problem.value)
    return Schedule(times, tag=tag)


def _read(file: bytes, wanted: ScheduleRequest) -> list[BusyTime]:
    """Return the busy times of one calendar file inside the window. Raises CalendarRefused."""
    window = wanted.window
    reading = read_busy_times(file, window, wanted.zone, tentative_blocks=wanted.tentative_blocks)
    return [
        BusyTime(max(one.starts_at, window.begins_at), min(one.ends_at, window.ends_at), one.kind)
        for one in reading.times
    ]


def _find_tag(calendars: dict[str, DavResource], wanted: ScheduleRequest) -> str | None:
    """Return one tag for everything that the times depend on; None if a calendar has no tag."""
    tags = [(path, one.tag) for path, one in sorted(calendars.items())]
    if any(tag is None for _, tag in tags):
        return None
    parts = [*wanted.window, wanted.zone.key, wanted.tentative_blocks, *tags]
    return sha256("\n".join(map(str, parts)).encode()).hexdigest()[:32]
