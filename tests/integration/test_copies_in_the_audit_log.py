"""The audit log tells who copied a firm's data, or all firms', and who brought them here."""

import json
from pathlib import Path

import pytest

from support.archives import hash_files
from support.terminals import Terminal

pytestmark = pytest.mark.filterwarnings("ignore:Cyclopts application invoked without tokens")


async def run(terminal: Terminal, *words: str) -> str:
    status, out, err = await terminal.run(*words)
    assert status == 0, err
    return out


async def read_log(terminal: Terminal, tenant_id: str) -> list[tuple[str, str, str, str]]:
    """Return what the log tells, the oldest first."""
    page = json.loads(await run(terminal, "audit-log", "--tenant", tenant_id, "--json"))
    assert all(entry["operator"] for entry in page["items"])
    return [
        (entry["action"], entry["kind"], entry["resourceName"], entry["command"]) for entry in reversed(page["items"])
    ]


async def test_backups_and_exports_are_told_to_each_firm_whose_data_they_hold(
    terminal: Terminal, tmp_path: Path
) -> None:
    first, second = [
        json.loads(await run(terminal, "tenant", "create", name, "--json"))["tenantId"] for name in ("Ny", "Gammel")
    ]
    backup, export = str(tmp_path / "all.tar.gz"), str(tmp_path / "ny.tar.gz")
    await run(terminal, "backup", backup)
    await run(terminal, "export", export, "--tenant", first)
    told = ("created", "backups", backup, "backup")
    assert (await read_log(terminal, second))[1:] == [told]
    exported = [told, ("created", "exports", export, "export")]
    assert (await read_log(terminal, first))[1:] == exported

    await run(terminal, "tenant", "delete", first, "--yes")
    await run(terminal, "import-tenant", export)
    assert (await read_log(terminal, first))[1:] == [*exported, ("imported", "exports", export, "import-tenant")]


async def test_an_export_of_a_firm_that_is_not_there_is_one_line(terminal: Terminal, tmp_path: Path) -> None:
    unknown = "00000000-0000-4000-8000-000000000000"
    status, out, err = await terminal.run("export", str(tmp_path / "left"), "--tenant", unknown)
    assert (status, out) == (1, "")
    assert err == f"meetdeck: There is no tenant {unknown}: `meetdeck tenant list` lists the tenants.\n"
    assert hash_files(tmp_path) == {}
