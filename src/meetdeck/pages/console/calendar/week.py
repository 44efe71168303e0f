"""A week of an advisor or a room: its days, with what is booked, held, busy or extra on them."""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Final, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.pages.console.calendar.shown_calendar import Resource
from meetdeck.pages.console.kit import Api, ConsolePage, name_topics

_DAYS: Final = 7
_ENDED: Final = {"Expired", "Released", "Booked"}
"""Slots that are not shown; a booked one is shown as its meeting."""


class Entry(NamedTuple):
    """An entry of a day: `kind` is Meeting or a time slot's status, and `begin` and `end` are cut to the day."""

    kind: str
    begin: datetime
    end: datetime
    when: str
    title: str = ""
    people: str = ""
    meeting_id: UUID | None = None
    seconds: int = 0


class Day(NamedTuple):
    """A day with its entries in the order of time."""

    date: date
    title: str
    is_today: bool
    entries: list[Entry]


class _Attendee(msgspec.Struct, frozen=True):
    name: str = ""


class _Meeting(msgspec.Struct, frozen=True, rename="camel"):
    id: UUID
    title: str
    start_date: datetime
    end_date: datetime
    employee_id: UUID
    room_id: UUID | None = None
    topic_id: UUID | None = None
    external_attendees: list[_Attendee] = []


class _Slot(msgspec.Struct, frozen=True, rename="camel"):
    start_time: datetime
    end_time: datetime
    status: str
    expires_at: datetime | None = None


async def read_week(page: ConsolePage, whose: Resource, monday: date, zone: ZoneInfo) -> list[Day]:
    """Return the seven days from Monday on."""
    begin, end = (datetime.combine(day, time(), zone) for day in (monday, monday + timedelta(days=_DAYS)))
    entries = await list_entries(page, whose, (begin, end), zone)
    today = page.now.astimezone(zone).date()
    days: list[Day] = []
    for number in range(_DAYS):
        day = monday + timedelta(days=number)
        first, last = (datetime.combine(one, time(), zone) for one in (day, day + timedelta(days=1)))
        on_it = sorted(
            (one for one in entries if one.begin < last and one.end > first), key=lambda one: (one.begin, one.end)
        )
        days.append(Day(day, page.texts.show_day(day, today), day == today, on_it))
    return days


async def list_entries(
    page: ConsolePage, whose: Resource, span: tuple[datetime, datetime], zone: ZoneInfo
) -> list[Entry]:
    """Return what an advisor or a room has between two moments: meetings, then slots that are none."""
    between = {"startDate": span[0].isoformat(), "endDate": span[1].isoformat()}
    return await _list_meetings(page, whose, between, zone) + await _list_slots(page, whose, between, zone)


async def _list_meetings(page: ConsolePage, whose: Resource, span: Mapping[str, str], zone: ZoneInfo) -> list[Entry]:
    """Return the meetings of a span, an advisor's also where they are an additional employee."""
    meetings = await page.api.get("booking/meetings", list[_Meeting], **span, **whose.query)
    topics = await name_topics(page.api)
    return [
        Entry(
            kind="Meeting",
            begin=one.start_date,
            end=one.end_date,
            when=page.texts.show_span(one.start_date, one.end_date, zone),
            title=one.title or (topics.get(one.topic_id, "") if one.topic_id else ""),
            people=", ".join(attendee.name for attendee in one.external_attendees if attendee.name),
            meeting_id=one.id,
        )
        for one in meetings
    ]


async def _list_slots(page: ConsolePage, whose: Resource, span: Mapping[str, str], zone: ZoneInfo) -> list[Entry]:
    """Return the time slots that are no meetings; a hold with its seconds."""
    slots = await _get_slots(page.api, {**span, **whose.query})
    return [
        Entry(
            kind=one.status,
            begin=one.start_time,
            end=one.end_time,
            when=page.texts.show_span(one.start_time, one.end_time, zone),
            seconds=round((one.expires_at - page.now).total_seconds()) if one.expires_at is not None else 0,
        )
        for one in slots
        if one.status not in _ENDED and (one.expires_at is None or one.expires_at > page.now)
    ]


async def _get_slots(api: Api, query: Mapping[str, str]) -> list[_Slot]:
    statuses = ["Reserved", "Busy", "ExtraOpen", "WorkingFromElsewhere"]
    return (await api.send("GET", "booking/time-slots", query={**query, "status": statuses})).read(list[_Slot])
