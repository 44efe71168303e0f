"""A series as one calendar object: the rule where it gives all starts, a list of them where it does not."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from icalendar import Calendar

from meetdeck.booking.scheduling.meetings.schemas.icalendar import ICalMethod, Party
from meetdeck.booking.scheduling.meetings.schemas.meetings import BookedBy, Meeting
from meetdeck.booking.scheduling.meetings.service.icalendar import Invitation
from meetdeck.booking.scheduling.meetings.service.series_calendar import write_series
from meetdeck.booking.slots.model import MeetingType

COPENHAGEN, NEW_YORK = ZoneInfo("Europe/Copenhagen"), ZoneInfo("America/New_York")
NOW = datetime(2026, 3, 2, tzinfo=UTC)
ANNA = Party("Anna Holm", "anna@nordlys.example")
STARTS = [datetime(2026, month, day, hour, tzinfo=UTC) for month, day, hour in ((3, 3, 9), (3, 17, 9), (3, 31, 8))]


def invite(start: datetime, zone: ZoneInfo, rule: str, **members: Any) -> Invitation:
    meeting = Meeting(
        id=UUID(int=start.day),
        crm_id=None,
        booked_by=BookedBy.EMPLOYEE,
        customer_type_id=None,
        time_slot_id=UUID(int=start.day),
        date_created=NOW,
        date_modified=NOW,
        title="Review",
        description="",
        video_link="",
        additional_employees=[],
        room_id=None,
        start_date=start,
        end_date=start + timedelta(hours=1),
        type=MeetingType.ONLINE,
        topic_id=None,
        employee_id=UUID(int=1),
        customer_id="C-1",
        series_id=UUID(int=3),
        recurrence=rule,
        original_start_date=start,
    )
    return Invitation(meeting, members.get("title", "Review"), "", "", ANNA, [], zone)


def read(invitations: list[Invitation]) -> list[Any]:
    calendar: Any = Calendar.from_ical(write_series(invitations, 4, ICalMethod.REQUEST, NOW))
    return calendar.walk("VEVENT")


def test_starts_that_the_rule_gives_are_written_as_the_rule_with_exceptions() -> None:
    rule = "FREQ=WEEKLY;COUNT=5"
    (event,) = read([invite(start, COPENHAGEN, rule) for start in STARTS])
    assert event["RRULE"].to_ical() == b"FREQ=WEEKLY;UNTIL=20260331T080000Z"
    left_out = [one.dt.astimezone(UTC) for one in event["EXDATE"].dts]
    assert left_out == [datetime(2026, 3, 10, 9, tzinfo=UTC), datetime(2026, 3, 24, 9, tzinfo=UTC)]
    assert "RDATE" not in event


def test_after_a_change_of_the_firms_zone_starts_are_listed() -> None:
    """New York's clock changed on 8 March: the rule does not give these starts there."""
    (event,) = read([invite(start, NEW_YORK, "FREQ=WEEKLY;INTERVAL=2;COUNT=3") for start in STARTS])
    assert "RRULE" not in event
    assert [event["DTSTART"].dt, *(one.dt for one in event["RDATE"].dts)] == STARTS


def test_a_meeting_that_is_called_otherwise_has_a_component_of_its_own() -> None:
    invitations = [invite(start, COPENHAGEN, "FREQ=WEEKLY;INTERVAL=2;COUNT=3") for start in STARTS]
    invitations[1] = invite(STARTS[1], COPENHAGEN, "FREQ=WEEKLY;INTERVAL=2;COUNT=3", title="The long one")
    series, own = read(invitations)
    assert (str(own["SUMMARY"]), own["RECURRENCE-ID"].dt) == ("The long one", STARTS[1])
    assert {int(one["SEQUENCE"]) for one in (series, own)} == {4}
