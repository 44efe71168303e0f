"""`meetdeck backup --keep` thins out a series of backups; the last success is told by metrics and doctor."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine

from meetdeck.administration.backups.success import BackupNumbers
from meetdeck.administration.backups.thinning import read_series
from meetdeck.doctor.database import check_backup
from meetdeck.doctor.outcome import Finding, Status
from meetdeck.platform.database import Address, Database
from meetdeck.platform.database.metrics import collect
from meetdeck.platform.process import clock
from support.factories import make_settings
from support.terminals import Terminal

pytestmark = pytest.mark.filterwarnings("ignore:Cyclopts application invoked without tokens")

LAST_SUCCESS = "meetdeck_backup_last_success_timestamp_seconds"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder for backups with those of three nights, each older than the next, and what is none of them."""
    made = tmp_path / "nightly"
    made.mkdir()
    names = ["2026-11-19.tar.gz", "2026-11-20.tar.gz", "2026-11-21.tar.gz"]
    others = [
        "before.tar.gz",
        "2026-11-01.tar.gz.unfinished",
        "bank-2026-11-02.tar.gz",
        "2026-11-03.tar.gz.age",
        "7.tar.gz",
    ]
    for place, name in enumerate([*others, *names]):
        (made / name).write_bytes(b"old")
        os.utime(made / name, (place, place))
    (made / "2026-10-01.tar.gz").symlink_to(made / "before.tar.gz")
    (made / "2026-10-02.tar.gz").mkdir()
    return made


def list_names(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}


async def test_keep_deletes_the_oldest_of_the_same_series_and_nothing_else(terminal: Terminal, folder: Path) -> None:
    before = list_names(folder)
    status, _, err = await terminal.run("backup", str(folder / "2026-11-22.tar.gz"), "--keep", "2")
    assert status == 0, err
    assert list_names(folder) == before - {"2026-11-19.tar.gz", "2026-11-20.tar.gz"} | {"2026-11-22.tar.gz"}
    assert "Deleted, to keep 2 backups: 2026-11-19.tar.gz, 2026-11-20.tar.gz." in err

    status, _, err = await terminal.run("backup", str(folder / "2026-11-22.tar.gz"), "--keep", "2")
    assert (status, "Deleted" in err) == (0, False), "the same day again: two are left"


async def test_a_backup_that_fails_deletes_nothing(
    terminal: Terminal, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = list_names(folder)
    monkeypatch.setattr("meetdeck.administration.archives.writing.ArchiveWriter.finish", _fail)
    status, _, err = await terminal.run("backup", str(folder / "2026-11-22.tar.gz"), "--keep", "1")
    assert (status, list_names(folder)) == (1, before)
    assert "could not be written" in err


def _fail(*_: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("first.tar.gz", "--keep", "3"), 1),
        (("-", "--keep", "3"), 1),
        (("1.tar.gz", "--keep", "0"), 2),
        (("1", "--keep", "3", "--check"), 2),
    ],
)
async def test_a_keep_that_makes_no_sense_is_refused_before_anything_is_written(
    words: tuple[str, ...], expected: int, terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = list_names(tmp_path)
    status, out, err = await terminal.run("backup", *words)
    assert (status, out, list_names(tmp_path)) == (expected, "", before)
    assert err.startswith("meetdeck: --keep ")


@pytest.mark.parametrize(
    ("name", "others", "strangers"),
    [
        ("b-20261122.gz", ["b-20250101.gz"], ["c-20261122.gz", "b-2026.gz", "b-2026-11-22.gz"]),
        ("bank1-2026-11-22.gz", ["bank1-2026-11-21.gz"], ["bank2-2026-11-21.gz", "bank1-2026-11-21_0215.gz"]),
        ("2026-11-22T02:15:00-v2.gz", ["2026-11-21T02:15:07-v2.gz"], ["2026-11-21T02:15:07-v3.gz"]),
        ("db2-9.gz", ["db2-10.gz"], ["db1-9.gz", "db2-.gz"]),
        ("1764000000.gz", ["1763900000.gz"], ["a1763900000.gz", "2026-11-22.gz"]),
    ],
)
def test_names_of_a_series_differ_only_in_their_date_or_last_number(
    name: str, others: list[str], strangers: list[str]
) -> None:
    series = read_series(Path("/backups", name))
    assert [each for each in [name, *others, *strangers] if series.fullmatch(each)] == [name, *others]


async def look(tmp_path: Path, application: Address, hours: float) -> Finding:
    """Return what the doctor says of backups so many hours from now."""
    with time_machine.travel(clock.now() + timedelta(hours=hours)):
        return await check_backup(make_settings(tmp_path), application)


async def test_a_success_is_told_by_metrics_and_the_doctor_warns_after_26_hours(
    terminal: Terminal, tmp_path: Path, application: Address, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = BackupNumbers(database)
    await numbers.measure()
    assert f"{LAST_SUCCESS} 0.0\n" in collect(database).decode()
    with monkeypatch.context() as failing:
        failing.setattr("meetdeck.administration.archives.writing.ArchiveWriter.finish", _fail)
        assert (await terminal.run("backup", str(tmp_path / "b.tar.gz")))[0] == 1
    await numbers.measure()
    assert f"{LAST_SUCCESS} 0.0\n" in collect(database).decode(), "a backup that failed is none"

    began = clock.now().timestamp()
    assert (await terminal.run("backup", str(tmp_path / "b.tar.gz")))[0] == 0
    await numbers.measure()
    told = float(collect(database).decode().partition(f"\n{LAST_SUCCESS} ")[2].partition("\n")[0])
    assert began <= told <= clock.now().timestamp()

    assert (await look(tmp_path, application, hours=25.9)).status is Status.OK
    found = await look(tmp_path, application, hours=26.1)
    assert found.status is Status.WARNING
    assert "more than 26 hours ago" in found.detail
    assert "meetdeck-backup.timer" in found.advice
