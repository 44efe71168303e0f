"""Patterns of portals' fields: RE2, so that no text takes long."""

from contextlib import suppress
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meetdeck.booking.configuration.portals.schemas import LONGEST_PATTERN
from meetdeck.booking.configuration.portals.service.patterns import PatternError, check_pattern, matches


def test_a_pattern_matches_the_whole_text() -> None:
    assert matches(r"\d{8}", "12345678")
    assert not matches(r"\d{8}", "123456789")
    assert not matches(r"\d{8}", "12345678\n")
    assert matches(r"^\d{8}$", "12345678")
    assert matches(r"Yes|No", "No")
    assert not matches(r"Yes|No", "Not")


def test_letters_of_all_languages_are_letters() -> None:
    assert matches(r"[\p{L}' -]{2,40}", "Åse Ærø")
    assert matches(".", "🙂")


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(", "missing )"),
        ("[z-a]", "invalid character class range"),
        (r"(a)\1", "invalid escape sequence"),
        ("(?=a)b", "invalid perl operator"),
        ("a{1001}", "invalid repetition size"),
        (r"(\p{L}{1,50} ?){1,20}" * 20, "pattern too large"),
    ],
)
def test_what_is_no_pattern_is_refused_with_the_reason(pattern: str, reason: str) -> None:
    with pytest.raises(PatternError, match="Not a valid RE2 pattern") as caught:
        check_pattern(pattern)
    assert reason in str(caught.value)


def test_a_pattern_that_explodes_elsewhere_takes_no_time() -> None:
    began = process_time()
    assert not matches("(a|aa)*(a|aa)*(a|aa)*c", "a" * 10_000 + "b")
    assert process_time() - began < 1


@given(st.text(max_size=LONGEST_PATTERN), st.text(max_size=100))
def test_no_pattern_does_worse_than_a_refusal(pattern: str, text: str) -> None:
    with suppress(PatternError):
        matches(pattern, text)
