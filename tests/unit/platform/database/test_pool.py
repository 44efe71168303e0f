from dataclasses import replace
from pathlib import Path

import asyncpg
import pytest

from meetdeck.platform.database import Address, Database, DatabaseUnavailable
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


@pytest.mark.parametrize(
    "sqlstate",
    [
        "08006",  # the connection failed
        "25006",  # the server is a standby now
        "25P03",  # it ended a transaction that paused
        "28000",  # it does not let us in
        "3D000",  # it has no such database
        "53300",  # it has too many connections
        "55000",  # it is a standby, and asked for what only a primary has
        "57014",  # somebody cancelled the statement
        "57P01",  # it shuts down
        "57P02",  # another of its processes crashed
        "57P03",  # it is starting up
        "57P04",  # the database was dropped
        "57P05",  # it ended an idle connection
    ],
)
def test_an_error_of_a_server_that_goes_away_or_changes_its_role_is_unavailable(sqlstate: str) -> None:
    error = asyncpg.PostgresError.new({"C": sqlstate, "M": "", "S": "FATAL"})
    ours = Database(ADDRESS).translate(error)
    assert isinstance(ours, DatabaseUnavailable)
    assert ours.retry_after_seconds
