"""Commands of an installation with a second database of firms, as an operator types them."""

import json
import re
from collections.abc import AsyncGenerator, Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest
import pytest_asyncio
from pydantic import SecretStr

from meetdeck import installation
from meetdeck.embedded_postgres import Endpoint
from meetdeck.migrations import known_revisions
from meetdeck.platform.database import Address, DatabaseUnavailable
from meetdeck.platform.settings import read_settings
from support.databases import copy_database, make_empty_database
from support.terminals import Terminal

pytestmark = [
    pytest.mark.own_database,
    pytest.mark.filterwarnings("ignore:Cyclopts application invoked without tokens"),
]

NameCells = Callable[..., None]


@pytest_asyncio.fixture
async def cell(postgres: Endpoint, migrated: str) -> AsyncGenerator[tuple[Address, Address]]:
    """Lend a second database, as (its owner, the application)."""
    async with copy_database(postgres, migrated) as addresses:
        yield addresses


@pytest.fixture
def name_cells(monkeypatch: pytest.MonkeyPatch) -> NameCells:
    """Lend the naming of cells in the settings: the servers of tests have no address of the network."""
    known: dict[str, Address] = {}

    def read(url: SecretStr, *_: object, **__: object) -> Address:
        return known[url.get_secret_value().rpartition("/")[2]]

    def name(**cells: tuple[Address, Address]) -> None:
        for place, setting in enumerate(("MEETDECK_CELLS_OWNER", "MEETDECK_CELLS")):
            urls = {name: f"postgresql://u:p@h/{addresses[0].database}.{place}" for name, addresses in cells.items()}
            known.update({f"{each[place].database}.{place}": each[place] for each in cells.values()})
            monkeypatch.setenv(setting, ",".join(f"{name}={url}" for name, url in urls.items()))

    monkeypatch.setattr(installation, "read_database_url", read)
    return name


async def test_a_firm_of_a_cell_is_exported_imported_backed_up_and_restored(
    terminal: Terminal,
    cell: tuple[Address, Address],
    name_cells: NameCells,
    postgres: Endpoint,
    tmp_path: Path,
) -> None:
    name_cells(b=cell)

    async def run(*words: str) -> str:
        status, out, err = await terminal.run(*words)
        assert status == 0, err
        return out

    tenant_id = json.loads(await run("tenant", "create", "Havn", "--cell", "b", "--json"))["tenantId"]
    assert json.loads(await run("tenant", "show", tenant_id, "--json"))["cell"] == "b"
    assert json.loads(await run("tenant", "set", tenant_id, "--locale", "da", "--json"))["locale"] == "da"
    await run("key", "create", "--tenant", tenant_id, "--name", "crm")
    (first, second) = json.loads(await run("cell", "list", "--json"))
    assert (first["name"], first["tenants"], first["ok"]) == ("main", 0, True)
    assert (second["name"], second["tenants"], second["ok"]) == ("b", 1, True)
    assert second["bytes"] > 1_000_000

    export, backup = str(tmp_path / "havn.tar.gz"), str(tmp_path / "b.tar.gz")
    await run("export", export, "--tenant", tenant_id)
    await run("backup", backup, "--cell", "b")
    assert (await terminal.run("import-tenant", export))[0] == 1
    await run("tenant", "delete", tenant_id, "--yes")
    assert json.loads(await run("tenant", "list", "--json")) == []
    await run("import-tenant", export, "--cell", "b")
    (imported,) = json.loads(await run("tenant", "list", "--json"))
    assert (imported["name"], imported["cell"]) == ("Havn", "b")

    async with make_empty_database(postgres) as owner:
        name_cells(b=(owner, replace(cell[1], database=owner.database)))
        await run("restore", backup, "--cell", "b")
        shown = json.loads(await run("tenant", "show", tenant_id, "--json"))
        assert (shown["cell"], shown["locale"], shown["liveKeys"]) == ("b", "da", 1)


