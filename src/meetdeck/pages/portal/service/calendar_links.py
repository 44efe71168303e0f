"""Links that add a meeting to a web calendar, for people without a program that reads calendar files."""

from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlencode

from meetdeck.pages.portal.service.managing import ManagedMeeting

_GOOGLE: Final = "https://calendar.google.com/calendar/render"
_OUTLOOK: Final = "https://outlook.office.com/calendar/deeplink/compose"


def list_calendars(managed: ManagedMeeting) -> list[tuple[str, str]]:
    """Return the names of web calendars, each with the address of its filled-in form for a new event."""
    meeting = managed.meeting
    title = meeting.title or managed.topic
    place = managed.place or meeting.video_link or ""
    google = {
        "action": "TEMPLATE",
        "text": title,
        "dates": f"{_write_basic(meeting.start_date)}/{_write_basic(meeting.end_date)}",
        "location": place,
    }
    outlook = {
        "rru": "addevent",
        "subject": title,
        "startdt": _write_extended(meeting.start_date),
        "enddt": _write_extended(meeting.end_date),
        "location": place,
    }
    return [("Google Calendar", f"{_GOOGLE}?{urlencode(google)}"), ("Outlook", f"{_OUTLOOK}?{urlencode(outlook)}")]


def _write_basic(moment: datetime) -> str:
    """Return a moment in the basic format of ISO 8601: 20261124T093000Z."""
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _write_extended(moment: datetime) -> str:
    """Return a moment in the extended format of ISO 8601: 2026-11-24T09:30:00Z."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
