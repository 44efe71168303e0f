from typing import Annotated

import msgspec
import pytest
from msgspec import Meta

from meetdeck.booking.texts import Email, Line, Name, Text, read_texts
from meetdeck.platform.serialization import InvalidInput


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
        "/fullName": "Empty; write something.",
        "/phone": "201 characters; 200 are the most.",
        "/email": "No e-mail address: write it like anna@example.com.",
        "/nickname": "Empty; write something.",
        "/tags/1": "Empty; write something.",
        "/branches/0/shownAs": "201 characters; 200 are the most.",
    }
    assert "And 1 more." in caught.value.detail


@pytest.mark.parametrize("address", ["anna@", "@example.com", "a b@example.com", "a@b@c", "a@b\nc"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(InvalidInput):
        read_texts(Body("Anna", email=address))