async def test_a_firm_is_moved_or_the_command_says_in_one_line_why_not(
    terminal: Terminal, cell: tuple[Address, Address], name_cells: NameCells
) -> None:
    name_cells(b=cell)
    _, out, _ = await terminal.run("tenant", "create", "Havn", "--json")
    tenant_id = json.loads(out)["tenantId"]
    unknown = "meetdeck: There is no cell 'c'. The cells of MEETDECK_CELLS are main, b.\n"
    for moved, to, message in (
        (tenant_id, "c", unknown),
        (tenant_id, "main", "meetdeck: Havn lives in main already.\n"),
        (
            str(UUID(int=1)),
            "b",
            f"meetdeck: There is no tenant {UUID(int=1)}: `meetdeck tenant list` lists the tenants.\n",
        ),
    ):
        status, _, err = await terminal.run("tenant", "move", moved, "--to", to)
        assert (status, err) == (1, message)
    status, out, err = await terminal.run("tenant", "move", tenant_id, "--to", "b")
    assert status == 0, err
    assert "Havn moved from main to b: " in out
    _, out, _ = await terminal.run("tenant", "show", tenant_id, "--json")
    assert json.loads(out)["cell"] == "b"
    status, out, err = await terminal.run("tenant", "move", tenant_id, "--to", "main", "--json")
    assert status == 0, err
    report = json.loads(out[out.index("{") :])  # after the log, which is elsewhere in a process of its own
    assert (report["source"], report["target"], report["name"]) == ("b", "main", "Havn")


async def test_cells_that_cannot_be_meant_are_refused_by_name(
    terminal: Terminal,
    cell: tuple[Address, Address],
    name_cells: NameCells,
    postgres: Endpoint,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def is_refused(*expected: str) -> None:
        status, _, err = await terminal.run("tenant", "list")
        assert (status, err.strip().count("\n")) == (1, 0)
        assert all(part in err for part in expected), err

    name_cells(b=cell, c=cell)
    await is_refused("MEETDECK_CELLS", "twice", "b", "c")
    alias = tmp_path / "alias"
    alias.symlink_to(cell[1].host)
    name_cells(b=cell, c=(cell[0], replace(cell[1], host=str(alias))))
    await is_refused("MEETDECK_CELLS", "twice")
    monkeypatch.setenv("MEETDECK_CELLS", "b=postgresql://u:p@h/x,b=postgresql://u:p@h/y")
    await is_refused("MEETDECK_CELLS", "b", "twice")
    async with make_empty_database(postgres) as owner:
        name_cells(b=(owner, owner))
        await is_refused("cell b", "meetdeck migrate")
        assert (await terminal.run("migrate"))[0] == 0
        assert (await terminal.run("tenant", "create", "Havn", "--cell", "b"))[0] == 0
    status, out, _ = await terminal.run("tenant", "list")  # the cell is away: its database is gone
    assert (status, re.findall(r"Havn .*", out)[0].split()[-5:]) == (0, ["-", "-", "-", "b", "(away)"])
    out = (await terminal.run("tenant", "list", "--json"))[1]
    (listed,) = json.loads(out[out.index("[\n") :])  # after the log, which is elsewhere in a process of its own
    assert (listed["name"], listed["liveKeys"], listed["storedBytes"]) == ("Havn", None, None)
    name_cells(c=cell)
    await is_refused("MEETDECK_CELLS", "cell b", "1 firm lives")
    monkeypatch.setenv("MEETDECK_CELLS_READ", "d=postgresql://u:p@h/x")
    await is_refused("MEETDECK_CELLS_READ names d")


async def test_a_cell_that_missed_a_migration_is_not_used_before_it_was_repeated(
    terminal: Terminal, addresses: tuple[Address, Address], cell: tuple[Address, Address], name_cells: NameCells
) -> None:
    name_cells(b=cell)
    _, out, _ = await terminal.run("tenant", "create", "Havn", "--cell", "b", "--json")
    tenant_id = UUID(json.loads(out)["tenantId"])
    owner = await cell[0].connect()
    for revision, is_used in (("0066", False), (known_revisions()[-1], True), ("9999", True)):
        await owner.execute("update alembic_version set version_num = $1", revision)
        async with installation.open_database(read_settings(), addresses[1], connections=1) as database:
            with nullcontext() if is_used else pytest.raises(DatabaseUnavailable):
                async with database.transaction(tenant_id) as connection:
                    assert await connection.fetchval("select name from tenant") == "Havn"
    await owner.close()
