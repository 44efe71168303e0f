"""Manage links: one meeting of one portal, and nothing that somebody could guess."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from uuid import UUID, uuid4

import pytest

from meetdeck.booking.scheduling.meetings.service.manage_links import ManageLinks

PORTAL = UUID(int=1)


@pytest.fixture
def links() -> ManageLinks:
    return ManageLinks(bytes(32))


def test_a_token_opens_the_meeting_it_was_made_for(links: ManageLinks) -> None:
    meeting = uuid4()
    token = links.make(PORTAL, meeting)
    assert links.find(PORTAL, token) == meeting
    assert links.make(PORTAL, meeting) == token, "a mail sent twice has one address"


def test_a_token_is_no_other_portals_and_no_other_installations(links: ManageLinks) -> None:
    token = links.make(PORTAL, uuid4())
    assert links.find(UUID(int=2), token) is None
    assert ManageLinks(bytes([1] * 32)).find(PORTAL, token) is None


def test_a_token_with_any_bit_changed_opens_nothing(links: ManageLinks) -> None:
    token = links.make(PORTAL, uuid4())
    raw = urlsafe_b64decode(token)
    for bit in range(len(raw) * 8):
        changed = bytearray(raw)
        changed[bit // 8] ^= 1 << bit % 8
        assert links.find(PORTAL, urlsafe_b64encode(changed).decode()) is None


@pytest.mark.parametrize("token", ["", "A", "AAAA", "é", "a b", "=" * 8, "A" * 48, "A" * 10_000])
def test_what_is_no_token_opens_nothing(token: str, links: ManageLinks) -> None:
    assert links.find(PORTAL, token) is None
