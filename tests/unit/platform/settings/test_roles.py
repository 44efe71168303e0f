import pytest

from meetdeck.platform.settings import RoleNames

NAMES = RoleNames()
LADDER = ["Meetdeck.Employee", "Meetdeck.Manager", "Meetdeck.Configurator", "Meetdeck.Admin"]


@pytest.mark.parametrize("height", [1, 2, 3])
def test_each_role_may_what_the_ones_before_may(height: int) -> None:
    assert NAMES.complete([LADDER[height - 1]]) == set(LADDER[:height])


def test_an_admin_has_the_elevated_role_too() -> None:
    assert NAMES.complete(["Meetdeck.Admin"]) == {*LADDER, "Meetdeck.Elevated"}


def test_the_elevated_role_is_no_persons() -> None:
    assert NAMES.complete(["Meetdeck.Elevated"]) == {"Meetdeck.Elevated"}


def test_the_highest_of_several_counts_and_others_values_stay() -> None:
    assert NAMES.complete(["read", "Meetdeck.Manager", "Meetdeck.Employee"]) == {"read", *LADDER[:2]}
    assert NAMES.find_highest(["Meetdeck.Manager", "read", "Meetdeck.Employee"]) == "Meetdeck.Manager"


def test_who_has_no_role_of_ours_gets_none() -> None:
    assert NAMES.complete(["read", "meetdeck.admin"]) == {"read", "meetdeck.admin"}
    assert NAMES.find_highest([]) is None


def test_two_roles_may_have_one_name() -> None:
    names = RoleNames(manager="Boss", admin="Boss")
    assert names.complete(["Boss"]) == {"Meetdeck.Employee", "Boss", "Meetdeck.Configurator", "Meetdeck.Elevated"}
