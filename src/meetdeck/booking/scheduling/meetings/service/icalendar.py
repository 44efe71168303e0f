"""A meeting as an iCalendar object (RFC 5545, RFC 5546)."""

from datetime import datetime

import msgspec
from icalendar import Calendar, Event, vCalAddress, vText

from meetdeck.booking.scheduling.meetings.schemas import ICalMethod, Meeting, Party

# Control characters have no place in a content line (RFC 5545, section 3.1); line ends become \n by themselves.
_CONTROLS = dict.fromkeys([number for number in (*range(32), 127) if chr(number) not in "\t\n\r"])


class Invitation(msgspec.Struct, frozen=True):
    """The contents of a calendar object."""

    meeting: Meeting
    sequence: int
    title: str
    description: str
    location: str
    organizer: Party
    attendees: list[Party]


def write_calendar(invitation: Invitation, method: ICalMethod, now: datetime) -> bytes:
    """Return a calendar with one VEVENT; its UID is the meeting's id."""
    meeting = invitation.meeting
    event = Event()
    event.add("uid", f"{meeting.id}@meetdeck")
    event.add("sequence", invitation.sequence)
    event.add("dtstamp", now)
    event.add("created", meeting.date_created)
    event.add("last-modified", meeting.date_modified)
    event.add("dtstart", meeting.start_date)
    event.add("dtend", meeting.end_date)
    event.add("summary", invitation.title.translate(_CONTROLS))
    event.add("status", "CANCELLED" if method is ICalMethod.CANCEL else "CONFIRMED")
    for name, text in (("description", invitation.description), ("location", invitation.location)):
        if text:
            event.add(name, text.translate(_CONTROLS))
    if meeting.video_link.split() == [meeting.video_link]:  # what has blanks in it is a text, and no URI
        event.add("url", meeting.video_link.translate(_CONTROLS))
    event.add("organizer", _address(invitation.organizer), encode=False)
    parameters = {"cutype": "INDIVIDUAL", "role": "REQ-PARTICIPANT", "partstat": "NEEDS-ACTION"}
    if method is ICalMethod.REQUEST:
        parameters["rsvp"] = "TRUE"  # only a request is answered (RFC 5546, section 3.2.2)
    for attendee in invitation.attendees:
        event.add("attendee", _address(attendee, **parameters), encode=False)
    calendar = Calendar()
    calendar.add("prodid", "-//Meetdeck//Meetdeck//EN")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", method.value.upper())
    calendar.add_component(event)
    return calendar.to_ical()


def _address(party: Party, **parameters: str) -> vCalAddress:
    address = vCalAddress(f"mailto:{party.email}" if party.email else "invalid:nomail")
    name_shown = party.name.translate(_CONTROLS).strip()
    if name_shown:  # an empty one would hide the address
        address.params["CN"] = vText(name_shown)
    for name, value in parameters.items():
        address.params[name.upper()] = vText(value)
    return address
