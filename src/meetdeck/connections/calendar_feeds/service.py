"""Creates and ends calendar feeds, and writes them as iCalendar (RFC 5545): only times, or all details."""

import secrets
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from icalendar import Calendar, Event, vText
from msgspec.structs import replace

from meetdeck.booking.directory.employees.service import EMPLOYEES
from meetdeck.booking.localization.languages import name_language
from meetdeck.booking.scheduling.meetings.service.icalendar import name_event
from meetdeck.connections.calendar_feeds import store
from meetdeck.connections.calendar_feeds.errors import CalendarFeedNotFound
from meetdeck.connections.calendar_feeds.schemas import KIND, CalendarFeed, NewCalendarFeed
from meetdeck.connections.calendar_feeds.store import FeedAbsence, FeedMeeting, FeedOwner
from meetdeck.platform.changes import AuditAction, Entry
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.identity import hash_secret, require_enabled

PATH: Final = "/calendars"
_ENDING: Final = ".ics"
_BYTES: Final = 32
_BEFORE: Final = timedelta(days=31)
_AFTER: Final = timedelta(days=366)
_MOST: Final = 5_000
_REFRESH: Final = "PT15M"
_BUSY: Final = {"da": "Optaget", "de": "Belegt"}
"""The title of a busy time, in languages other than English."""
_CONTROLS: Final = dict.fromkeys([number for number in (*range(32), 127) if chr(number) not in "\t\n\r"])


class FeedContent(NamedTuple):
    """The content of a feed: the employee's meetings and absences."""

    owner: FeedOwner
    meetings: list[FeedMeeting]
    absences: list[FeedAbsence]


async def get_feed(connection: Connection, employee_id: UUID) -> CalendarFeed:
    """Return an employee's feed. Raises CalendarFeedNotFound."""
    if (feed := await store.find_feed(connection, employee_id)) is None:
        raise CalendarFeedNotFound(employee_id)
    return feed


async def make_feed(connection: Connection, employee_id: UUID, base_url: str, now: datetime) -> NewCalendarFeed:
    """Create an employee's feed at a new address; a previous feed ends. Raises EmployeeNotFound."""
    await EMPLOYEES.get(connection, employee_id)
    secret = secrets.token_urlsafe(_BYTES)
    await store.put_feed(connection, employee_id, hash_secret(secret), now)
    address = f"{base_url}{PATH}/{secret}{_ENDING}"
    return NewCalendarFeed(employee_id=employee_id, created_at=now, address=address)


async def end_feed(connection: Connection, employee_id: UUID) -> CalendarFeed:
    """End an employee's feed, and return it. Raises CalendarFeedNotFound."""
    feed = await get_feed(connection, employee_id)
    await store.delete_feed(connection, employee_id)
    return feed


def describe(action: AuditAction, feed: CalendarFeed) -> Entry:
    """Return the audit log's entry for a feed that was made or ended, without its address."""
    return Entry(action, KIND, str(feed.employee_id), resource=feed)


async def read_feed(database: Database, file_name: str, now: datetime) -> FeedContent:
    """Return the content of the feed in a file's name, which contains the secret.

    Raises CalendarFeedNotFound, TenantDisabled.
    """
    secret = file_name.removesuffix(_ENDING)
    found = await database.identify(lambda connection: store.identify_feed(connection, hash_secret(secret)))
    if found is None or not file_name.endswith(_ENDING):
        raise CalendarFeedNotFound
    tenant_id, employee_id = found
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    begin, end = day - _BEFORE, day + _AFTER
    async with database.transaction(tenant_id, planned_anew=True) as connection:
        await require_enabled(connection)
        if (owner := await store.find_owner(connection, employee_id)) is None:
            raise CalendarFeedNotFound
        return FeedContent(
            owner,
            await store.list_meetings(connection, employee_id, begin, end, _MOST),
            await store.list_absences(connection, employee_id, begin, end, _MOST),
        )


def write_feed(content: FeedContent, *, details: bool) -> bytes:
    """Return a feed as iCalendar; the same content gives the same bytes."""
    calendar = Calendar()
    calendar.add("prodid", "-//Meetdeck//Meetdeck//EN")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", content.owner.name.translate(_CONTROLS))
    calendar["REFRESH-INTERVAL;VALUE=DURATION"] = vText(_REFRESH)
    calendar.add("x-published-ttl", _REFRESH)
    busy = _BUSY.get(name_language(content.owner.language), "Busy")
    for event in _write_events(content, busy, details=details):
        calendar.add_component(event)
    return calendar.to_ical()


def _write_events(content: FeedContent, busy: str, *, details: bool) -> Iterable[Event]:
    for meeting in _unite(content.meetings):
        event = _write_time(meeting, name_event(meeting.id))
        event.add("summary", (details and (meeting.title or meeting.topic).translate(_CONTROLS)) or busy)
        if details:
            _add_details(event, meeting)
        yield event
    for absence in content.absences:
        event = _write_time(absence, f"{absence.id}@meetdeck")
        event.add("summary", busy)
        yield event


def _unite(meetings: Iterable[FeedMeeting]) -> Iterable[FeedMeeting]:
    """Return the meetings, those that share a time as one: with the topic, how many come, and the guests of all."""
    by_time: dict[UUID, list[FeedMeeting]] = {}
    for meeting in meetings:
        by_time.setdefault(meeting.shared_slot_id or meeting.id, []).append(meeting)
    for owner_id, united in by_time.items():
        first = united[0]
        if first.shared_slot_id is None:
            yield first
            continue
        yield replace(
            first,
            id=owner_id,
            title=f"{first.topic} ({len(united)}/{max(first.seats, len(united))})".strip(),
            description="",
            changed_at=max(one.changed_at for one in united),
            attendees=sorted((guest for one in united for guest in one.attendees), key=lambda guest: guest.name),
        )


def _write_time(one: FeedMeeting | FeedAbsence, uid: str) -> Event:
    event = Event()
    event.add("uid", uid)
    event.add("dtstamp", one.changed_at.astimezone(UTC))
    event.add("dtstart", one.starts_at.astimezone(UTC))
    event.add("dtend", one.ends_at.astimezone(UTC))
    event.add("transp", "OPAQUE")
    return event


def _add_details(event: Event, meeting: FeedMeeting) -> None:
    guests = [f"{one.name} <{one.email}>" if one.email else one.name for one in meeting.attendees]
    texts = {
        "description": "\n".join(filter(None, [meeting.description, *guests])),
        "location": meeting.room or meeting.video_link,
    }
    for name, text in texts.items():
        if text:
            event.add(name, text.translate(_CONTROLS))
    if meeting.video_link.split() == [meeting.video_link]:  # a value with blanks is a text, not a URI
        event.add("url", meeting.video_link.translate(_CONTROLS))
