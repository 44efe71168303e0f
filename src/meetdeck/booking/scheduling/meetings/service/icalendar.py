"""A meeting as an iCalendar object (RFC 5545, RFC 5546)."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.booking.scheduling.meetings.schemas.icalendar import ICalMethod, Party
from meetdeck.booking.scheduling.meetings.schemas.meetings import AttendeeStatus, Meeting
from meetdeck.booking.scheduling.meetings.service.calendar_lines import Event, find_tzid, remove_controls
from meetdeck.booking.scheduling.meetings.service.timezones import write_timezone

_HEAD: Final = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Meetdeck//Meetdeck//EN\r\nCALSCALE:GREGORIAN\r\n"
_UID_ENDING: Final = "@meetdeck"
PARTSTATS: Final = {
    AttendeeStatus.NEEDS_ACTION: "NEEDS-ACTION",
    AttendeeStatus.ACCEPTED: "ACCEPTED",
    AttendeeStatus.DECLINED: "DECLINED",
    AttendeeStatus.TENTATIVE: "TENTATIVE",
}
"""The replies of attendees in the form of RFC 5545, section 3.2.12."""


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
    """True if a CANCEL is only for its attendees, while the meeting takes place (RFC 5546, section 3.2.5)."""


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
    return write_events(invitation, method, [make_event(invitation, sequence, method, now)])


def write_events(invitation: Invitation, method: ICalMethod, events: Iterable[Event]) -> bytes:
    """Return a calendar of events, with the time zone of an invitation if its times are written in one."""
    zone, begin = invitation.time_zone, invitation.meeting.original_start_date or invitation.meeting.start_date
    is_named = zone is not None and find_tzid(zone) is not None
    zone_lines = write_timezone(zone, min(begin, invitation.meeting.start_date).year) if zone and is_named else b""
    head = _HEAD + f"METHOD:{method.value.upper()}\r\n".encode()
    return b"".join([head, zone_lines, *(each.write() for each in events), b"END:VCALENDAR\r\n"])


def make_event(invitation: Invitation, sequence: int, method: ICalMethod, now: datetime) -> Event:
    """Return the VEVENT of a meeting. Its UID is the meeting's id; in a series the series', with a RECURRENCE-ID."""
    meeting, zone = invitation.meeting, invitation.time_zone
    event = Event()
    event.add("UID", name_event(meeting.series_id or meeting.id))
    event.add("SEQUENCE", str(sequence))
    for name, moment in (("DTSTAMP", now), ("CREATED", meeting.date_created), ("LAST-MODIFIED", meeting.date_modified)):
        event.add_times(name, [moment], None)
    event.add_times("DTSTART", [meeting.start_date], zone)
    event.add_times("DTEND", [meeting.end_date], zone)
    if meeting.original_start_date:
        event.add_times("RECURRENCE-ID", [meeting.original_start_date], zone)
    event.add_text("SUMMARY", invitation.title)
    if not invitation.is_partial:
        event.add("STATUS", "CANCELLED" if method is ICalMethod.CANCEL else "CONFIRMED")
    for name, text in (("DESCRIPTION", invitation.description), ("LOCATION", invitation.location)):
        if text:
            event.add_text(name, text)
    if meeting.video_link.split() == [meeting.video_link]:  # a value with blanks is a text, not a URI
        event.add("URL", remove_controls(meeting.video_link))
    _add_party(event, "ORGANIZER", invitation.organizer)
    # Only a request needs a reply (RFC 5546, section 3.2.2).
    reply = {"RSVP": "TRUE"} if method is ICalMethod.REQUEST else {}
    for attendee in invitation.attendees:
        answered = PARTSTATS[attendee.status]
        parameters = {"CUTYPE": "INDIVIDUAL", "PARTSTAT": answered, "ROLE": "REQ-PARTICIPANT", **reply}
        _add_party(event, "ATTENDEE", attendee, **parameters)
    return event


def _add_party(event: Event, name: str, party: Party, **parameters: str) -> None:
    address = f"mailto:{party.email}" if party.email else "invalid:nomail"
    name_shown = remove_controls(party.name).strip()
    # An empty name would hide the address.
    event.add(name, address, **({"CN": name_shown} if name_shown else {}), **parameters)
