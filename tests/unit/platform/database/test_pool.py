from dataclasses import replace
from pathlib import Path

import pytest

from meetdeck.platform.database import Address, Database
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


async def test_a_missing_certificate_of_an_authority_is_told_to_the_operator(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    address = replace(ADDRESS, host="127.0.0.1", sslmode="verify-full")
    with pytest.raises(SetupError, match=r"cannot be used.*certificate"):
        await address.connect()
    with pytest.raises(SetupError, match=r"cannot be used.*certificate"):
        async with Database(address):
            pass


def test_a_pool_that_nobody_opened_says_how_to_open_it() -> None:
    with pytest.raises(RuntimeError, match="async with database"):
        _ = Database(ADDRESS).pool
