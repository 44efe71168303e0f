"""The days of the signed-in person: their own meetings today and on the next day with any, and their preparation."""

from datetime import date, datetime, time, timedelta
from typing import Final, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.pages.console.kit import WAY_ICONS, WAYS, ConsolePage, IdAndName, name_rooms, name_topics, read_zone

MOST_SHOWN: Final = 30
_DAYS: Final = 8
_DAY: Final = timedelta(days=1)


class _Guest(msgspec.Struct, frozen=True, rename="camel"):
    name: str = ""
    is_customer: bool = False


class _Meeting(msgspec.Struct, frozen=True, rename="camel"):
    id: UUID
    title: str
    start_date: datetime
    end_date: datetime
    type: str
    topic_id: UUID | None = None
    room_id: UUID | None = None
    external_attendees: list[_Guest] = []

    @property
    def customer(self) -> str:
        """Return the customer's name, or else the first guest's; empty if nobody is named."""
        guests = self.external_attendees
        return next((one.name for one in guests if one.is_customer), guests[0].name if guests else "")


class _Document(msgspec.Struct, frozen=True):
    kind: str


class OwnMeeting(NamedTuple):
    """A meeting of a day: `about` is the topic with its length, `place` the room."""

    id: UUID
    begin: str
    end: str
    customer: str
    about: str
    way: str
    icon: str
    place: str
    is_prepared: bool
    is_over: bool


class OwnDay(NamedTuple):
    """A day: its heading, its summary, and its meetings by their start."""

    heading: str
    summary: str
    meetings: list[OwnMeeting]
    is_today: bool

    @property
    def is_over(self) -> bool:
        """Return whether all of its meetings are over."""
        return bool(self.meetings) and all(one.is_over for one in self.meetings)


class _Names(NamedTuple):
    topics: dict[UUID, str]
    rooms: dict[UUID, str]


async def read_own_days(page: ConsolePage, own: IdAndName) -> list[OwnDay]:
    """Return today, and tomorrow or the next day with meetings within a week; today last once it is over."""
    zone = await read_zone(page.api)
    today = page.now.astimezone(zone).date()
    begin, end = (datetime.combine(one, time(), zone) for one in (today, today + _DAYS * _DAY))
    meetings = await page.api.get(
        "booking/meetings",
        list[_Meeting],
        startDate=begin.isoformat(),
        endDate=end.isoformat(),
        employeeId=str(own.id),
    )
    by_day: dict[date, list[_Meeting]] = {today: []}
    for one in sorted(meetings, key=lambda each: (each.start_date, each.id)):
        by_day.setdefault(max(today, one.start_date.astimezone(zone).date()), []).append(one)
    following = min((day for day in by_day if day > today), default=today + _DAY)
    days = [(day, by_day.get(day, [])[:MOST_SHOWN]) for day in (today, following)]
    shown = [one for _, part in days for one in part]
    names = _Names(
        dict(await name_topics(page.api)), await name_rooms(page.api, (one.room_id for one in shown)) if shown else {}
    )
    told = [
        OwnDay(
            _name_day(page, day, today),
            _sum_up(page, part),
            [await _show(page, one, names, zone) for one in part],
            is_today=day == today,
        )
        for day, part in days
    ]
    return told[::-1] if told[0].is_over else told


def _name_day(page: ConsolePage, day: date, today: date) -> str:
    near = {today: page.texts.translate("Today"), today + _DAY: page.texts.translate("Tomorrow")}
    return near.get(day) or page.texts.show_day(day, today)


def _sum_up(page: ConsolePage, meetings: list[_Meeting]) -> str:
    """Return the number of meetings, and their total length."""
    if not meetings:
        return ""
    number = page.texts.translate_plural("{number} meeting", "{number} meetings", len(meetings))
    length = sum((one.end_date - one.start_date for one in meetings), timedelta())
    return f"{number}, {page.texts.show_length_in_hours(length)}"


async def _show(page: ConsolePage, meeting: _Meeting, names: _Names, zone: ZoneInfo) -> OwnMeeting:
    topic = names.topics.get(meeting.topic_id, "") if meeting.topic_id is not None else ""
    title = topic or meeting.title
    length = page.texts.show_length_in_hours(meeting.end_date - meeting.start_date)
    documents = await page.api.get(f"booking/meetings/{meeting.id}/documents", list[_Document])
    return OwnMeeting(
        id=meeting.id,
        begin=page.texts.show_clock(meeting.start_date, zone),
        end=page.texts.show_clock(meeting.end_date, zone),
        customer=meeting.customer or meeting.title or title or page.texts.translate("Meeting"),
        about=", ".join(part for part in (title if meeting.customer else topic, length) if part),
        way=page.texts.translate(WAYS.get(meeting.type, meeting.type)),
        icon=WAY_ICONS.get(meeting.type, "map-pin"),
        place=names.rooms.get(meeting.room_id, "") if meeting.room_id is not None else "",
        is_prepared=bool(documents),
        is_over=meeting.end_date <= page.now,
    )
