"""Content lines of calendars: the `icalendar` library writes the same ones."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import icalendar
import pytest

from meetdeck.booking.scheduling.meetings.service.calendar_lines import Event

TEXTS = [
    "Møde med Åse",
    "a" * 69,
    "ø" * 200,
    "日本" * 60,
    "\\" * 300,
    "; , : ' \" ^ \\ \t",
    "first\nsecond\rthird\r\nfourth\\n",
    "a" * 60 + ",;" * 30,
]
START = datetime(2026, 3, 30, 23, 30, tzinfo=UTC)


@pytest.mark.parametrize("text", TEXTS)
def test_texts_and_parameters_are_escaped_and_folded_as_the_library_does(text: str) -> None:
    own, other, name = Event(), icalendar.Event(), " ".join(text.split())
    own.add_text("SUMMARY", text)
    own.add("ATTENDEE", "mailto:anna@nordlys.example", CN=name, ROLE="REQ-PARTICIPANT")
    other.add("summary", text)
    attendee = icalendar.vCalAddress("mailto:anna@nordlys.example")
    attendee.params["CN"] = icalendar.vText(name)
    attendee.params["ROLE"] = icalendar.vText("REQ-PARTICIPANT")
    other.add("attendee", attendee, encode=False)
    assert own.write() == other.to_ical()


@pytest.mark.parametrize("zone", ["Europe/Copenhagen", "America/New_York", "UTC", "Etc/GMT", "Africa/Abidjan"])
def test_times_are_written_in_their_zone_or_in_utc_as_the_library_does(zone: str) -> None:
    own, other, moments = Event(), icalendar.Event(), [START, START.replace(month=11)]
    own.add_times("DTSTART", [START], ZoneInfo(zone))
    own.add_times("EXDATE", moments, ZoneInfo(zone))
    own.add_times("CREATED", [START], None)
    other.add("dtstart", START.astimezone(ZoneInfo(zone)))
    other.add("exdate", [one.astimezone(ZoneInfo(zone)) for one in moments])
    other.add("created", START)
    assert own.write() == other.to_ical()


def test_no_value_begins_another_line() -> None:
    event = Event()
    event.add("URL", "https://a.example\r\nATTENDEE:mailto:eve@evil.example")
    assert event.write().count(b"\r\nATTENDEE") == 0
