"""`meetdeck import` as an administrator runs it."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from meetdeck.embedded_postgres import EmbeddedPostgres
from support.installation import Installation

PAGE = (Path(__file__).parents[2] / "docs/importing.md").read_text(encoding="utf-8")
SHOWN = re.compile(r"`([\w-]+\.csv)`[^`\n]*\n\n```csv\n(.*?)```", re.DOTALL)

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


def test_a_dry_run_tells_an_import_does_and_again_there_is_nothing_to_do(
    installation: Installation, tenant: str, tmp_path: Path
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


def test_the_pages_examples_are_imported_as_pasted(installation: Installation, tmp_path: Path) -> None:
    """First all files of the page, then its commands, then its JSON."""
    other = make_tenant(installation)
    shown = dict(SHOWN.findall(PAGE))
    assert len(shown) == PAGE.count("```csv"), "an example has no name before it"
    for name, content in shown.items():
        write(tmp_path, name, content)
    (whole,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    write(tmp_path, "firm.json", whole)

    everything = f"meetdeck import {' '.join(shown)} --tenant $TENANT --json"
    first = paste(installation, tmp_path, other, everything)
    assert (first["problems"], first["warnings"]) == ([], [])
    assert {count["kind"] for count in first["counts"]} == {name.removesuffix(".csv") for name in shown}
    assert all(count["new"] + count["changed"] for count in first["counts"])
    assert (
        sum(count["new"] + count["changed"] for count in paste(installation, tmp_path, other, everything)["counts"])
        == 0
    )

    (commands,) = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    assert "--dry-run" in commands
    paste(installation, tmp_path, other, f"({commands}) >&2; meetdeck import firm.json --tenant $TENANT --json")
    again = paste(installation, tmp_path, other, "meetdeck import firm.json --tenant $TENANT --json")
    assert not any(count["new"] + count["changed"] for count in again["counts"])


def paste(installation: Installation, folder: Path, tenant: str, commands: str) -> dict[str, Any]:
    """Run commands in a shell in which `meetdeck` is this installation's; return what was printed last, as JSON."""
    program = f'meetdeck() {{ "{sys.executable}" -m meetdeck "$@"; }}\n'
    ended = subprocess.run(
        ["/usr/bin/env", "bash", "-euo", "pipefail"],
        input=program + commands,
        cwd=folder,
        env=os.environ | {"MEETDECK_DATA_DIR": str(installation.data_dir), "TENANT": tenant},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return json.loads(ended.stdout)


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
