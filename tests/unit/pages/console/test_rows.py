"""Rows of a form: written, moved, read again, and named by what is wrong with them."""

import pytest

from meetdeck.pages.console.forms import Field, FieldMistake
from meetdeck.pages.console.forms.fields import move_item

COLUMNS = (
    Field("label", "Label"),
    Field("size", "Size", "number", is_required=True),
    Field("rule/must", "Must", "tick"),
    Field("order", "", "hidden", empty=0),
)
ROWS = Field("rows", "Rows", "rows", columns=COLUMNS, order="order")
RESOURCE = [
    {"label": "Second", "size": 2, "rule": {"must": False}, "order": 7},
    {"label": "First", "size": 1, "rule": {"must": True}, "order": 3},
]


def read(values: dict[str, list[str]]) -> list[dict[str, object]]:
    return ROWS.read(lambda name: values.get(name, []))


def test_rows_are_written_by_their_order_and_read_as_they_were() -> None:
    values = ROWS.write_all(RESOURCE)
    assert values["rows"] == ["0", "1"]
    assert values["rows:0:label"] == ["First"]
    assert read(values) == [RESOURCE[1], RESOURCE[0]]


@pytest.mark.parametrize(
    ("deed", "labels"),
    [
        ("0:down", ["Second", "First"]),
        ("1:up", ["Second", "First"]),
        ("0:up", ["First", "Second"]),
        ("1:down", ["First", "Second"]),
        ("0:remove", ["Second"]),
        ("9:remove", ["First", "Second"]),
        ("nonsense", ["First", "Second"]),
    ],
)
def test_a_button_moves_or_removes_a_row_and_the_places_are_numbered_anew(deed: str, labels: list[str]) -> None:
    moved = move_item(ROWS, ROWS.write_all(RESOURCE) | {"name": ["Kept"]}, deed)
    assert moved["name"] == ["Kept"]
    assert [row["label"] for row in read(moved)] == labels
    places = [row["order"] for row in read(moved)]
    assert places == sorted(places)  # pyright: ignore[reportArgumentType] - numbers


def test_a_new_row_is_the_last_and_says_what_it_needs() -> None:
    values = move_item(ROWS, ROWS.write_all(RESOURCE), "add")
    with pytest.raises(FieldMistake) as missing:
        read(values)
    assert missing.value.field.name == "rows:2:size"
    assert read(values | {"rows:2:size": ["5"]})[2] == {"label": "", "size": 5, "rule": {"must": False}, "order": 2}


def test_a_pointer_into_a_row_names_its_field() -> None:
    assert ROWS.find_cell("rows/1/rule/must").name == "rows:1:rule.must"
    assert ROWS.find_cell("rows/1").name == "rows"
    assert ROWS.find_cell("rows").name == "rows"
