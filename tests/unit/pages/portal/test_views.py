"""The values for page templates: times as sentences, zones by name, origins of frames, the time that is left."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from meetdeck.booking.configuration.organization_settings.schemas import DisplayLabel
from meetdeck.booking.configuration.portals.schemas import FieldType, PageLanguage
from meetdeck.booking.slots.model import MeetingType
from meetdeck.pages.portal.service.details import FormField
from meetdeck.pages.portal.service.times import OfferedTime
from meetdeck.pages.portal.views import (
    in_sentence,
    list_errors,
    list_languages,
    list_zones,
    make_sentence,
    show_time,
    show_zone,
)
from support.portal_factory import make_visit

BEGIN = datetime(2026, 11, 24, 9, 30, tzinfo=UTC)
TIME = OfferedTime(BEGIN, BEGIN + timedelta(hours=1), UUID(int=5), "Karen Holm")


def test_a_time_is_a_sentence_that_needs_nothing_around_it() -> None:
    english, danish = make_visit(), make_visit(language="da")
    assert make_sentence(english, TIME, MeetingType.ONLINE) == (
        "Tuesday 24 November, 10:30 to 11:30, online, with Karen Holm"
    )
    assert make_sentence(danish, TIME, MeetingType.TELEPHONE) == (
        "Tirsdag 24. november kl. 10.30\N{EN DASH}11.30, telefonisk, med Karen Holm"
    )


def test_the_organizations_own_name_of_a_meeting_type_is_said() -> None:
    label = DisplayLabel(name="Online", label="Video call", order=0)
    visit = make_visit(type_labels=[label])
    assert ", video call, with " in make_sentence(visit, TIME, MeetingType.ONLINE)


@pytest.mark.parametrize(
    ("label", "said"), [("Online", "online"), ("VIP room", "VIP room"), ("På kontoret", "på kontoret"), ("A", "a")]
)
def test_a_label_in_a_sentence_begins_small_unless_it_is_an_abbreviation(label: str, said: str) -> None:
    assert in_sentence(label) == said


def test_a_time_is_shown_by_the_visitors_clock_on_the_visitors_day() -> None:
    visit = make_visit(zone="Pacific/Auckland")
    late = BEGIN + timedelta(hours=2)
    assert show_time(visit, late, late + timedelta(hours=1)) == "Wednesday 25 November, 00:30 to 01:30"


@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        ("Europe/Copenhagen", "Danish time (UTC+01:00)"),
        ("America/New_York", "New York time (UTC-05:00)"),
        ("Asia/Kathmandu", "Kathmandu time (UTC+05:45)"),
    ],
)
def test_a_zone_is_named_with_its_distance_from_utc_at_the_time_that_is_shown(zone: str, shown: str) -> None:
    assert str(show_zone(make_visit(zone=zone), BEGIN)) == shown


def test_the_zone_of_a_summer_time_is_summers_whatever_the_season_is_now() -> None:
    visit = make_visit(zone="Europe/Copenhagen")
    assert str(show_zone(visit, BEGIN.replace(month=7))) == "Danish time (UTC+02:00)"
    assert str(show_zone(visit)) == "Danish time"


def test_zones_to_choose_from_are_places() -> None:
    zones = list_zones()
    assert {"Europe/Copenhagen", "America/New_York"} <= set(zones)
    assert not any(zone.startswith("Etc/") or "/" not in zone for zone in zones)


def test_the_other_languages_are_offered_in_their_own_words() -> None:
    assert list_languages(make_visit()) == [("da", "Dansk"), ("de", "Deutsch")]
    assert list_languages(make_visit(language="da")) == [("en", "English"), ("de", "Deutsch")]
    assert list_languages(make_visit(languages=[PageLanguage.ENGLISH])) == []


def test_errors_lead_to_their_fields() -> None:
    fields = [
        FormField("name", "Your name", FieldType.TEXT, "", required=True, error="Enter your name."),
        FormField("email", "Your e-mail address", FieldType.EMAIL, "", required=True),
    ]
    assert list_errors(fields) == [("name", "Enter your name.")]
