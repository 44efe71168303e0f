"""Weeks as the database writes them."""

from datetime import time

from meetdeck.booking.scheduling.search.service.working_hours import read_week
from meetdeck.booking.slots.model import MeetingType, WorkInterval

ONLINE, PHYSICAL = MeetingType.ONLINE, MeetingType.PHYSICAL


def test_a_workday_says_when_how_and_where_its_employee_works() -> None:
    (friday,) = read_week(("4 08:30:00 16:00:00.5 {Physical,Online} Aarhus C, 2nd floor",), "Odense")
    assert friday == WorkInterval(
        4, time(8, 30), time(16, 0, 0, 500_000), frozenset({ONLINE, PHYSICAL}), "Aarhus C, 2nd floor"
    )


def test_a_workday_without_a_location_is_at_home() -> None:
    monday, tuesday = read_week(("0 08:00:00 16:00:00 {Online} ", "1 08:00:00 16:00:00 {Online} Vejle"), "Odense")
    assert (monday.location, tuesday.location) == ("Odense", "Vejle")


def test_nobody_works_in_an_empty_week() -> None:
    assert read_week((), "Odense") == ()


def test_equal_weeks_are_the_same_object() -> None:
    written = "3 09:00:00 17:00:00 {Telephone} "
    assert read_week((written,), "Ribe") is read_week((f"{written}",), "Ribe")
