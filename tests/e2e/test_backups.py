"""A backup that is taken while bookings and uploads go on, and the installation that it becomes."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.demo.seed import TEMPLATE_NAME
from meetdeck.platform.process.threads import run_in_thread
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.secrets.encryption import load_encryption_keys
from support.archives import hash_files
from support.installation import Installation, install
from support.servers import HOUR, accept, book, call, connect, require_sound, serve_beside

BEGIN = datetime(2031, 3, 4, 9, tzinfo=UTC)
EMPLOYEES = [str(NORDLYS.id_of("employee", advisor.name)) for advisor in NORDLYS.advisors]
CPR = "010203-1234"
CONTENTS = "../present/contents"
_MOST_AT_FIRST = 8


class Busy:
    """Books one hour after another, and stores two files each time and deletes one; remembers what was answered."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http
        self.is_content = False
        self.is_busy = asyncio.Event()
        self.meetings: list[str] = []
        self.contents: dict[str, bytes] = {}

    async def keep_on(self, employee_id: str) -> None:
        begin = BEGIN
        while not self.is_content:
            begin += HOUR
            self.meetings.append(accept(await book(self.http, begin, employeeId=employee_id))["id"])
            stored = [await self.store(os.urandom(50_000)) for _ in range(2)]
            assert (await self.http.delete(f"{CONTENTS}/{stored[0]}")).status_code == 204
            del self.contents[stored[0]]
            if len(self.meetings) >= _MOST_AT_FIRST:
                self.is_busy.set()

    async def store(self, content: bytes) -> str:
        answer = await self.http.post(CONTENTS, files={"file": ("any.bin", content)})
        content_id: str = accept(answer)["contentId"]
        self.contents[content_id] = content
        return content_id


@pytest.mark.thorough
async def test_a_backup_under_load_becomes_the_same_installation(installation: Installation) -> None:
    address = installation.start()
    file = installation.data_dir.parent / "æ backup.tar.gz"
    with install() as restored:
        async with call(installation, address) as http:
            labels = {"labels": ["Pension", "VIP"]}
            accept(await http.patch(f"../present/templates/{TEMPLATE_NAME}/labels", json=labels))
            booked = accept(await book(http, BEGIN, employeeId=EMPLOYEES[0], cpr=CPR))["id"]
            busy = Busy(http)
            tasks = [asyncio.create_task(busy.keep_on(employee_id)) for employee_id in EMPLOYEES[:4]]
            await asyncio.wait_for(busy.is_busy.wait(), 60)
            meetings, contents = [*busy.meetings, booked], dict(busy.contents)
            report = await run_in_thread(back_up, installation, file)
            assert len(busy.meetings) > len(meetings)
            busy.is_content = True
            await asyncio.gather(*tasks)
            await run_in_thread(kill_a_restore, restored, file)
            done = restored.command("restore", str(file), *name_key(file))
            assert done.returncode == 0, done.stderr
            await require_consistent(restored, report)
            with serve_beside(restored, address) as there:
                http.base_url = f"{there}/api/v3/booking/"  # the same token, the same key
                await require_served(http, meetings, {one: contents[one] for one in contents if one in busy.contents})
                async with connect(restored) as connection:
                    sealed = await connection.fetchval(
                        "select cpr_encrypted from meeting where meeting_id = $1", booked
                    )
    keys = load_encryption_keys(installation.data_dir / "encryption-key")
    assert Encryption(*keys).decrypt(NORDLYS.tenant_id, sealed) == CPR


def back_up(installation: Installation, file: Path) -> dict[str, Any]:
    done = installation.command("backup", str(file), "--json", *write_key(file))
    assert done.returncode == 0, done.stderr
    assert "rows: " in done.stderr
    return json.loads(done.stdout)


def write_key(file: Path) -> list[str]:
    """Return the options that encrypt a backup to a new key, where age is installed."""
    if shutil.which("age") is None:
        return []
    key = file.with_suffix(".key")
    made = subprocess.run(["age-keygen", "-o", key], capture_output=True, text=True, check=True)  # noqa: S603, S607
    return ["--recipient", made.stderr.split()[-1]]


def name_key(file: Path) -> list[str]:
    """Return the options that decrypt it."""
    key = file.with_suffix(".key")
    return ["--identity", str(key)] if key.exists() else []


def kill_a_restore(restored: Installation, file: Path) -> None:
    """Kill a restore in the middle; the next start says what to do."""
    environment = os.environ | {"MEETDECK_DATA_DIR": str(restored.data_dir)}
    process = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "meetdeck", "restore", str(file), *name_key(file)],
        env=environment,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while not (restored.data_dir / "restore-unfinished").exists():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    refused = restored.command("serve", "--port", "0")
    assert refused.returncode == 1
    assert f"Restoring {file} was begun and not finished" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


async def require_consistent(restored: Installation, report: dict[str, Any]) -> None:
    """Check that rows are of one moment, and that each file that they name is there."""
    assert (report["missingFiles"], report["changedFiles"]) == (0, 0)
    files = hash_files(restored.data_dir / "storage")
    async with connect(restored) as connection:
        await require_sound(connection)
        named = await connection.fetch(
            "select file_key, encode(digest, 'hex') as digest from template_revision"
            " union select file_key, encode(digest, 'hex') from content"
        )
        assert {row["file_key"]: row["digest"] for row in named}.items() <= files.items()
    assert len(files) == report["files"]


async def require_served(http: httpx.AsyncClient, meetings: list[str], contents: dict[str, bytes]) -> None:
    """Check that what was answered before the backup began is there, and that decks are built."""
    for meeting_id in meetings:
        assert (await http.get(f"meetings/{meeting_id}")).status_code == 200
    assert contents
    for content_id, content in contents.items():
        assert (await http.get(f"{CONTENTS}/{content_id}")).content == content
    deck = accept(await http.post("../present/slides/generate", json={"template": TEMPLATE_NAME, "data": {}}))
    assert deck["size"] > 10_000
    labels = (await http.get("config/labels")).json()["items"]
    assert {label["labelName"]: label["usageCount"] for label in labels} == {"Pension": 1, "VIP": 1}
