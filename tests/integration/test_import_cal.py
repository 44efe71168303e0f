"""`meetdeck import cal`: a folder of Cal.com's answers becomes a firm, all or nothing."""

import json
from pathlib import Path

import pytest

from support.cal_answers import write_answers
from support.terminals import Terminal

pytestmark = pytest.mark.filterwarnings("ignore:Cyclopts application invoked without tokens")


async def test_a_firm_moves_from_cal_after_a_dry_run_and_a_second_time_changes_nothing(
    terminal: Terminal, tmp_path: Path
) -> None:
    _, out, _ = await terminal.run("tenant", "create", "Ny Bank", "--json")
    line = ("import", "cal", str(write_answers(tmp_path)), "--tenant", json.loads(out)["tenantId"])
    status, told, left_out = await terminal.run(*line, "--dry-run")
    assert (status, told.splitlines()[-1]) == (0, "A dry run: nothing was changed."), left_out
    assert "bookingFields: Left out: ask these questions in the portal's form. (Mortgage)" in left_out
    assert (await terminal.run(*line))[0] == 0
    status, out, _ = await terminal.run(*line, "--json")
    counts = {
        count["kind"]: (count["new"], count["changed"], count["unchanged"]) for count in json.loads(out)["counts"]
    }
    assert (status, counts) == (
        0,
        {
            "topics": (0, 0, 2),
            "employees": (0, 0, 2),
            "schedules": (0, 0, 1),
            "calendar-entries": (0, 0, 5),
            "competence-groups": (0, 0, 2),
        },
    )


async def test_a_wrong_item_is_named_and_nothing_is_imported(terminal: Terminal, tmp_path: Path) -> None:
    _, out, _ = await terminal.run("tenant", "create", "Ny Bank", "--json")
    tenant = json.loads(out)["tenantId"]
    folder = write_answers(tmp_path, event_types=[{"id": 11, "title": "Pension check", "lengthInMinutes": 0}])
    status, out, err = await terminal.run("import", "cal", str(folder), "--tenant", tenant)
    assert (status, out) == (1, "")
    assert f"{folder}/event-types.json:4: data[0].durationMinutes: " in err
    write_answers(tmp_path)
    _, out, _ = await terminal.run("import", "cal", str(folder), "--tenant", tenant, "--json")
    assert {count["kind"]: count["new"] for count in json.loads(out)["counts"]}["employees"] == 2
