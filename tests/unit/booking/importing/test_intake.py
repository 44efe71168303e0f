from meetdeck.booking.importing.intake import merge
from meetdeck.booking.importing.rows import DEFAULT


def test_what_a_row_does_not_say_stays_and_what_it_leaves_empty_goes() -> None:
    assert merge({"a": 1, "b": 2, "c": 3}, {"b": 4, "c": DEFAULT, "d": 5}) == {"a": 1, "b": 4, "d": 5}


def test_the_same_holds_inside_of_a_member() -> None:
    current = {"level": {"priority": 1, "before": 2, "after": 3}}
    assert merge(current, {"level": {"before": DEFAULT, "after": 4}}) == {"level": {"priority": 1, "after": 4}}


def test_a_member_that_was_not_there_begins_empty() -> None:
    assert merge({}, {"level": {"priority": DEFAULT, "after": 4}}) == {"level": {"after": 4}}


def test_a_list_is_replaced_whole() -> None:
    assert merge({"items": [1, 2]}, {"items": [3]}) == {"items": [3]}
