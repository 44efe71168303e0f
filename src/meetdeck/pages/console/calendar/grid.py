"""The calendar as a grid: what its script is told, and what it sends when a meeting is dragged."""

import asyncio
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.pages.console.calendar.shown_calendar import Resource, ShownCalendar
from meetdeck.pages.console.calendar.week import Entry, list_entries
from meetdeck.pages.console.kit import ApiRefusal, ConsolePage, SentForm

_AT_ONCE: Final = 4
_LONGEST: Final = timedelta(days=32)


class _Free(msgspec.Struct, frozen=True, rename="camel"):
    start_date: datetime
    end_date: datetime
    employee_id: str


class Span(NamedTuple):
    """The time that a grid shows, in the organization's zone."""

    begin: datetime
    end: datetime
    zone: ZoneInfo


def read_span(page: ConsolePage, zone: ZoneInfo) -> Span | None:
    """Return the span that is asked for by local times, None for none, or one that is too long."""
    query = page.request.query_params
    try:
        begin, end = (datetime.fromisoformat(query.get(name, "")).replace(tzinfo=zone) for name in ("start", "end"))
    except ValueError:
        return None
    return Span(begin, end, zone) if timedelta() < end - begin <= _LONGEST else None


async def list_events(page: ConsolePage, shown: ShownCalendar, span: Span, topic: str = "") -> list[dict[str, Any]]:
    """Return what stands in a grid, as its library reads events: with local times, and what is free behind them.

    Free is where a meeting of the topic can be, with advisors who serve it; of no topic, half an hour.
    """
    limit = asyncio.Semaphore(_AT_ONCE)

    async def load(one: Resource) -> list[dict[str, Any]]:
        async with limit:
            entries = await list_entries(page, one, (span.begin, span.end), span.zone)
        return [_make_event(page, one, entry, span.zone) for entry in entries]

    listed = await asyncio.gather(*(load(one) for one in shown.resources))
    return [*(event for events in listed for event in events), *await _list_free(page, shown, span, topic)]


def _make_event(page: ConsolePage, resource: Resource, entry: Entry, zone: ZoneInfo) -> dict[str, Any]:
    say = page.texts.say
    kinds = {
        "Reserved": say("Held"),
        "Busy": say("Busy"),
        "ExtraOpen": say("Extra hours"),
        "WorkingFromElsewhere": say("Works from elsewhere"),
    }
    is_meeting = entry.meeting_id is not None
    own = {"kind": entry.kind, "people": entry.people, "seconds": entry.seconds, "meeting": str(entry.meeting_id or "")}
    return {
        "id": f"{entry.meeting_id or entry.begin.isoformat()}.{resource.id}",
        "resourceIds": [resource.key],
        "start": _write(entry.begin, zone),
        "end": _write(entry.end, zone),
        "title": entry.title or (say("Meeting") if is_meeting else kinds.get(entry.kind, entry.kind)),
        "editable": is_meeting and entry.begin > page.now,
        "classNames": [f"grid-{entry.kind.lower()}"],
        "extendedProps": own,
    }


async def _list_free(page: ConsolePage, shown: ShownCalendar, span: Span, topic: str) -> list[dict[str, Any]]:
    """Return the times in which a meeting can be booked with the advisors, behind everything else."""
    people = {str(one.id): one for one in shown.resources if one.kind == "employee"}
    begin = max(span.begin, page.now)
    if not people or begin >= span.end:
        return []
    seconds = round((span.end - begin).total_seconds())
    query = {
        "explicitEmployeeIds": list(people),
        "requireEmployeeParticipation": False,
        "startDate": begin.isoformat(),
        "lookForwardTime": f"{seconds // 86400}.{seconds // 3600 % 24:02}:{seconds // 60 % 60:02}:{seconds % 60:02}",
        **({"topic": topic} if topic else {"duration": "00:30:00"}),
    }
    try:
        free = (await page.api.send("GET", "booking/time-slots/available", query=query)).read(list[_Free])
    except ApiRefusal:
        return []
    return [
        {
            "display": "background",
            "resourceIds": [people[employee_id].key],
            "start": _write(start, span.zone),
            "end": _write(end, span.zone),
            "classNames": ["grid-free"],
        }
        for employee_id, start, end in _join(free)
        if employee_id in people
    ]


def _join(free: list[_Free]) -> list[tuple[str, datetime, datetime]]:
    """Return free times of each advisor as stretches."""
    joined: list[tuple[str, datetime, datetime]] = []
    for one in sorted(free, key=lambda each: (each.employee_id, each.start_date)):
        if joined and joined[-1][0] == one.employee_id and one.start_date <= joined[-1][2]:
            joined[-1] = (one.employee_id, joined[-1][1], max(joined[-1][2], one.end_date))
        else:
            joined.append((one.employee_id, one.start_date, one.end_date))
    return joined


def _write(moment: datetime, zone: ZoneInfo) -> str:
    """Return a local time as the grid has it, which knows no zones."""
    return f"{moment.astimezone(zone):%Y-%m-%dT%H:%M:%S}"


def read_drag(form: SentForm, zone: ZoneInfo) -> dict[str, Any]:
    """Return the members of a meeting that a drag has changed. Raises ValueError."""
    begin, end = (datetime.fromisoformat(form.get(name)).replace(tzinfo=zone) for name in ("start", "end"))
    changes: dict[str, Any] = {"startDate": begin.isoformat(), "endDate": end.isoformat()}
    kind, _, key = form.get("to").partition(".")
    if form.get("from") != form.get("to") and kind in {"employee", "room"}:
        changes[f"{kind}Id"] = key
    return changes
