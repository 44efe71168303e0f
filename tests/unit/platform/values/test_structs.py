import msgspec
import pytest

from meetdeck.platform.values import copy_members


class Given(msgspec.Struct, frozen=True):
    name: str
    seats: int = 4
    note: str = ""


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    name: str
    seats: int
    colour: str = "white"


def test_members_of_the_same_names_are_copied_and_others_are_given() -> None:
    assert copy_members(Kept, Given("Fjorden", note="by the window"), id=1, seats=8) == Kept(
        id=1, name="Fjorden", seats=8, colour="white"
    )


def test_a_member_that_nothing_gives_is_missing() -> None:
    with pytest.raises(TypeError, match="id"):
        copy_members(Kept, Given("Fjorden"))
