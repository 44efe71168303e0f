from zoneinfo import ZoneInfo

import pytest

from meetdeck.booking.directory.timezones.service import find_timezone, list_timezones, timezone_id


def test_every_zone_can_be_loaded_and_found_by_its_id() -> None:
    zones = list_timezones()
    assert len(zones) > 500
    assert [zone.identifier for zone in zones] == sorted({zone.identifier for zone in zones})
    for zone in zones:
        assert ZoneInfo(zone.identifier)
        assert find_timezone(zone.id) == zone


def test_ids_are_the_same_on_every_installation() -> None:
    assert str(timezone_id("Europe/Copenhagen")) == "f2392b8c-0efd-51cb-89e9-9862e5b296ee"


@pytest.mark.parametrize(
    ("identifier", "shown"),
    [
        ("Europe/Copenhagen", "Europe/Copenhagen (UTC+01:00)"),
        ("Europe/Dublin", "Europe/Dublin (UTC+00:00)"),
        ("America/New_York", "America/New York (UTC-05:00)"),
        ("America/St_Johns", "America/St Johns (UTC-03:30)"),
        ("Australia/Sydney", "Australia/Sydney (UTC+10:00)"),
        ("Asia/Kathmandu", "Asia/Kathmandu (UTC+05:45)"),
        ("UTC", "UTC (UTC+00:00)"),
    ],
)
def test_a_zone_is_shown_with_its_standard_offset(identifier: str, shown: str) -> None:
    zone = find_timezone(timezone_id(identifier))
    assert zone is not None
    assert zone.display_name == shown


def test_a_clock_that_was_never_set_is_no_zone() -> None:
    assert find_timezone(timezone_id("Factory")) is None
