import pytest

from meetdeck.platform.db import Address, Database
from meetdeck.platform.errors import SetupError

ADDRESS = Address("/tmp/a b/ø", 5432, "meetdeck_app", "s/e:c@r?et", "meetdeck")  # noqa: S108 - only a name


def test_a_password_is_not_shown() -> None:
    assert "s/e:c@r?et" not in f"{ADDRESS!r} {ADDRESS}"
    assert ADDRESS.arguments["password"] == "s/e:c@r?et"


async def test_a_server_that_is_not_there_is_one_line_for_the_operator() -> None:
    with pytest.raises(SetupError, match=r"The database meetdeck on /tmp/a b/ø cannot be used") as caught:
        await ADDRESS.connect()
    assert "s/e:c@r?et" not in str(caught.value)
    with pytest.raises(SetupError, match="cannot be used"):
        async with Database(ADDRESS):
            pass


def test_a_pool_that_nobody_opened_says_how_to_open_it() -> None:
    with pytest.raises(RuntimeError, match="async with database"):
        _ = Database(ADDRESS).pool
