"""Forms for the data of slides: from its JSON Schema to fields, and from what is typed to data."""

from typing import Any

import pytest

from meetdeck.pages.console.decks import data_forms as forms

TEXT: dict[str, Any] = {"type": ["string", "number", "boolean", "null"]}
NUMBER: dict[str, Any] = {"type": ["number", "string", "null"]}
GOALS: dict[str, Any] = {
    "type": ["array", "null"],
    "items": {"type": "object", "properties": {"name": TEXT, "target": NUMBER, "onTrack": {}}},
}
SCHEMA: dict[str, Any] = {
    "properties": {
        "customer": {"type": "object", "properties": {"firstName": TEXT | {"description": "As they are called"}}},
        "goals": GOALS,
        "start": {"type": ["string", "null"]},
        "notes": {"type": ["array", "null"], "items": TEXT},
        "chart": {"type": ["object", "array", "null"], "properties": {"series": {}}},
        "portrait": {"type": ["string", "object", "null"]},
    }
}
EXAMPLE = {
    "customer": {"firstName": "First name"},
    "goals": [{"name": "Name", "target": 1234.5, "onTrack": True}],
    "start": "2026-01-31",
    "notes": ["One"],
    "chart": {"categories": ["A"], "series": [{"name": "First", "values": [1]}]},
    "portrait": "data:image/png;base64,AAAA",
}
NODES = forms.read_schema(SCHEMA, EXAMPLE)


def test_each_kind_of_value_has_its_field() -> None:
    kinds = {node.name: node.kind for node in NODES}
    assert kinds == {
        "customer": "group",
        "goals": "list",
        "start": "date",
        "notes": "lines",
        "chart": "rows",
        "portrait": "picture",
    }
    assert [(one.kind, one.label, one.hint) for one in NODES[0].members] == [
        ("text", "First name", "As they are called")
    ]
    assert [one.kind for one in NODES[1].members] == ["text", "number", "tick"]


def test_data_comes_back_as_it_was_written_into_the_form() -> None:
    data = {
        "customer": {"firstName": "Freja"},
        "goals": [{"name": "House", "target": 1500000, "onTrack": True}, {"name": "Car", "onTrack": False}],
        "start": "2026-03-02T10:30",
        "notes": ["One", "Two"],
        "chart": [["", "Saved"], ["2026", 1.5], ["2027", None]],
        "portrait": "4fa0d1f2-0000-4000-8000-000000000000",
    }
    texts = forms.write_data(NODES, data)
    assert (texts["/goals#"], texts["/start"], texts["/start@"]) == ("2", "2026-03-02", "10:30")
    back = forms.read_data(NODES, texts)
    assert back == data | {"chart": [["", "Saved"], [2026, 1.5], [2027, None]]}


def test_what_is_left_empty_is_left_out() -> None:
    assert forms.read_data(NODES, {}) == {}
    assert forms.read_data(NODES, {"/customer/firstName": "  ", "/goals#": "1"}) == {"goals": [{"onTrack": False}]}


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("12", 12),
        ("1.5", 1.5),
        ("1,5", 1.5),
        ("1.234,50", 1234.5),
        ("1 234", 1234),
        ("-3", -3),
        ("soon", "soon"),
        ("1,2,3", "1,2,3"),
    ],
)
def test_numbers_are_read_as_people_type_them(typed: str, read: object) -> None:
    assert forms.read_number(typed) == read


def test_a_chart_of_categories_and_series_is_shown_as_rows() -> None:
    chart = {
        "categories": ["A", "B"],
        "series": [{"name": "First", "values": [1]}, {"name": "Second", "values": [2, 3]}],
    }
    texts = forms.write_data(NODES, {"chart": chart})
    assert texts["/chart"] == "\tFirst\tSecond\nA\t1\t2\nB\t\t3"
    assert forms.read_data(NODES, texts)["chart"] == [["", "First", "Second"], ["A", 1, 2], ["B", None, 3]]


def test_a_chart_with_more_is_kept_as_json() -> None:
    chart = {"rows": [{"a": 1}]}
    texts = forms.write_data(NODES, {"chart": chart})
    assert forms.read_data(NODES, texts)["chart"] == chart


def test_items_are_added_and_removed_and_the_others_move_up() -> None:
    texts = forms.write_data(NODES, {"goals": [{"name": name} for name in ("One", "Two", "Three")]})
    fewer = forms.remove_item(texts, "/goals/1")
    assert [goal["name"] for goal in forms.read_data(NODES, fewer)["goals"]] == ["One", "Three"]
    more = forms.add_item(fewer, "/goals")
    assert len(forms.read_data(NODES, more)["goals"]) == 3
    assert forms.remove_item(texts, "/goals/9")["/goals#"] == "3"
    assert forms.remove_item(texts, "/goals/x") == texts


def test_a_list_has_a_hundred_items_at_most_whatever_is_sent() -> None:
    assert forms.count_items({"/goals#": "100000"}, "/goals") == 0
    assert forms.count_items({"/goals#": "999"}, "/goals") == forms.MOST_ROWS


def test_members_that_the_form_does_not_ask_for_stay() -> None:
    pasted = {"customer": {"firstName": "Old", "id": 7}, "more": True}
    assert forms.merge(pasted, {"customer": {"firstName": "New"}}) == {
        "customer": {"firstName": "New", "id": 7},
        "more": True,
    }
