"""The choices of a visitor, as addresses and forms have them."""

from datetime import date
from urllib.parse import parse_qsl
from uuid import UUID

import pytest

from meetdeck.booking.slots.model import MeetingType
from meetdeck.pages.portal.schemas import FEWEST_DAYS, MOST_DAYS, Choices, FormValues

TOPIC = UUID(int=7)
CHOSEN = Choices(
    topic_id=TOPIC,
    meeting_type=MeetingType.PHYSICAL,
    place="Ærø & Co.",
    advisor_id=UUID(int=8),
    zone="Asia/Kathmandu",
    language="da",
    day=date(2026, 11, 24),
    days=14,
    others=(("campaign", "autumn?&="), ("campaign", "twice")),
)


def read(query: str) -> Choices:
    return Choices.read(parse_qsl(query.removeprefix("?"), keep_blank_values=True))


def test_choices_come_back_as_they_were_written() -> None:
    assert read(CHOSEN.write()) == CHOSEN
    assert Choices.read(CHOSEN.list_inputs()) == CHOSEN
    assert read(CHOSEN.write(topic_id=None, others=())).others == ()
    assert Choices().write() == "?"


@pytest.mark.parametrize(
    "query",
    [
        "topic=7&type=carrier-pigeon&advisor=Anna&date=tomorrow&days=many",
        "topic=&type=&advisor=&date=&days=",
        "date=0000-00-00&days=-1&topic=%00",
        f"days={'9' * 5_000}",
        "days=1e9&date=99999-01-01",
    ],
)
def test_what_makes_no_sense_counts_as_not_chosen(query: str) -> None:
    choices = read(query)
    assert (choices.topic_id, choices.meeting_type, choices.advisor_id, choices.day) == (None, None, None, None)
    assert FEWEST_DAYS <= choices.days <= MOST_DAYS


@pytest.mark.parametrize(("days", "shown"), [("0", 7), ("7", 7), ("15", 15), ("35", 35), ("3500", 35)])
def test_a_page_has_a_week_at_least_and_five_at_most(days: str, shown: int) -> None:
    assert read(f"days={days}").days == shown


def test_no_address_makes_a_page_carry_much() -> None:
    many = read("&".join(f"name{number}={'x' * 2_000}" for number in range(500)))
    assert len(many.others) == 40
    assert all(len(value) == 1_000 for _, value in many.others)


def test_a_visit_begins_until_something_is_chosen() -> None:
    assert read("lang=da&campaign=autumn").are_none
    assert not read("type=online").are_none
    assert not read("zone=UTC").are_none


def test_what_was_typed_is_carried_under_the_names_of_its_inputs() -> None:
    typed = FormValues(name="Freja", answers={"7": "yes", "8": ""})
    assert typed.list_inputs() == [("name", "Freja"), ("answer-7", "yes")]
