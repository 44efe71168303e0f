"""The output and the exit status of `meetdeck import`."""

import json
import re
from pathlib import Path

import pytest

from support.terminals import Terminal

pytestmark = pytest.mark.filterwarnings("ignore:Cyclopts application invoked without tokens")

PAGE = (Path(__file__).parents[2] / "docs/import-files.md").read_text(encoding="utf-8")
SHOWN = re.compile(r"`([\w-]+\.csv)`[^`\n]*\n\n```csv\n(.*?)```", re.DOTALL)
UNKNOWN = "00000000-0000-4000-8000-000000000000"


async def make_tenant(terminal: Terminal) -> str:
    _, out, _ = await terminal.run("tenant", "create", "Ny Bank", "--json")
    return json.loads(out)["tenantId"]


def write(folder: Path, name: str, content: str) -> str:
    (folder / name).write_text(content, encoding="utf-8")
    return str(folder / name)


async def count_written(terminal: Terminal, tenant: str, *files: str) -> dict[str, int]:
    """Import files; return how many rows of each kind are new or changed."""
    status, out, err = await terminal.run("import", *files, "--tenant", tenant, "--json")
    assert status == 0, err
    done = json.loads(out)
    assert (done["problems"], done["warnings"]) == ([], [])
    return {count["kind"]: count["new"] + count["changed"] for count in done["counts"]}


async def test_a_dry_run_tells_an_import_does_and_again_there_is_nothing_to_do(
    terminal: Terminal, tmp_path: Path
) -> None:
    tenant = await make_tenant(terminal)
    file = write(tmp_path, "rooms.csv", "name;location;capacity;view\nUdsigten;Aarhus;12;sea\n")
    told = await terminal.run("import", file, "--tenant", tenant, "--dry-run")
    assert told[:2] == (0, "Rooms  1 new, 0 changed, 0 unchanged\nA dry run: nothing was changed.\n")
    assert told[2] == f"{file}:1: view: An unknown column, left out.\n"
    done = await terminal.run("import", file, "--tenant", tenant)
    assert done[1] == "Rooms  1 new, 0 changed, 0 unchanged\nImported.\n"
    again = await terminal.run("import", file, "--tenant", tenant)
    assert again[1] == "Rooms  0 new, 0 changed, 1 unchanged\nImported.\n"


async def test_the_pages_examples_are_imported_and_again_there_is_nothing_to_do(
    terminal: Terminal, tmp_path: Path
) -> None:
    """The page's commands are run by `e2e/test_pasted_pages.py`."""
    tenant = await make_tenant(terminal)
    shown = dict(SHOWN.findall(PAGE))
    assert len(shown) == PAGE.count("```csv"), "an example has no name before it"
    files = [write(tmp_path, name, content) for name, content in shown.items()]
    written = await count_written(terminal, tenant, *files)
    assert written.keys() == {name.removesuffix(".csv") for name in shown}
    assert all(written.values())
    assert not any((await count_written(terminal, tenant, *files)).values())
    (whole,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    firm = write(tmp_path, "firm.json", whole)
    assert any((await count_written(terminal, tenant, firm)).values())
    assert not any((await count_written(terminal, tenant, firm)).values())


async def test_wrong_rows_are_named_and_nothing_is_imported(terminal: Terminal, tmp_path: Path) -> None:
    tenant = await make_tenant(terminal)
    file = write(tmp_path, "rooms.csv", "name,capacity\nA,4\n,many\n")
    status, out, err = await terminal.run("import", file, "--tenant", tenant)
    assert (status, out) == (1, "")
    assert err.splitlines() == [
        f"{file}:3: capacity: 'many' is not a whole number.",
        f"{file}:3: name: name is required.",
        "meetdeck: Nothing was imported: 2 problems in 1 row. Fix the rows and import again.",
    ]
    mended = write(tmp_path, "rooms.csv", "name,capacity\nA,4\n")
    status, out, _ = await terminal.run("import", mended, "--json", "--tenant", tenant)
    assert (status, [count["new"] for count in json.loads(out)["counts"]]) == (0, [1])


async def test_with_json_the_outcome_is_read_by_programs(terminal: Terminal, tmp_path: Path) -> None:
    file = write(tmp_path, "rooms.json", '[{"name": "B"}]')
    status, out, _ = await terminal.run("import", file, "--json", "--tenant", await make_tenant(terminal))
    assert status == 1
    assert json.loads(out) == {
        "dryRun": False,
        "counts": [{"kind": "rooms", "new": 0, "changed": 0, "unchanged": 0, "examples": []}],
        "problems": [{"file": file, "line": 1, "column": "rooms[0].capacity", "detail": "capacity is required."}],
        "warnings": [],
    }


async def test_what_an_operator_can_mend_is_one_line(terminal: Terminal, tmp_path: Path) -> None:
    tenant, rooms = await make_tenant(terminal), write(tmp_path, "rooms.csv", "name,capacity\nA,4\n")
    for arguments, expected, said in (
        ((rooms, "--tenant", UNKNOWN), 1, f"There is no tenant {UNKNOWN}"),
        ((str(tmp_path / "missing.csv"), "--tenant", tenant), 1, "No such file"),
        ((rooms, "--kind", "cars", "--tenant", tenant), 2, "--kind cars: it must be one of locations, customer-types"),
        (("--tenant", tenant), 2, "Name the files to import"),
    ):
        status, _, err = await terminal.run("import", *arguments)
        assert status == expected
        assert len(err.strip().splitlines()) == 1, err
        assert said in err
