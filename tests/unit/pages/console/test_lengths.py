"""Lengths of time in forms: a number and its unit, written and read without losing a second."""

from datetime import timedelta

import pytest

from meetdeck.pages.console.forms import Field, FieldMistake
from meetdeck.pages.texts import get_texts

LENGTH = Field("length", "Length", "length", empty=None)
TOPIC = Field("minutes", "Length", "length", is_required=True, counted=timedelta(minutes=1))


def read(field: Field, number: str, unit: str) -> object:
    sent = {field.name: [number], field.unit_name: [unit]}
    return field.read(lambda name: sent.get(name, []))


@pytest.mark.parametrize(
    ("value", "number", "unit"),
    [
        ("90.00:00:00", "90", "days"),
        ("1.00:00:00", "24", "hours"),
        ("1.12:30:00", "36.5", "hours"),
        ("07:30:00", "7.5", "hours"),
        ("02:15:00", "135", "minutes"),
        ("01:30:00", "90", "minutes"),
        ("00:01:00", "1", "minutes"),
        ("00:00:00", "0", "minutes"),
        ("00:01:30", "90", "seconds"),
        ("99999.00:30:00", "2399976.5", "hours"),
    ],
)
def test_a_length_is_written_in_the_unit_in_which_people_say_it_and_kept_exactly(
    value: str, number: str, unit: str
) -> None:
    written = LENGTH.write_all(value)
    assert written == {"length": [number], "length.unit": [unit]}
    assert LENGTH.read(lambda name: written[name]) == value


def test_a_length_is_read_with_either_decimal_sign_and_without_a_unit_in_the_fields_own() -> None:
    assert read(LENGTH, "1,5", "hours") == read(LENGTH, "1.5", "hours") == "01:30:00"
    assert LENGTH._replace(unit="days").read({"length": ["3"], "length.unit": []}.__getitem__) == "3.00:00:00"
    assert read(LENGTH, "", "hours") is None


def test_a_whole_number_of_minutes_is_kept_as_a_number() -> None:
    assert TOPIC.write_all(120) == {"minutes": ["2"], "minutes.unit": ["hours"]}
    assert read(TOPIC, "1.5", "hours") == 90
    assert TOPIC.show(45, (), get_texts("da")) == "45 minutter"


@pytest.mark.parametrize(
    ("field", "number", "unit"),
    [
        (LENGTH, "-1", "hours"),
        (LENGTH, "soon", "hours"),
        (LENGTH, "1", "weeks"),
        (LENGTH, "0.0001", "minutes"),
        (TOPIC, "0.5", "minutes"),
        (TOPIC, "", "minutes"),
    ],
)
def test_a_length_that_is_none_is_refused(field: Field, number: str, unit: str) -> None:
    with pytest.raises(FieldMistake):
        read(field, number, unit)
