"""Weeks as the database writes them."""

from datetime import time

from meetdeck.booking.scheduling.working_hours import read_week
from meetdeck.booking.slots.model import MEETING_TYPES, MeetingType, WorkInterval

EVERY_TYPE = frozenset(MEETING_TYPES)
ONLINE, PHYSICAL = MeetingType.ONLINE, MeetingType.PHYSICAL


def test_a_workday_says_when_how_and_where_its_employee_works() -> None:
    (friday,) = read_week(("4 08:30:00 16:00:00.5 {Physical,Online} Aarhus C, 2nd floor",), "Odense", EVERY_TYPE)
    assert friday == WorkInterval(
        4, time(8, 30), time(16, 0, 0, 500_000), frozenset({ONLINE, PHYSICAL}), "Aarhus C, 2nd floor"
    )


def test_a_workday_without_a_location_is_at_home() -> None:
    monday, tuesday = read_week(
        ("0 08:00:00 16:00:00 {Online} ", "1 08:00:00 16:00:00 {Online} Vejle"), "Odense", EVERY_TYPE
    )
    assert (monday.location, tuesday.location) == ("Odense", "Vejle")


def test_of_a_workdays_meeting_types_the_offered_ones_are_left() -> None:
    offered = frozenset({ONLINE})
    days = ("0 08:00:00 16:00:00 {Physical,Online} ", "1 08:00:00 16:00:00 {Physical} ", "2 08:00:00 16:00:00 {} ")
    assert [each.meeting_types for each in read_week(days, "", offered)] == [offered, frozenset(), frozenset()]


def test_nobody_works_in_an_empty_week() -> None:
    assert read_week((), "Odense", EVERY_TYPE) == ()


def test_equal_weeks_are_the_same_object() -> None:
    written = "3 09:00:00 17:00:00 {Telephone} "
    assert read_week((written,), "Ribe", EVERY_TYPE) is read_week((f"{written}",), "Ribe", EVERY_TYPE)
