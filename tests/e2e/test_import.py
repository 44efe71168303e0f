"""`meetdeck import` as an administrator runs it."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Protocol

import pytest

from meetdeck.platform.embedded_postgres import EmbeddedPostgres

UNKNOWN = "00000000-0000-4000-8000-000000000000"

# Somebody holds the lock of imports, and has changed something in the same transaction.
IS_WRITING = """
select exists (
    select from pg_locks as importing join pg_locks as writing using (pid)
    where importing.locktype = 'advisory' and writing.locktype = 'transactionid'
)
"""


class Running(Protocol):
    """What `conftest.Installation` lends."""

    data_dir: Path

    def command(self, *arguments: str) -> "subprocess.CompletedProcess[str]": ...
    def start(self, *arguments: str) -> str: ...


@pytest.fixture(scope="module")
def installation(shared_installation: Running) -> Running:
    """Lend one installation to all tests: each imports what no other does."""
    return shared_installation


@pytest.fixture(scope="module")
def tenant(installation: Running) -> str:
    """Lend the id of a demo firm, whose installation is serving."""
    installation.start()
    credentials = json.loads((installation.data_dir / "dev-credentials.json").read_text(encoding="utf-8"))
    return credentials["tenants"][0]["tenantId"]


def write(folder: Path, name: str, content: str) -> str:
    (folder / name).write_text(content, encoding="utf-8")
    return str(folder / name)


def write_employees(folder: Path, number: int) -> str:
    rows = "".join(f"Advisor {each},a{each}@example.com,Private\n" for each in range(number))
    return write(folder, "employees.csv", f"name,email,customerTypes\n{rows}")


def count_new(ended: "subprocess.CompletedProcess[str]") -> list[int]:
    assert ended.returncode == 0, ended.stderr
    return [count["new"] for count in json.loads(ended.stdout)["counts"]]


def test_a_dry_run_tells_an_import_does_and_again_there_is_nothing_to_do(
    installation: Running, tenant: str, tmp_path: Path
) -> None:
    file = write(tmp_path, "rooms.csv", "name;location;capacity;view\nUdsigten;Aarhus;12;sea\n")
    told = installation.command("import", file, "--tenant", tenant, "--dry-run")
    assert told.returncode == 0, told.stderr
    assert told.stdout == "Rooms  1 new, 0 changed, 0 unchanged\nA dry run: nothing was changed.\n"
    assert told.stderr == f"{file}:1: view: An unknown column, left out.\n"
    done = installation.command("import", file, "--tenant", tenant)
    assert done.stdout == "Rooms  1 new, 0 changed, 0 unchanged\nImported.\n"
    again = installation.command("import", file, "--tenant", tenant)
    assert again.stdout == "Rooms  0 new, 0 changed, 1 unchanged\nImported.\n"


def test_wrong_rows_are_named_and_nothing_is_imported(installation: Running, tenant: str, tmp_path: Path) -> None:
    file = write(tmp_path, "rooms.csv", "name,capacity\nA,4\n,many\n")
    ended = installation.command("import", file, "--tenant", tenant)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.splitlines() == [
        f"{file}:3: capacity: 'many' is no whole number.",
        f"{file}:3: name: name is required.",
        "meetdeck: Nothing was imported: 2 problems in 1 row. Mend the rows, and import again.",
    ]
    mended = write(tmp_path, "rooms.csv", "name,capacity\nA,4\n")
    assert count_new(installation.command("import", mended, "--json", "--tenant", tenant)) == [1]


def test_with_json_the_outcome_is_read_by_programs(installation: Running, tenant: str, tmp_path: Path) -> None:
    file = write(tmp_path, "rooms.json", '[{"name": "B"}]')
    ended = installation.command("import", file, "--json", "--tenant", tenant)
    assert ended.returncode == 1
    assert json.loads(ended.stdout) == {
        "dryRun": False,
        "counts": [{"kind": "rooms", "new": 0, "changed": 0, "unchanged": 0, "examples": []}],
        "problems": [{"file": file, "line": 1, "column": "rooms[0].capacity", "detail": "capacity is required."}],
        "warnings": [],
    }


def test_what_an_operator_can_mend_is_one_line(installation: Running, tenant: str, tmp_path: Path) -> None:
    rooms = write(tmp_path, "rooms.csv", "name,capacity\nA,4\n")
    for arguments, said in (
        ((rooms, "--tenant", UNKNOWN), f"There is no tenant {UNKNOWN}"),
        ((str(tmp_path / "missing.csv"), "--tenant", tenant), "No such file"),
        ((rooms, "--kind", "cars", "--tenant", tenant), "--kind cars"),
        (("--tenant", tenant), "at least one file"),
    ):
        ended = installation.command("import", *arguments)
        assert ended.returncode == 1
        assert len(ended.stderr.strip().splitlines()) == 1, ended.stderr
        assert said in ended.stderr


async def test_an_import_that_is_killed_in_the_middle_leaves_nothing(
    installation: Running, tenant: str, tmp_path: Path
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
