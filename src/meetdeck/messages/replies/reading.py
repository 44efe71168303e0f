"""Reading the reply to an invitation from a mail (METHOD:REPLY, RFC 5546, section 3.2.3). Pure; accepts any bytes."""

from collections.abc import Iterator
from datetime import UTC, datetime
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parseaddr
from typing import Any, Final, cast
from uuid import UUID

import msgspec
from icalendar import Calendar

from meetdeck.booking.scheduling.meetings.schemas.meetings import AttendeeStatus
from meetdeck.booking.scheduling.meetings.service.icalendar import PARTSTATS, find_meeting_id

LARGEST_BYTES: Final = 256 * 1024
"""The largest mail that is read: calendar programs send a few kilobytes."""

_LARGEST_CALENDAR: Final = 32 * 1024
_MOST_PARTS: Final = 30
_MOST_BOUNDARIES: Final = 20  # the parser takes quadratic time for nested parts
_STATUSES: Final = {partstat: status for status, partstat in PARTSTATS.items()}
_MAILTO: Final = "mailto:"


class Reply(msgspec.Struct, frozen=True):
    """An attendee's answer to an invitation."""

    meeting_id: UUID
    address: str
    """The attendee's address, from which the mail comes, in lower case."""
    status: AttendeeStatus
    sequence: int | None
    """The SEQUENCE of the invitation; None: it is missing."""
    original_start: datetime | None = None
    """The RECURRENCE-ID of the only meeting of a series that is answered; None: all of it, or there is no series."""


def read_reply(mail: bytes) -> Reply | None:
    """Return the reply in a mail, None if there is no trustworthy one."""
    if len(mail) > LARGEST_BYTES or mail.lower().count(b"boundary") > _MOST_BOUNDARIES:
        return None
    try:
        message: Any = BytesParser(policy=policy.default).parsebytes(mail)
        sender = parseaddr(str(message["From"]))[1].lower()
        calendar = next(_list_calendars(message), None)
        return _read_calendar(calendar, sender) if calendar is not None and sender else None
    except Exception:  # noqa: BLE001 - strangers write mails, and the parsers of the libraries raise what they like
        return None


def _list_calendars(message: EmailMessage) -> Iterator[bytes]:
    for number, part in enumerate(message.walk()):
        if number >= _MOST_PARTS:
            return
        if part.get_content_type() == "text/calendar":
            content: Any = part.get_payload(decode=True)
            if isinstance(content, bytes) and len(content) <= _LARGEST_CALENDAR:
                yield content


def _read_calendar(content: bytes, sender: str) -> Reply | None:
    calendar: Any = Calendar.from_ical(content)
    if str(calendar.get("METHOD", "")).upper() != "REPLY":
        return None
    (event,) = calendar.walk("VEVENT")
    meeting_id = find_meeting_id(str(event.get("UID", "")).strip())
    given: Any = event.get("ATTENDEE")
    (attendee,) = cast("list[Any]", given) if isinstance(given, list) else [given]
    address = str(attendee)
    address = address[len(_MAILTO) :].lower() if address.lower().startswith(_MAILTO) else ""
    status = _STATUSES.get(str(attendee.params.get("PARTSTAT", "")).upper())
    if meeting_id is None or address != sender or status is None:
        return None
    sequence, occurrence = event.get("SEQUENCE"), event.get("RECURRENCE-ID")
    original_start = occurrence.dt.astimezone(UTC) if occurrence is not None else None
    return Reply(meeting_id, address, status, int(sequence) if sequence is not None else None, original_start)
