from contextlib import suppress
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meetdeck.platform.values import Duration


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("01:30:00", timedelta(hours=1, minutes=30)),
        ("7.00:00:00", timedelta(days=7)),
        ("0.00:45:00", timedelta(minutes=45)),
        ("00:45", timedelta(minutes=45)),
        ("36:00:00", timedelta(days=1, hours=12)),
        (" 01:00:00 ", timedelta(hours=1)),
    ],
)
def test_both_forms_are_read(text: str, length: timedelta) -> None:
    assert Duration.parse(text) == length


@pytest.mark.parametrize(
    ("length", "text"),
    [
        (Duration(hours=1, minutes=30), "01:30:00"),
        (Duration(0), "00:00:00"),
        (Duration(hours=23, minutes=59, seconds=59), "23:59:59"),
        (Duration(days=1), "1.00:00:00"),
        (Duration(days=90, seconds=5), "90.00:00:05"),
    ],
)
def test_the_shortest_form_is_written(length: Duration, text: str) -> None:
    assert str(length) == text


@pytest.mark.parametrize("text", ["", "90", "PT45M", "1:2:3", "00:60:00", "00:00:60", "-01:00:00", "7.00", "1.2.00:00"])
def test_anything_else_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match=r"write hh:mm:ss or d\.hh:mm:ss, for example 01:30:00"):
        Duration.parse(text)


@given(st.integers(min_value=0, max_value=99_999 * 86_400))
def test_what_is_written_is_read_back(seconds: int) -> None:
    duration = Duration(seconds=seconds)
    assert Duration.parse(str(duration)) == duration


@given(st.text(alphabet="0123456789.:- ٣"))
def test_no_text_does_worse_than_a_refusal(text: str) -> None:
    with suppress(ValueError):
        assert Duration.parse(text) >= timedelta(0)
