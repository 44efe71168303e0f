"""A disk that is full: callers are asked to come again, it says so of itself, and nothing that was answered is lost."""

import os
import re
import subprocess
from collections.abc import Generator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import httpx
import pytest

from support.installation import Installation

pytestmark = pytest.mark.thorough

KIB = 1024
MIB = 1024 * KIB
SIZE_MIB = 320


@pytest.fixture
def full_disk(installation: Installation) -> Generator[Path]:
    """Lend a small disk with the installation's data folder on it."""
    disk = installation.data_dir
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MIB}m", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:  # noqa: S603 - ours
        pytest.skip("needs root, who may mount a small disk")
    yield disk
    installation.stop()  # before its files go: what stays of it could not be stopped any more
    subprocess.run(["umount", "--lazy", str(disk)], check=True)  # noqa: S603, S607


def fill(disk: Path) -> Path:
    """Leave no byte free."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            for size in (MIB, 4096):
                try:
                    while True:
                        file.write(bytes(size))
                except OSError:
                    continue
        finally:
            os.fsync(file.fileno())
    return filler


def test_a_full_disk_is_503_until_there_is_room_and_loses_nothing(installation: Installation, full_disk: Path) -> None:
    (full_disk / "tmp").mkdir()
    installation.settings["TMPDIR"] = str(full_disk / "tmp")  # where uploads wait to be stored
    address = installation.start()
    headers = dict(re.findall(r'-H "([\w-]+): ([^"]+)"', installation.printed))
    starts = (datetime(2035, 3, 5, tzinfo=UTC) + timedelta(minutes=30 * number) for number in count())
    with httpx.Client(base_url=f"{address}/api/v3/", headers=headers, timeout=30) as http:
        employee = http.get("booking/employees").json()[0]["id"]

        def book() -> httpx.Response:
            begin = next(starts)
            times = {"startDate": begin.isoformat(), "endDate": (begin + timedelta(minutes=30)).isoformat()}
            return http.post(
                "booking/meetings", json=times | {"employeeId": employee, "customerId": "C", "description": "x" * 5000}
            )

        kept = [book()]
        assert kept[0].status_code == 201
        filler = fill(full_disk)
        refused: list[httpx.Response] = []
        while len(refused) < 10:
            answer = book()
            (kept if answer.status_code == 201 else refused).append(answer)
        assert {(one.status_code, one.json()["code"]) for one in refused} <= {
            (503, "database_full"),
            (503, "database_unavailable"),
        }
        assert all(int(one.headers["Retry-After"]) > 0 for one in refused)
        ready = http.get(f"{address}/health/ready")
        assert (ready.status_code, ready.json()["code"]) == (503, "not_ready")
        assert "full" in ready.json()["detail"]
        for size, code in ((KIB, "storage_unavailable"), (8 * MIB, "no_room")):
            upload = http.post("present/contents", files={"file": ("a.bin", bytes(size))})
            assert upload.status_code == 503
            assert upload.json()["code"] in {code, "database_unavailable"}  # when PostgreSQL has ended itself
            assert int(upload.headers["Retry-After"]) > 0
        # PostgreSQL ends itself when its log has no room; else it goes on to read.
        reading = http.get("booking/employees")
        assert reading.status_code == 200 or reading.json()["code"] == "database_unavailable"
        assert "Traceback" not in (installation.data_dir.parent / "serve.log").read_text(encoding="utf-8")

        filler.unlink()
        assert http.get(f"{address}/health/ready", timeout=30).status_code in {200, 503}  # within a second
        while http.get(f"{address}/health/ready").status_code != 200:
            pass
        assert book().status_code == 201
        assert {http.get(f"booking/meetings/{one.json()['id']}").status_code for one in kept} == {200}


def test_uploads_leave_room_for_bookings(installation: Installation, full_disk: Path) -> None:
    address = installation.start()
    headers = dict(re.findall(r'-H "([\w-]+): ([^"]+)"', installation.printed))
    with httpx.Client(base_url=f"{address}/api/v3/", headers=headers, timeout=30) as http:
        upload = {"file": ("a.bin", bytes(24 * MIB))}
        statuses = [http.post("present/contents", files=upload).status_code for _ in range(SIZE_MIB // 24 + 1)]
        assert sorted(set(statuses)) == [201, 503]
        free = http.get("booking/time-slots/available?requireEmployeeParticipation=false").json()[0]
        held = {name: free[name] for name in ("startDate", "endDate", "employeeId")}
        assert http.post("booking/meetings", json=held | {"customerId": "C"}).status_code == 201
        assert http.get(f"{address}/health/ready").status_code == 200
    assert full_disk.is_dir()
