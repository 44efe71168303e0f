"""The server from the view of a process that uses it."""

import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import asyncpg
import pytest

from meetdeck.embedded_postgres import EmbeddedPostgres, Endpoint
from meetdeck.platform.database import Address

ROLES = ("superuser", "owner", "app")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("embedded") / f"with spaces and {'a long name ' * 12}"


@pytest.fixture(scope="module")
def endpoint(folder: Path) -> Iterator[Endpoint]:
    with EmbeddedPostgres(folder) as endpoint:
        yield endpoint


def server_of(data_dir: Path) -> int:
    return int((data_dir / "pgdata" / "postmaster.pid").read_text().splitlines()[0])


async def fetch(login: Address, query: str) -> object:
    connection = await asyncpg.connect(**login.arguments)
    try:
        value: object = await connection.fetchval(query)
        return value
    finally:
        await connection.close()


async def test_every_role_connects_to_the_database_meetdeck(endpoint: Endpoint) -> None:
    question = "SELECT session_user || ' in ' || current_database()"
    answers = [await fetch(login, question) for login in (endpoint.superuser, endpoint.owner, endpoint.app)]
    assert answers == ["postgres in meetdeck", "meetdeck_owner in meetdeck", "meetdeck_app in meetdeck"]


async def test_the_owner_owns_the_database_and_cannot_pass_row_level_security(endpoint: Endpoint) -> None:
    rights = (
        "SELECT format('%s %s %s', rolsuper, rolbypassrls, rolcreaterole) FROM pg_roles WHERE rolname = $$meetdeck_{}$$"
    )
    owner = "SELECT datdba::regrole::text FROM pg_database WHERE datname = 'meetdeck'"
    assert await fetch(endpoint.app, owner) == "meetdeck_owner"
    assert await fetch(endpoint.app, rights.format("owner")) == "f f f"
    assert await fetch(endpoint.app, rights.format("app")) == "f f f"


async def test_the_application_owns_nothing_and_creates_nothing(endpoint: Endpoint) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await fetch(endpoint.app, "CREATE TABLE mine (id int)")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await fetch(endpoint.app, "CREATE TEMPORARY TABLE mine (id int)")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await fetch(endpoint.app, "CREATE DATABASE mine")


async def test_the_owner_makes_and_drops_databases_for_tests(endpoint: Endpoint) -> None:
    await fetch(endpoint.owner, "CREATE DATABASE clone TEMPLATE meetdeck")
    await fetch(endpoint.owner, "DROP DATABASE clone")


async def test_the_owner_creates_the_extensions_that_the_schema_needs(endpoint: Endpoint) -> None:
    await fetch(endpoint.owner, "CREATE EXTENSION IF NOT EXISTS btree_gist")
    await fetch(endpoint.owner, "CREATE EXTENSION IF NOT EXISTS pg_trgm")


async def test_search_by_similarity_knows_letters_beyond_ascii(endpoint: Endpoint) -> None:
    await fetch(endpoint.owner, "CREATE EXTENSION IF NOT EXISTS pg_trgm")
    assert await fetch(endpoint.owner, "SELECT similarity('Ærø', 'ærø')") == 1.0
    assert await fetch(endpoint.owner, "SELECT similarity('Ærø', 'år') < 0.5") is True


async def test_letters_beyond_ascii_have_a_lower_case_and_sort_by_code_point(endpoint: Endpoint) -> None:
    assert await fetch(endpoint.app, "SELECT lower('ÆØÅ É Ż')") == "æøå é ż"
    assert await fetch(endpoint.app, "SELECT 'Z' < 'a'") is True


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("password", ["", "wrong"])
async def test_nobody_connects_without_the_right_password(endpoint: Endpoint, role: str, password: str) -> None:
    login: Address = getattr(endpoint, role)
    with pytest.raises(asyncpg.PostgresError, match=r"password authentication failed|empty password"):
        await asyncpg.connect(**replace(login, password=password).arguments)


async def test_the_server_listens_on_no_network(endpoint: Endpoint) -> None:
    assert await fetch(endpoint.superuser, "SHOW listen_addresses") == ""


async def test_what_was_committed_is_on_the_disk(endpoint: Endpoint) -> None:
    for setting in ("fsync", "full_page_writes", "synchronous_commit"):
        assert await fetch(endpoint.app, f"SHOW {setting}") == "on"


def test_the_socket_lies_in_a_short_private_folder(endpoint: Endpoint) -> None:
    state = endpoint.socket_dir.stat()
    assert len(os.fsencode(endpoint.socket_dir / ".s.PGSQL.5432")) < 104
    assert stat.S_IMODE(state.st_mode) == 0o700


def test_every_file_in_the_data_folder_is_private(endpoint: Endpoint, folder: Path) -> None:
    del endpoint
    open_to_others = [path for path in folder.iterdir() if path.stat().st_mode & 0o077]
    assert open_to_others == []


def test_no_password_is_written_anywhere_but_in_the_credentials(endpoint: Endpoint, folder: Path) -> None:
    passwords: list[str] = [getattr(endpoint, role).password for role in ROLES]
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "credentials.json"]
    leaks = [path for path in files if any(password.encode() in path.read_bytes() for password in passwords)]
    assert (folder / "postgres.log") in files
    assert leaks == []
    assert not any(password in repr(endpoint) for password in passwords)


async def test_the_log_tells_nothing_about_customers(endpoint: Endpoint, folder: Path) -> None:
    for login in (endpoint.owner, endpoint.app):
        with pytest.raises(asyncpg.PostgresError):
            await fetch(login, "SELECT CAST('0102031234' || ' is the number of Jensen' AS int)")
    log = (folder / "postgres.log").read_text()
    assert "SELECT CAST" not in log
    assert "invalid input syntax" in log  # the owner's mistake is there, without its statement


def test_ctrl_c_in_the_terminal_does_not_reach_the_server(endpoint: Endpoint, folder: Path) -> None:
    del endpoint
    assert os.getsid(server_of(folder)) != os.getsid(0)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
def test_the_server_inherits_no_open_file_of_ours(data_dir: Path) -> None:
    ours = data_dir.with_name("ours.txt")
    with ours.open("w") as file:
        os.set_inheritable(file.fileno(), True)  # noqa: FBT003 - the standard library's signature
        with EmbeddedPostgres(data_dir):
            inherited = [link.readlink() for link in Path(f"/proc/{server_of(data_dir)}/fd").iterdir()]
    assert inherited
    assert ours not in inherited
    assert data_dir / "turn.lock" not in inherited
    assert data_dir / "lease.lock" not in inherited
