"""The calendar as a grid: the data for its script, and what the script sends when a meeting is dragged."""

from datetime import date, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from meetdeck.pages.console.calendar.entries import Entry, Span, list_entries
from meetdeck.pages.console.calendar.free_times import FreeTime, list_free
from meetdeck.pages.console.calendar.meeting import MeetingInZone
from meetdeck.pages.console.calendar.shown_calendar import ShownCalendar, read_topic
from meetdeck.pages.console.kit import ConsolePage, SentForm, name_topics

_LONGEST: Final = timedelta(days=32)
_SEVERAL: Final = 2
"""So many customers of a shared time cannot be dragged: each has a meeting of their own."""


def read_span(page: ConsolePage, zone: ZoneInfo) -> Span | None:
    """Return the period between two local times, None for an invalid one, or one that is too long."""
    query = page.request.query_params
    try:
        begin, end = (datetime.fromisoformat(query.get(name, "")).replace(tzinfo=zone) for name in ("start", "end"))
    except ValueError:
        return None
    return Span(begin, end, zone) if timedelta() < end - begin <= _LONGEST else None


async def list_events(page: ConsolePage, shown: ShownCalendar, span: Span, topic: str = "") -> list[dict[str, Any]]:
    """Return the entries of a grid as its library reads events: with local times, and free time behind them."""
    topics = await name_topics(page.api)
    entries = await list_entries(page, shown.resources, span, topics)
    free = await list_free(page, shown.resources, span, read_topic(topic, topics))
    return [*(_make_event(page, entry, span.zone) for entry in entries), *(_make_free(one, span.zone) for one in free)]


def _make_event(page: ConsolePage, entry: Entry, zone: ZoneInfo) -> dict[str, Any]:
    return {
        "id": f"{entry.meeting_id or entry.begin.isoformat()}.{entry.resource.id}",
        "resourceIds": [entry.resource.key],
        "start": _write(entry.begin, zone),
        "end": _write(entry.end, zone),
        "title": entry.name,
        "editable": entry.meeting_id is not None and entry.begin > page.now and entry.customers < _SEVERAL,
        "classNames": [f"grid-{entry.kind.lower()}", *([f"way-{entry.way.lower()}"] if entry.way else [])],
        "extendedProps": {
            "about": entry.about,
            "whole": entry.whole,
            "way": entry.way,
            "meeting": str(entry.meeting_id or ""),
        },
    }


def _make_free(free: FreeTime, zone: ZoneInfo) -> dict[str, Any]:
    return {
        "display": "background",
        "resourceIds": [free.resource.key],
        "start": _write(free.begin, zone),
        "end": _write(free.end, zone),
        "classNames": ["grid-free"],
    }


def _write(moment: datetime, zone: ZoneInfo) -> str:
    """Return a local time in the grid's format, which has no zones."""
    return f"{moment.astimezone(zone):%Y-%m-%dT%H:%M:%S}"


def read_drag(form: SentForm, opened: MeetingInZone) -> dict[str, Any]:
    """Return the members of a meeting that a drag has changed. Raises ValueError.

    The form has the new local times, or only the new `day`: then the meeting keeps its time of day.
    """
    meeting, zone = opened.meeting, opened.zone
    if form.get("day"):
        begin = datetime.combine(date.fromisoformat(form.get("day")), meeting.start_date.astimezone(zone).time(), zone)
        end = begin + (meeting.end_date - meeting.start_date)
    else:
        begin, end = (datetime.fromisoformat(form.get(name)).replace(tzinfo=zone) for name in ("start", "end"))
    changes: dict[str, Any] = {"startDate": begin.isoformat(), "endDate": end.isoformat()}
    kind, _, key = form.get("to").partition(".")
    if form.get("from") != form.get("to") and kind in {"employee", "room"}:
        changes[f"{kind}Id"] = key
    return changes
