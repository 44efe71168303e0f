import asyncio
import re
import subprocess
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio

from meetdeck.embedded_postgres import Endpoint
from meetdeck.migrations import Schema, check_schema, known_revisions, migrate, require_schema
from meetdeck.migrations.steps import BASE, VERSIONS
from meetdeck.platform.database import Address
from meetdeck.platform.errors import SetupError
from support.databases import make_empty_database
from support.releases import RELEASES

_SETTINGS = """
select setconfig from pg_db_role_setting join pg_database on setdatabase = pg_database.oid
where datname = current_database()
"""


@pytest_asyncio.fixture
async def empty(postgres: Endpoint) -> AsyncGenerator[Address]:
    async with make_empty_database(postgres) as address:
        yield address


async def execute(address: Address, statement: str) -> None:
    connection = await address.connect()
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


async def describe(address: Address) -> list[str]:
    """Return everything that is in the schema, each thing with when it was made or changed."""
    connection = await address.connect()
    try:
        things: list[str] = await connection.fetchval(
            "select coalesce(array_agg(thing order by thing), '{}') from ("
            " select format('%s %s', oid::regclass, xmin) as thing from pg_class"
            " where relnamespace = 'public'::regnamespace"
            " union all select format('%s %s', oid::regprocedure, xmin) from pg_proc"
            " where pronamespace = 'public'::regnamespace) as things"
        )
        return things
    finally:
        await connection.close()


def test_steps_are_sql_files_numbered_one_after_the_other() -> None:
    first = int(BASE)
    assert known_revisions() == [f"{first + place:04}" for place in range(len(known_revisions()))]
    assert {path.suffix for path in VERSIONS.iterdir() if path.is_file()} == {".sql"}


@pytest.mark.parametrize("release", RELEASES[1:])
def test_a_step_that_a_release_has_never_changes(release: str) -> None:
    """Whoever has run it does not run it again: a change is a step of its own."""
    git = ("git", "-C", str(VERSIONS), "diff", "--name-status", "--no-renames", release, "--", ".", "../schema")
    compared = subprocess.run(git, capture_output=True, text=True, check=False)  # noqa: S603 - our own repository
    if compared.returncode != 0:
        pytest.skip(f"{release} is not to be had: git fetch --unshallow")
    changed = [line for line in compared.stdout.splitlines() if line.endswith(".sql") and not line.startswith("A")]
    assert changed == []


async def test_an_empty_database_gets_the_whole_schema(empty: Address) -> None:
    assert await check_schema(empty) is Schema.EMPTY
    await migrate(empty)
    assert await check_schema(empty) is Schema.CURRENT
    await require_schema(empty)
    connection = await empty.connect()
    compiles = await connection.fetchval(_SETTINGS)  # the server of tests compiles nothing anyway
    await connection.close()
    assert compiles == ["jit=off"]


async def test_the_application_can_see_that_the_schema_is_there(addresses: tuple[Address, Address]) -> None:
    await require_schema(addresses[1])


async def test_migrating_again_changes_nothing(empty: Address) -> None:
    await migrate(empty)
    before = await describe(empty)
    await migrate(empty)
    assert await describe(empty) == before != []


_MIGRATE = """
import asyncio, sys
from meetdeck.migrations import migrate
from meetdeck.platform.database import Address
host, port, user, password, database = sys.stdin.read().split("\\n")
asyncio.run(migrate(Address(host, int(port), user, password, database)))
"""


async def migrate_in_a_process(address: Address) -> str:
    """Migrate as another process does; return what it complained about."""
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", _MIGRATE, stdin=PIPE, stderr=PIPE)
    said = "\n".join(str(value) for value in address.arguments.values())
    _, complaint = await asyncio.wait_for(process.communicate(said.encode()), timeout=60)
    return complaint.decode()


async def test_two_processes_that_start_together_migrate_one_after_the_other(empty: Address) -> None:
    assert await asyncio.gather(migrate_in_a_process(empty), migrate_in_a_process(empty)) == ["", ""]
    await require_schema(empty)


async def test_a_database_of_something_else_is_left_alone(empty: Address) -> None:
    await execute(empty, "create table customers ()")
    before = await describe(empty)
    with pytest.raises(SetupError, match=r"is not Meetdeck's: it has other tables \(customers…\)"):
        await migrate(empty)
    assert await describe(empty) == before


async def test_a_database_of_another_alembic_project_is_left_alone(empty: Address) -> None:
    await execute(empty, "create table alembic_version (version_num text); create table customers ()")
    with pytest.raises(SetupError, match="is not Meetdeck's"):
        await migrate(empty)


async def test_a_schema_of_a_newer_meetdeck_is_not_touched(addresses: tuple[Address, Address]) -> None:
    owner, application = addresses
    await execute(owner, "update alembic_version set version_num = '9999'")
    for address in addresses:
        with pytest.raises(SetupError, match="at schema 9999, which this Meetdeck does not know"):
            await check_schema(address)
    with pytest.raises(SetupError, match="a newer Meetdeck migrated it"):
        await migrate(owner)
    with pytest.raises(SetupError):
        await require_schema(application)


async def test_an_older_schema_says_to_migrate_first(addresses: tuple[Address, Address]) -> None:
    await execute(addresses[0], "update alembic_version set version_num = '0066'")
    assert await check_schema(addresses[0]) is Schema.OLD
    with pytest.raises(SetupError, match="run `meetdeck migrate` first"):
        await require_schema(addresses[1])


async def test_a_schema_from_before_the_first_one_says_which_version_upgrades_it(
    addresses: tuple[Address, Address],
) -> None:
    owner, application = addresses
    await execute(owner, "update alembic_version set version_num = '0065'")
    before = await describe(owner)
    with pytest.raises(SetupError, match="Install the last version before"):
        await migrate(owner)
    with pytest.raises(SetupError, match="at schema 0065, and this Meetdeck upgrades from 0066 on"):
        await require_schema(application)
    assert await describe(owner) == before


async def test_an_empty_database_says_to_migrate_first(empty: Address) -> None:
    with pytest.raises(SetupError, match="run `meetdeck migrate` first"):
        await require_schema(empty)


async def test_a_step_that_fails_changes_nothing(empty: Address) -> None:
    await execute(empty, "create view room as select 1")
    before = await describe(empty)
    with pytest.raises(SetupError, match="failed, and nothing was changed") as caught:
        await migrate(empty)
    assert '"room" already exists' in str(caught.value)
    assert await describe(empty) == before
    await execute(empty, "drop view room")
    await migrate(empty)
    await require_schema(empty)


async def test_a_server_that_is_not_there_is_one_line_for_the_operator(tmp_path: Path) -> None:
    nowhere = Address(str(tmp_path), 5432, "owner", "secret", "meetdeck")
    with pytest.raises(SetupError, match=re.escape(f"The database meetdeck on {tmp_path} cannot be used")):
        await migrate(nowhere)
