import re
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meetdeck.platform.secrets import SealBroken, Sealer, SealExpired

NOW = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
SEALER = Sealer(bytes(range(32)))


@given(st.binary(), st.text(st.characters(exclude_categories=["Cs"])))
def test_what_was_sealed_is_opened_again(payload: bytes, purpose: str) -> None:
    assert SEALER.open(purpose, SEALER.seal(purpose, payload, NOW, HOUR), NOW) == payload


@given(st.binary())
def test_a_sealed_value_stands_unescaped_in_addresses_and_forms(payload: bytes) -> None:
    sealed = SEALER.seal("form", payload, NOW, HOUR)
    assert re.fullmatch(r"[A-Za-z0-9_-]+", sealed)
    assert len(sealed) <= len(payload) * 4 / 3 + 51


def test_a_sealed_value_tells_nothing_of_what_it_holds() -> None:
    sealed = SEALER.seal("form", b"Freja", NOW, HOUR)
    assert sealed != SEALER.seal("form", b"Freja", NOW, HOUR)
    assert "RnJlamE" not in sealed


def test_another_process_of_the_installation_opens_it() -> None:
    assert Sealer(bytes(range(32))).open("form", SEALER.seal("form", b"Freja", NOW, HOUR), NOW) == b"Freja"


def test_a_value_is_good_until_its_last_second() -> None:
    sealed = SEALER.seal("form", b"Freja", NOW, HOUR)
    assert SEALER.open("form", sealed, NOW + HOUR - timedelta(seconds=1)) == b"Freja"
    with pytest.raises(SealExpired):
        SEALER.open("form", sealed, NOW + HOUR)


def test_what_has_expired_still_says_what_it_held() -> None:
    sealed = SEALER.seal("form", b"what was typed", NOW, HOUR)
    with pytest.raises(SealExpired) as expired:
        SEALER.open("form", sealed, NOW + timedelta(days=400))
    assert expired.value.payload == b"what was typed"


def test_a_value_of_another_purpose_is_refused() -> None:
    with pytest.raises(SealBroken):
        SEALER.open("manage link", SEALER.seal("form", b"Freja", NOW, HOUR), NOW)


def test_a_value_of_another_installation_is_refused() -> None:
    with pytest.raises(SealBroken):
        Sealer(bytes(32)).open("form", SEALER.seal("form", b"Freja", NOW, HOUR), NOW)


@pytest.mark.parametrize("size", range(4))
def test_a_change_of_any_character_is_noticed(size: int) -> None:
    sealed = SEALER.seal("form", b"x" * size, NOW, HOUR)
    for place, character in enumerate(sealed):
        changed = "A" if character != "A" else "B"
        with pytest.raises(SealBroken):
            SEALER.open("form", sealed[:place] + changed + sealed[place + 1 :], NOW + 2 * HOUR)


@pytest.mark.parametrize("made_up", ["", "A", "AQ", "AQ" * 12, "AQ" * 500, "Freja", "æøå", "a b", "\ud800", "=" * 40])
def test_what_was_never_sealed_is_refused(made_up: str) -> None:
    with pytest.raises(SealBroken):
        SEALER.open("form", made_up, NOW)


@given(st.text())
def test_whatever_somebody_sends_is_refused_and_nothing_else_happens(made_up: str) -> None:
    with pytest.raises(SealBroken):
        SEALER.open("form", made_up, NOW)


@pytest.mark.parametrize("change", ["{}=", "{}\n", " {}", "{}A", "{}AAAA", "+{}"])
def test_a_value_has_one_spelling(change: str) -> None:
    with pytest.raises(SealBroken):
        SEALER.open("form", change.format(SEALER.seal("form", b"Freja", NOW, HOUR)), NOW)
