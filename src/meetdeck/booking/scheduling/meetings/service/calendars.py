"""Meetings as calendar objects (docs/api/meetings.md#calendars, #cancelled-calendars)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final
from uuid import UUID

from msgspec.structs import replace

from meetdeck.booking.localization.languages import name_language
from meetdeck.booking.localization.texts import speak
from meetdeck.booking.scheduling.errors import MeetingNotFound
from meetdeck.booking.scheduling.meetings.schemas.icalendar import CalendarTexts, ICalMethod, ICalTexts, Party
from meetdeck.booking.scheduling.meetings.schemas.meetings import AttendeeStatus, Meeting
from meetdeck.booking.scheduling.meetings.service.icalendar import Invitation, write_calendar
from meetdeck.booking.scheduling.meetings.store import meetings as store
from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.database import Connection

_UNTITLED: Final = {"da": "Møde", "de": "Termin"}
"""The title of a meeting if neither it nor the organization has one, in languages other than English."""


async def make_calendar(
    connection: Connection, meeting_id: UUID, texts: ICalTexts, method: ICalMethod, language: str | None, now: datetime
) -> bytes:
    """Return a meeting as an iCalendar object (RFC 5545); a cancelled one with the method CANCEL only.

    The organization's title and description are those of the `language`, a canonical tag; None: the meeting's. Raises
    MeetingNotFound.
    """
    version = await store.find_version(connection, meeting_id)
    if version is None or (version.meeting.is_cancelled and method is not ICalMethod.CANCEL):
        raise MeetingNotFound(meeting_id)
    usual = await store.get_calendar_texts(connection)
    spoken = language or version.meeting.language or None
    invitation = await describe_meeting(connection, version.meeting, texts, usual, spoken)
    if version.meeting.series_id:  # whose times are those of the organization's clock
        invitation = replace(invitation, time_zone=(await get_rules(connection)).zone)
    return write_calendar(invitation, version.sequence, method, now)


async def describe_meeting(
    connection: Connection,
    meeting: Meeting,
    texts: ICalTexts,
    usual_texts: CalendarTexts,
    language: str | None,
    parties: Mapping[UUID, Party] | None = None,
) -> Invitation:
    """Return the content of a meeting's calendar object: its advisor is the organizer, all others attend.

    `usual_texts` are the organization's, used if neither `texts` nor the meeting has one; `parties` are its people of
    the firm, None: they are read.
    """
    usual = speak(usual_texts, language)
    parties = parties if parties is not None else await store.list_parties(connection, meeting.people)
    outside = meeting.external_attendees or []
    guests = [Party(one.name, one.email, one.status or AttendeeStatus.NEEDS_ACTION) for one in outside]
    room = await store.find_room_place(connection, meeting.room_id, language) if meeting.room_id is not None else None
    places = [room, meeting.video_link]
    if meeting.type is MeetingType.ONLINE:  # only the advisor is in the room
        places.reverse()
    return Invitation(
        meeting=meeting,
        title=texts.title or meeting.title or usual.title or _UNTITLED.get(name_language(language or ""), "Meeting"),
        description=texts.description or meeting.description or usual.description,
        location=texts.location or next(filter(None, places), ""),
        organizer=parties[meeting.employee_id],
        attendees=[*(parties[one] for one in meeting.people[1:]), *guests],
    )
