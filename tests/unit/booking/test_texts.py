from typing import Annotated

import msgspec
import pytest
from msgspec import Meta

from meetdeck.booking.texts import Email, Line, Name, Text
from meetdeck.platform.errors import Fault
from meetdeck.platform.values import InvalidInput, read_builtins, read_json, write_json
from meetdeck.platform.values.patching import apply_patch, read_patch


class Branch(msgspec.Struct, frozen=True, rename="camel"):
    shown_as: Name


class Body(msgspec.Struct, frozen=True, rename="camel"):
    full_name: Name
    phone: Line = ""
    email: Email = ""
    note: Text = ""
    nickname: Name | None = None
    tags: Annotated[list[Name], Meta(max_length=10)] = []
    branches: list[Branch] = []
    numbers: list[int] = []


def read_texts(body: Body) -> Body:
    return read_json(write_json(body), Body)


def test_spaces_around_names_lines_and_addresses_do_not_count() -> None:
    read = read_texts(
        Body(" Anna\n", phone=" 1 ", email=" a@b ", note=" as is ", tags=[" x "], branches=[Branch(" y ")], numbers=[1])
    )
    assert read == Body("Anna", phone="1", email="a@b", note=" as is ", tags=["x"], branches=[Branch("y")], numbers=[1])


def test_two_hundred_characters_are_a_name() -> None:
    assert len(read_texts(Body(f"  {'å' * 200}  ")).full_name) == 200


def test_lines_and_addresses_may_be_empty() -> None:
    assert read_texts(Body("Anna", phone="  ", email=" ")) == Body("Anna")


def test_every_wrong_text_is_named_with_its_pointer() -> None:
    wrong = Body(
        " ", phone="1" * 201, email="anna", nickname="", tags=["x", "\t"], branches=[Branch("z" * 201)], numbers=[1]
    )
    with pytest.raises(InvalidInput) as caught:
        read_texts(wrong)
    assert {fault.pointer: fault.detail for fault in caught.value.faults} == {
        "/fullName": "Must not be empty.",
        "/phone": "Must have at most 200 characters.",
        "/email": "Write an e-mail address like anna@example.com.",
        "/nickname": "Must not be empty.",
        "/tags/1": "Must not be empty.",
        "/branches/0/shownAs": "Must have at most 200 characters.",
    }
    assert "And 1 more." in caught.value.detail


@pytest.mark.parametrize("address", ["anna@", "@example.com", "a b@example.com", "a@b@c", "a@b\nc"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(InvalidInput):
        read_texts(Body("Anna", email=address))


@pytest.mark.parametrize(
    "breaks", ["\n", "\r\n", "\t", "\x1b", "\x7f", "\x85", "\x0b", "\u2028", "\u2029", "\u202e", "\u2067"]
)
def test_a_name_is_one_line(breaks: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_texts(Body(f"Anna{breaks}{breaks}Your account is locked", phone=f"1{breaks}2"))
    assert [fault.pointer for fault in caught.value.faults] == ["/fullName", "/phone"]
    assert caught.value.faults[0].detail == (
        f"Character 5 is a line break or another control character (U+{ord(breaks[0]):04X}); write one line."
    )


class Tree(msgspec.Struct, frozen=True):
    name: Name
    below: "list[Tree]" = []


def test_texts_are_trimmed_at_every_depth() -> None:
    assert read_json(b'[{"name": " a", "below": [{"name": "b "}]}]', list[Tree]) == [Tree("a", [Tree("b")])]


def test_wrong_texts_are_named_beside_whatever_else_is_wrong() -> None:
    with pytest.raises(InvalidInput) as caught:
        read_json(b'{"fullName": " ", "numbers": [1, "two"], "email": "anna"}', Body)
    assert {fault.pointer: fault.detail for fault in caught.value.faults} == {
        "/fullName": "Must not be empty.",
        "/email": "Write an e-mail address like anna@example.com.",
        "/numbers/1": "Write a whole number.",
    }


def test_a_hundred_wrong_items_are_enough() -> None:
    with pytest.raises(InvalidInput) as caught:
        read_json(write_json(Tree("a", [Tree("")] * 1_000)), Tree)
    assert len(caught.value.faults) == 100


def test_forms_and_queries_are_trimmed_too() -> None:
    read = read_builtins({"fullName": " Anna ", "numbers": ["1"]}, Body, pointer="/query", strict=False)
    assert read == Body("Anna", numbers=[1])
    with pytest.raises(InvalidInput) as caught:
        read_builtins({"fullName": ""}, Body, pointer="/query", strict=False)
    assert caught.value.faults == (Fault("/query/fullName", "Must not be empty."),)


def test_the_result_of_a_patch_is_trimmed_and_its_fault_leads_to_the_operation() -> None:
    patch = read_patch(b'[{"op": "replace", "path": "/fullName", "value": " Bo "}]')
    assert apply_patch(Body("Anna"), patch, Body) == Body("Bo")
    with pytest.raises(InvalidInput) as caught:
        apply_patch(Body("Anna"), read_patch(b'[{"op": "add", "path": "/email", "value": "bo"}]'), Body)
    assert [fault.pointer for fault in caught.value.faults] == ["/operations/0/value"]
