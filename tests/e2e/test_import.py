"""`meetdeck import` that is killed; `integration/test_import_command.py` has what it prints."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import pytest

from meetdeck.embedded_postgres import EmbeddedPostgres
from support.installation import Installation

# Somebody holds the lock of imports, and has changed something in the same transaction.
IS_WRITING = """
select exists (
    select from pg_locks as importing join pg_locks as writing using (pid)
    where importing.locktype = 'advisory' and writing.locktype = 'transactionid'
)
"""


@pytest.fixture(scope="module")
def installation(running: Installation) -> Installation:
    """Lend one installation to all tests: each imports what no other does."""
    return running


def make_tenant(installation: Installation) -> str:
    """Make a tenant, and return its id."""
    ended = installation.command("tenant", "create", f"Imported {uuid4()}", "--json")
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)["tenantId"]


@pytest.fixture(scope="module")
def tenant(installation: Installation, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Lend the id of a tenant of this file's own with a customer type; its installation is serving."""
    tenant = make_tenant(installation)
    file = write(tmp_path_factory.mktemp("types"), "customer-types.csv", "name\nPrivate\n")
    assert count_new(installation.command("import", file, "--json", "--tenant", tenant)) == [1]
    return tenant


def write(folder: Path, name: str, content: str) -> str:
    (folder / name).write_text(content, encoding="utf-8")
    return str(folder / name)


def write_employees(folder: Path, number: int) -> str:
    rows = "".join(f"Advisor {each},a{each}@example.com,Private\n" for each in range(number))
    return write(folder, "employees.csv", f"name,email,customerTypes\n{rows}")


def count_new(ended: "subprocess.CompletedProcess[str]") -> list[int]:
    assert ended.returncode == 0, ended.stderr
    return [count["new"] for count in json.loads(ended.stdout)["counts"]]


@pytest.mark.thorough
async def test_an_import_that_is_killed_in_the_middle_leaves_nothing(
    installation: Installation, tenant: str, tmp_path: Path
) -> None:
    file = write_employees(tmp_path, 2_000)
    with EmbeddedPostgres(installation.data_dir / "postgres") as endpoint:
        connection = await endpoint.owner.connect()
        process = subprocess.Popen(  # noqa: ASYNC220, S603 - our own program, which is killed before anybody waits
            [sys.executable, "-m", "meetdeck", "import", file, "--tenant", tenant],
            env=os.environ | {"MEETDECK_DATA_DIR": str(installation.data_dir)},
        )
        while not await connection.fetchval(IS_WRITING):
            assert process.poll() is None
            await asyncio.sleep(0.01)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        await connection.close()
    assert count_new(installation.command("import", file, "--json", "--tenant", tenant)) == [2_000]
    assert count_new(installation.command("import", file, "--json", "--tenant", tenant)) == [0]
