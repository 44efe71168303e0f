"""The caller's values as text."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meetdeck.present.deck.language.values import (
    ABSENT,
    Unwritable,
    escape_attribute,
    escape_text,
    find_value,
    legal,
    unescape_text,
    write_plain,
)
from meetdeck.present.deck.opc.xml import parse


def _path(name: str) -> tuple[str, list[str]]:
    return name, name.split(".")


def test_a_path_leads_through_objects_and_lists() -> None:
    assert find_value({"team": [{"name": "Ada"}, {"name": "Bo"}]}, *_path("team.1.name")) == "Bo"


def test_flat_data_may_spell_the_whole_path_as_one_key() -> None:
    assert find_value({"customer.name": "Ada", "customer": {"name": "Bo"}}, *_path("customer.name")) == "Ada"


@pytest.mark.parametrize(
    "name", ["team.7", "team.-1", "team.x", "team.0.name.first", "nobody", "team.99999999999999999999"]
)
def test_a_path_that_leads_nowhere_finds_nothing(name: str) -> None:
    assert find_value({"team": [{"name": "Ada"}]}, *_path(name)) is ABSENT


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("text", "text"),
        (True, "true"),
        (False, "false"),
        (7, "7"),
        (-0.5, "-0.5"),
        (-0.0, "0"),
        (Decimal("-0.00"), "0.00"),
        (1234567.0, "1234567"),
        (1e22, "10000000000000000000000"),
        (1e-7, "0.0000001"),
        (Decimal("1.50"), "1.50"),
        (date(2026, 1, 31), "2026-01-31"),
    ],
)
def test_plain_values_are_written_in_full(value: object, text: str) -> None:
    assert write_plain(value) == text


@pytest.mark.parametrize(
    "value", [[1], {"a": 1}, (1,), b"x", float("nan"), float("inf"), Decimal("1e999999"), object()]
)
def test_what_is_no_text_is_refused_with_a_reason(value: object) -> None:
    with pytest.raises(Unwritable, match=r"^it is .+\.$"):
        write_plain(value)


def test_a_number_of_thousands_of_digits_is_refused() -> None:
    with pytest.raises(Unwritable):
        write_plain(2**50_000)


def test_every_kind_of_line_break_becomes_one() -> None:
    assert legal("a\r\nb\rc\x0bd\ne") == "a\nb\nc\nd\ne"


@given(text=st.text())
def test_any_text_is_well_formed_xml_once_escaped(text: str) -> None:
    clean = legal(text).replace("\ufdd0", "").replace("\ufdd1", "")
    root = parse(f'<x y="{escape_attribute(clean)}">{escape_text(clean)}</x>'.encode())
    assert (root.get("y"), root.text or "") == (clean, clean)
    assert unescape_text(escape_text(text)) == text


def test_an_escaped_ampersand_begins_no_other_entity() -> None:
    assert unescape_text("&amp;lt; &lt;&gt; &quot;&apos; R&amp;D") == "&lt; <> \"' R&D"
