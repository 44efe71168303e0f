"""The times at which advisors can be booked."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec

from meetdeck.pages.console.calendar.entries import Span
from meetdeck.pages.console.calendar.shown_calendar import Resource
from meetdeck.pages.console.kit import ApiRefusal, ConsolePage


class FreeTime(NamedTuple):
    """A period in which an advisor can be booked."""

    resource: Resource
    begin: datetime
    end: datetime


class _Slot(msgspec.Struct, frozen=True, rename="camel"):
    start_date: str
    end_date: str
    employee_id: str


async def list_free(page: ConsolePage, resources: Sequence[Resource], span: Span, topic: str) -> list[FreeTime]:
    """Return when advisors can be booked, from now on, as whole periods; nothing for rooms.

    These are the times where a meeting of the topic fits, for advisors who serve it; without a topic, half an hour.
    """
    people = {str(one.id): one for one in resources if one.kind == "employee"}
    begin = max(span.begin, page.now)
    if not people or begin >= span.end:
        return []
    seconds = round((span.end - begin).total_seconds())
    query = {
        "explicitEmployeeIds": list(people),
        "requireEmployeeParticipation": False,
        "startDate": begin.isoformat(),
        "lookForwardTime": f"{seconds // 86400}.{seconds // 3600 % 24:02}:{seconds // 60 % 60:02}:{seconds % 60:02}",
        **({"topic": topic} if topic else {"meetingDuration": "00:30:00"}),
    }
    try:
        slots = (await page.api.send("GET", "booking/time-slots/available", query=query)).read(list[_Slot])
    except ApiRefusal:
        return []
    return _join(people, slots)


def _join(people: Mapping[str, Resource], slots: Sequence[_Slot]) -> list[FreeTime]:
    """Return the slots of each advisor as stretches; there is a slot for each meeting type.

    There are thousands: their times are compared in the API's format, in UTC, and only stretches are parsed.
    """
    ends: dict[str, dict[str, str]] = {key: {} for key in people}
    for one in slots:
        ends[one.employee_id][one.start_date] = one.end_date
    joined: list[FreeTime] = []
    for key, resource in people.items():
        stretches: list[list[str]] = []
        for begin, end in sorted(ends[key].items()):
            if stretches and begin <= stretches[-1][1]:
                stretches[-1][1] = max(stretches[-1][1], end)
            else:
                stretches.append([begin, end])
        joined += [FreeTime(resource, *map(datetime.fromisoformat, stretch)) for stretch in stretches]
    return joined
