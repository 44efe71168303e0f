"""A small firm: one advisor in Copenhagen, at work from 9 to 12 on Monday, 2 March 2026."""

from datetime import date, datetime, time, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from meetdeck.booking.slots.model import (
    Calendars,
    Candidate,
    MeetingType,
    Organization,
    Query,
    Room,
    SpanRow,
    WorkInterval,
)
from meetdeck.booking.slots.search import search

COPENHAGEN = ZoneInfo("Europe/Copenhagen")
HOUR, MINUTE, DAY = timedelta(hours=1), timedelta(minutes=1), timedelta(days=1)
MONDAY = date(2026, 3, 2)
ONLINE, PHYSICAL, TELEPHONE = MeetingType.ONLINE, MeetingType.PHYSICAL, MeetingType.TELEPHONE
ALL_MORNING = "09:00 09:30 10:00 10:30 11:00"


def at(text: str, day: date = MONDAY, zone: ZoneInfo = COPENHAGEN) -> datetime:
    return datetime.combine(day, time.fromisoformat(text), zone)


def works(begin: str, end: str, *types: MeetingType, weekday: int = 0, location: str = "Aarhus") -> WorkInterval:
    return WorkInterval(
        weekday, time.fromisoformat(begin), time.fromisoformat(end), frozenset(types or (ONLINE,)), location
    )


def taken(begin: str, end: str, key: int = 1, day: date = MONDAY) -> tuple[int, datetime, datetime]:
    return key, at(begin, day), at(end, day)


ADVISOR = Candidate(UUID(int=1), 1, COPENHAGEN, (works("09:00", "12:00"),))
OFFICE = Organization(COPENHAGEN, time(8), time(17))
QUERY = Query(now=at("00:00"), starts_at=at("00:00"), ends_at=at("00:00") + DAY, duration=HOUR)


def starts(
    query: Query = QUERY,
    advisor: Candidate = ADVISOR,
    office: Organization = OFFICE,
    rooms: tuple[Room, ...] = (),
    busy: tuple[SpanRow, ...] = (),
    extra: tuple[SpanRow, ...] = (),
) -> str:
    """Return the offered local times, each once."""
    found = search(query, office, [advisor], rooms, Calendars.from_rows(busy, extra_open=extra))
    return " ".join(dict.fromkeys(f"{slot.starts_at.astimezone(advisor.zone):%H:%M}" for slot in found))


def with_hours(*intervals: WorkInterval) -> Candidate:
    return replace(ADVISOR, intervals=intervals)
