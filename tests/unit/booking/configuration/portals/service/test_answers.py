"""Customers' answers to a portal's fields (docs/api/portals.md)."""

from typing import Any
from uuid import UUID

import pytest

from meetdeck.booking.configuration.portals.schemas import FieldType, FieldValidation, PortalField
from meetdeck.booking.configuration.portals.service.answers import Answer, find_faults


def make_field(name: str = "answer", type: str = "Text", **members: Any) -> PortalField:  # noqa: A002 - the contract's word
    validation = FieldValidation(required=members.pop("required", False), pattern=members.pop("pattern", None))
    members = {"label": "", "placeholder": "", "hidden": False} | members
    return PortalField(id=UUID(int=0), name=name, type=FieldType(type), validation=validation, **members)


def faults_of(fields: list[PortalField], *answers: tuple[str, str]) -> list[tuple[str, str]]:
    return [(fault.pointer, fault.detail) for fault in find_faults(fields, [Answer(*answer) for answer in answers])]


def will_do(value: str, **members: Any) -> bool:
    return not faults_of([make_field(**members)], ("answer", value))


def test_what_is_required_must_be_answered() -> None:
    fields = [make_field("name", required=True), make_field("phone"), make_field("email", required=True)]
    assert faults_of(fields, ("name", "Freja"), ("email", "f@example.com")) == []
    assert faults_of(fields, ("phone", "12345678"), ("name", " \t")) == [
        ("/customFields/1/value", "name is required."),
        ("/customFields", "email is required."),
    ]


def test_a_hidden_field_may_be_answered_and_need_not() -> None:
    fields = [make_field("campaign", hidden=True, required=True, pattern="[A-Z]{3}")]
    assert faults_of(fields) == faults_of(fields, ("campaign", "")) == faults_of(fields, ("campaign", "ABC")) == []
    assert faults_of(fields, ("campaign", "abc")) == [("/customFields/0/value", "Must match the pattern [A-Z]{3}.")]


def test_an_answer_to_no_field_is_refused_naming_those_that_there_are() -> None:
    fields = [make_field("name"), make_field("campaign", hidden=True), make_field("email")]
    assert faults_of(fields, ("Name", "Freja")) == [
        ("/customFields/0/key", "The portal has no such field; it has name, email.")
    ]
    assert faults_of([], ("name", "Freja"))[0][1].endswith("it has none.")
    assert faults_of([make_field(str(one)) for one in range(30)], ("x", ""))[0][1].endswith("18, 19 and 10 more.")


def test_a_field_is_answered_once() -> None:
    assert faults_of([make_field("name")], ("name", "Freja"), ("name", "Frida")) == [
        ("/customFields/1/key", "name is answered by /customFields/0 already.")
    ]


def test_the_pattern_holds_for_the_whole_answer_without_the_spaces_around_it() -> None:
    assert will_do(" 2100 ", pattern=r"\d{4}")
    assert will_do("", pattern=r"\d{4}")
    assert not will_do("21000", pattern=r"\d{4}")
    assert will_do("Yes", type="Dropdown", pattern="Yes|No")
    assert not will_do("Perhaps", type="Dropdown", pattern="Yes|No")


PLAUSIBLE: list[tuple[str, list[str], list[str]]] = [
    ("Text", ["anything\nat all 🙂", "x" * 10_000], ["x" * 10_001]),
    (
        "Phone",
        ["+45 70 10 20 30", "112", "(020) 7946-0018", "70.10.20.30"],
        ["11", "call me", "+", "1" * 21, "\u0663\u0663\u0663"],
    ),
    ("Email", ["freja@example.com", " f@x "], ["freja", "freja@", "a b@example.com", "x@" + "y" * 320]),
    ("Checkbox", ["true", "False", "TRUE"], ["yes", "1"]),
    ("Dropdown", ["One choice"], ["Two\nchoices"]),
]


@pytest.mark.parametrize(("kind", "taken", "refused"), PLAUSIBLE)
def test_an_answer_must_be_plausible_for_its_type(kind: str, taken: list[str], refused: list[str]) -> None:
    assert [value for value in taken if not will_do(value, type=kind)] == []
    assert [value for value in refused if will_do(value, type=kind)] == []


def test_a_required_checkbox_must_be_checked() -> None:
    assert will_do("true", type="Checkbox", required=True)
    assert not will_do("false", type="Checkbox", required=True)
    assert will_do("false", type="Checkbox")


def test_of_very_many_wrong_answers_a_hundred_are_named() -> None:
    assert len(faults_of([make_field(required=True)], *[("x", "")] * 100_000)) == 101
