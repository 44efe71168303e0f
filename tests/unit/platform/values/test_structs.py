import msgspec
import pytest

from meetdeck.platform.values import copy_members


class SentBody(msgspec.Struct, frozen=True):
    name: str
    seats: int = 4
    note: str = ""


class StoredResource(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    name: str
    seats: int
    colour: str = "white"


def test_members_of_the_same_names_are_copied_and_others_are_given() -> None:
    assert copy_members(StoredResource, SentBody("Fjorden", note="by the window"), id=1, seats=8) == StoredResource(
        id=1, name="Fjorden", seats=8, colour="white"
    )


def test_a_member_that_nothing_gives_is_missing() -> None:
    with pytest.raises(TypeError, match="id"):
        copy_members(StoredResource, SentBody("Fjorden"))
