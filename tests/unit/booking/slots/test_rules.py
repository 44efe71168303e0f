"""Opening hours and closing days on a small firm."""

from datetime import time
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from support.slots.small_firm import (
    ALL_MORNING,
    DAY,
    MONDAY,
    OFFICE,
    QUERY,
    at,
    starts,
    with_hours,
    works,
)


def test_opening_hours_hold_for_customers_only() -> None:
    office = replace(OFFICE, opening=time(9, 30), closing=time(11))
    assert starts(office=office) == ALL_MORNING
    assert starts(replace(QUERY, customer_initiated=True), office=office) == "09:30 10:00"


def test_an_office_open_to_midnight_every_day_never_closes() -> None:
    night = with_hours(works("23:00", "00:00"), works("00:00", "01:00", weekday=1))
    query = replace(QUERY, ends_at=at("00:00") + 2 * DAY, customer_initiated=True)
    assert starts(query, night, replace(OFFICE, opening=time(0), closing=time(0))) == "23:00 23:30 00:00"


def test_opening_hours_are_the_organizations() -> None:
    query = replace(QUERY, customer_initiated=True)
    london = replace(OFFICE, zone=ZoneInfo("Europe/London"), opening=time(9))
    assert starts(query, office=london) == "10:00 10:30 11:00"


def test_a_slot_may_end_when_a_closing_day_begins() -> None:
    night = with_hours(works("22:00", "00:00"), works("00:00", "02:00", weekday=1))
    query = replace(QUERY, ends_at=at("00:00") + 2 * DAY)
    assert starts(query, night, replace(OFFICE, closing_days=frozenset({MONDAY + DAY}))) == "22:00 22:30 23:00"


def test_nothing_is_offered_on_closing_days_of_the_organization() -> None:
    closed = replace(OFFICE, closing_days=frozenset({MONDAY}))
    assert starts(office=closed) == ""
    assert starts(office=replace(closed, closing_days=frozenset({MONDAY - DAY, MONDAY + DAY}))) == ALL_MORNING
    tokyo = replace(closed, zone=ZoneInfo("Pacific/Kiritimati"))  # where Monday ends at 11:00 in Copenhagen
    assert starts(office=tokyo) == "11:00"
