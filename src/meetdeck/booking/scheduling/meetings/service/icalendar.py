"""A meeting as an iCalendar object (RFC 5545, RFC 5546)."""

from datetime import datetime
from functools import lru_cache
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from icalendar import Calendar, Event, vCalAddress, vText

from meetdeck.booking.scheduling.meetings.schemas.icalendar import ICalMethod, Party
from meetdeck.booking.scheduling.meetings.schemas.meetings import AttendeeStatus, Meeting
from meetdeck.booking.scheduling.meetings.service.timezones import write_timezone

_UID_ENDING: Final = "@meetdeck"
PARTSTATS: Final = {
    AttendeeStatus.NEEDS_ACTION: "NEEDS-ACTION",
    AttendeeStatus.ACCEPTED: "ACCEPTED",
    AttendeeStatus.DECLINED: "DECLINED",
    AttendeeStatus.TENTATIVE: "TENTATIVE",
}
"""The replies of attendees in the form of RFC 5545, section 3.2.12."""

# Control characters are not allowed in a content line (RFC 5545, section 3.1); line ends become \n anyway.
_CONTROLS = dict.fromkeys([number for number in (*range(32), 127) if chr(number) not in "\t\n\r"])


class Invitation(msgspec.Struct, frozen=True):
    """The contents of a calendar object."""

    meeting: Meeting
    title: str
    description: str
    location: str
    organizer: Party
    attendees: list[Party]
    time_zone: ZoneInfo | None = None
    """The zone in which its times are written, with its VTIMEZONE; None: UTC."""
    is_partial: bool = False
    """Whether a CANCEL is only for its attendees, while the meeting takes place (RFC 5546, section 3.2.5)."""


def name_event(meeting_id: UUID) -> str:
    """Return the UID of a meeting, or of a series, whose id is that of its first meeting, in every calendar."""
    return f"{meeting_id}{_UID_ENDING}"


def find_meeting_id(uid: str) -> UUID | None:
    """Return the id of the meeting with a UID, None if it is not a meeting's."""
    try:
        return UUID(uid.removesuffix(_UID_ENDING)) if uid.endswith(_UID_ENDING) else None
    except ValueError:
        return None


def write_calendar(invitation: Invitation, sequence: int, method: ICalMethod, now: datetime) -> bytes:
    """Return a calendar with one VEVENT, of the meeting; `sequence` is the number of its changes."""
    calendar = make_calendar(invitation, method)
    calendar.add_component(make_event(invitation, sequence, method, now))
    return calendar.to_ical()


def make_calendar(invitation: Invitation, method: ICalMethod) -> Calendar:
    """Return a calendar without events, with the time zone of an invitation if its times are written in one."""
    calendar = _ZonedCalendar()
    calendar.add("prodid", "-//Meetdeck//Meetdeck//EN")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", method.value.upper())
    zone, begin = invitation.time_zone, invitation.meeting.original_start_date or invitation.meeting.start_date
    if zone is not None and _has_name(zone):
        calendar.zone_lines = write_timezone(zone, min(begin, invitation.meeting.start_date).year)
    return calendar


class _ZonedCalendar(Calendar):
    """A calendar whose VTIMEZONE is already written: it is longer than an event, and the same for all of a zone."""

    zone_lines = b""

    def to_ical(self) -> bytes:
        """Return the lines of the calendar."""
        return super().to_ical().replace(b"BEGIN:VEVENT", self.zone_lines + b"BEGIN:VEVENT", 1)


def make_event(invitation: Invitation, sequence: int, method: ICalMethod, now: datetime) -> Event:
    """Return the VEVENT of a meeting. Its UID is the meeting's id; in a series the series', with a RECURRENCE-ID."""
    meeting = invitation.meeting
    event = Event()
    event.add("uid", name_event(meeting.series_id or meeting.id))
    event.add("sequence", sequence)
    event.add("dtstamp", now)
    event.add("created", meeting.date_created)
    event.add("last-modified", meeting.date_modified)
    for name, moment in (("dtstart", meeting.start_date), ("dtend", meeting.end_date)):
        event.add(name, moment.astimezone(invitation.time_zone) if invitation.time_zone is not None else moment)
    if original := meeting.original_start_date:
        zone = invitation.time_zone
        event.add("recurrence-id", original.astimezone(zone) if zone is not None else original)
    event.add("summary", invitation.title.translate(_CONTROLS))
    if not invitation.is_partial:
        event.add("status", "CANCELLED" if method is ICalMethod.CANCEL else "CONFIRMED")
    for name, text in (("description", invitation.description), ("location", invitation.location)):
        if text:
            event.add(name, text.translate(_CONTROLS))
    if meeting.video_link.split() == [meeting.video_link]:  # a value with blanks is a text, not a URI
        event.add("url", meeting.video_link.translate(_CONTROLS))
    event.add("organizer", _address(invitation.organizer), encode=False)
    parameters = {"cutype": "INDIVIDUAL", "role": "REQ-PARTICIPANT"}
    if method is ICalMethod.REQUEST:
        parameters["rsvp"] = "TRUE"  # only a request needs a reply (RFC 5546, section 3.2.2)
    for attendee in invitation.attendees:
        answered = PARTSTATS[attendee.status]
        event.add("attendee", _address(attendee, **parameters, partstat=answered), encode=False)
    return event


@lru_cache(maxsize=256)
def _has_name(zone: ZoneInfo) -> bool:
    """Return whether icalendar writes a zone's name with its times; zones that are UTC have none."""
    event = Event()
    event.add("dtstart", datetime(2026, 1, 1, tzinfo=zone))
    begin: Any = event["DTSTART"]
    return "TZID" in begin.params


def _address(party: Party, **parameters: str) -> vCalAddress:
    address = vCalAddress(f"mailto:{party.email}" if party.email else "invalid:nomail")
    name_shown = party.name.translate(_CONTROLS).strip()
    if name_shown:  # an empty one would hide the address
        address.params["CN"] = vText(name_shown)
    for name, value in parameters.items():
        address.params[name.upper()] = vText(value)
    return address
