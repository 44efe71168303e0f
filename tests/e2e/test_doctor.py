"""`meetdeck doctor` as an operator runs it: beside a running service, without one, and with settings that are wrong."""

import json
from pathlib import Path
from subprocess import CompletedProcess

import httpx
import pytest

from support.installation import Installation

NAMED_BY_THE_DOCUMENTS = {"settings", "database", "schema", "storage", "renderer", "issuer", "clock", "disk"}


def read(ended: CompletedProcess[str]) -> dict[str, tuple[str, str]]:
    """Return each check's status and advice, by its name."""
    assert ended.stderr == ""
    document = json.loads(ended.stdout)
    worst = max((one["status"] for one in document["checks"]), key=["ok", "warning", "fault"].index)
    assert document["status"] == worst
    return {one["name"]: (one["status"], one["advice"]) for one in document["checks"]}


def read_secrets(data_dir: Path) -> set[str]:
    credentials = json.loads((data_dir / "postgres/credentials.json").read_text())
    return {*map(str, credentials.values()), (data_dir / "encryption-key").read_text()}


@pytest.mark.thorough
@pytest.mark.one_clock  # of the token issuer and of this process
def test_it_tells_what_is_wrong_beside_a_service_and_without_one(installation: Installation) -> None:
    address = installation.start()
    beside = installation.command("doctor", "--json")
    found = read(beside)
    assert found.keys() >= NAMED_BY_THE_DOCUMENTS
    assert (beside.returncode, [name for name, (status, _) in found.items() if status == "fault"]) == (0, [])
    assert httpx.get(f"{address}/health/ready").status_code == 200
    assert not any(secret in beside.stdout for secret in read_secrets(installation.data_dir))

    installation.stop()
    installation.settings |= {"MEETDECK_ONLY": "booking", "MEETDECK_DATABSE_URL": "misspelled"}
    alone = read(installation.command("doctor", "--json"))
    assert (alone["database"][0], alone["settings"]) == ("ok", ("warning", "Is MEETDECK_DATABASE_URL meant?"))
    assert not (installation.data_dir / "postgres/pgdata/postmaster.pid").exists()


def test_before_the_first_start_it_makes_nothing(installation: Installation) -> None:
    installation.settings["MEETDECK_ONLY"] = "booking"
    found = installation.command("doctor", "--json")
    assert (found.returncode, read(found)["database"]) == (0, ("warning", "`meetdeck serve` creates it."))
    assert not installation.data_dir.exists()

    installation.settings |= {"MEETDECK_PORT": "eighty", "MEETDECK_DATABASE_URL": "postgresql://app:not-told@db/x"}
    wrong = installation.command("doctor")
    assert (wrong.returncode, wrong.stderr) == (1, "")
    heading, row = wrong.stdout.splitlines()
    assert heading.split() == ["Check", "Status", "Finding", "What", "to", "do"]
    assert row.split()[:2] == ["settings", "fault"]
    assert "MEETDECK_PORT" in row
    assert "not-told" not in wrong.stdout
