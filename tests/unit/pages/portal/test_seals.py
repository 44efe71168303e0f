"""Sealed values of forms: they open for the same portal and kind, for a day."""

from datetime import timedelta
from uuid import UUID

import pytest

from meetdeck.booking.slots.model import MeetingType
from meetdeck.pages.portal.schemas import Hold, Person, Ticket
from meetdeck.pages.portal.seals import Seals
from meetdeck.platform.secrets import Sealer
from support.portal_factory import NOON

PORTAL, TOKEN = UUID(int=1), UUID(int=3)
TICKET = Ticket(portal_id=PORTAL, token=TOKEN, hidden={"campaign": "autumn"})
HOLD = Hold(
    portal_id=PORTAL,
    token=TOKEN,
    time_slot_id=UUID(int=4),
    topic_id=None,
    topic="",
    meeting_type=MeetingType.ONLINE,
    place="",
    address="",
    employee_id=UUID(int=5),
    advisor="Anna Holm",
    starts_at=NOON,
    ends_at=NOON + timedelta(hours=1),
    expires_at=NOON + timedelta(minutes=5),
    held_at=NOON,
    hidden={"campaign": "autumn"},
)
PERSON = Person(portal_id=PORTAL, customer_id="C-1", name="Freja", email="freja@example.com")


@pytest.fixture
def seals() -> Seals:
    return Seals(Sealer(bytes(32)))


def test_a_value_comes_back_as_it_was_at_its_portal_for_a_day(seals: Seals) -> None:
    late, too_late = NOON + timedelta(hours=23), NOON + timedelta(hours=24)
    assert seals.find(Ticket, seals.seal(TICKET, NOON), PORTAL, late) == TICKET
    assert seals.find(Hold, seals.seal(HOLD, NOON), PORTAL, late) == HOLD
    sealed = seals.seal(PERSON, NOON)
    assert seals.find(Person, sealed, PORTAL, late) == PERSON
    assert seals.find(Person, sealed, PORTAL, too_late) is None
    assert seals.find(Person, sealed, UUID(int=2), NOON) is None


def test_one_kind_is_not_taken_for_another(seals: Seals) -> None:
    assert seals.find(Ticket, seals.seal(HOLD, NOON), PORTAL, NOON) is None
    assert seals.find(Hold, seals.seal(TICKET, NOON), PORTAL, NOON) is None
    assert seals.find(Person, seals.seal(TICKET, NOON), PORTAL, NOON) is None


def test_what_was_changed_or_cut_off_is_nothing(seals: Seals) -> None:
    sealed = seals.seal(TICKET, NOON)
    for text in ("", sealed[:-4], sealed[:20] + ("A" if sealed[20] != "A" else "B") + sealed[21:], "é", "A" * 200):
        assert seals.find(Ticket, text, PORTAL, NOON) is None


def test_a_browser_reads_nothing_of_what_it_carries(seals: Seals) -> None:
    assert "autumn" not in seals.seal(TICKET, NOON)
    assert seals.seal(TICKET, NOON) != seals.seal(TICKET, NOON)


def test_a_hold_is_a_ticket_once_its_time_is_given_up() -> None:
    assert HOLD.as_ticket() == TICKET
