from meetdeck.platform.db import Address

ADDRESS = Address("/tmp/a b/ø", 5432, "meetdeck_app", "s/e:c@r?et", "meetdeck")  # noqa: S108 - only a name


def test_a_password_is_not_shown() -> None:
    assert "s/e:c@r?et" not in f"{ADDRESS!r} {ADDRESS}"
    assert ADDRESS.arguments["password"] == "s/e:c@r?et"
