"""Upgrading from each earlier release while it serves: its code, its data, and callers who notice nothing."""

import asyncio
import os
import socket
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime, timedelta
from itertools import count, cycle
from pathlib import Path

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.process.clock import now
from meetdeck.platform.process.threads import run_in_thread
from support.installation import Installation, install
from support.releases import MISSING, RELEASES, unpack_previous_release
from support.servers import book, call, cancel, connect, require_sound, reserve

POSTGRES_15 = Path("/usr/lib/postgresql/15/bin")
pytestmark = [
    pytest.mark.skipif("MEETDECK_UPGRADE_SECONDS" not in os.environ, reason="takes minutes: `make upgrade`"),
    pytest.mark.thorough,
]
SECONDS = float(os.environ.get("MEETDECK_UPGRADE_SECONDS", "0"))
"""The time for which callers are busy before, between and after each step of an upgrade."""
SERVERS = {"PostgreSQL 15": POSTGRES_15, "PostgreSQL 18": None}
"""The folders of the programs; of the last, which is embedded, none."""
CALLERS = 2
PAUSE_SECONDS = 0.03
FIRST_DAY = now().replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=400)
_SEARCH = "time-slots/available?requireEmployeeParticipation=false"
_READS = (_SEARCH, "meetings", "time-slots", "employees", "rooms", "config/portals", "config/service-groups")


class Callers:
    """Callers who book, cancel, search and read all the time, where they are told to."""

    def __init__(self) -> None:
        self.http: httpx.AsyncClient
        self.booked: set[str] = set()
        """The meetings that callers were told are booked, and have not cancelled."""
        self.answered = 0
        self.failed: list[str] = []
        self._numbers = count()

    @asynccontextmanager
    async def busy(self) -> AsyncGenerator[None]:
        """Be busy until the block ends."""
        stopping = asyncio.Event()
        tasks = [asyncio.create_task(self._call_until(stopping)) for _ in range(CALLERS)]
        try:
            yield
        finally:
            stopping.set()
            await asyncio.gather(*tasks)

    async def _call_until(self, stopping: asyncio.Event) -> None:
        for path in cycle(_READS):
            if stopping.is_set():
                break
            await self._book(FIRST_DAY + timedelta(hours=2 * next(self._numbers)))
            self._check(await self.http.get(path))
            await asyncio.sleep(PAUSE_SECONDS)  # so that what is upgraded gets a core, too

    async def _book(self, begin: datetime) -> None:
        anna = str(NORDLYS.id_of("employee", "Anna Holm"))
        held = await reserve(self.http, begin, employeeId=anna)
        if not self._check(held):
            return
        meeting = await book(self.http, employeeId=anna, timeSlotId=held.json()["id"])
        if self._check(meeting):
            self.booked.add(meeting.json()["id"])
            if begin.day % 3 == 0 and self._check(await cancel(self.http, meeting.json()["id"])):
                self.booked.discard(meeting.json()["id"])

    def _check(self, answer: httpx.Response) -> bool:
        self.answered += 1
        if not answer.is_success:
            self.failed.append(f"{answer.request.method} {answer.request.url}: {answer.status_code} {answer.text}")
        return answer.is_success


@pytest.fixture(params=[(release, server) for release in RELEASES for server in SERVERS], ids=" on ".join)
def versions(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[tuple[Installation, Installation]]:
    """Lend an earlier release and this one, over the same data folder."""
    with install() as before, install() as after:
        release, server = request.param
        source = unpack_previous_release(tmp_path, release)
        if source is None:
            pytest.skip(MISSING)
        after.data_dir = before.data_dir
        after.log_name = "serve-after.log"
        shared = {"MEETDECK_PUBLIC_URL": "http://meetdeck.test"}
        if (programs := SERVERS[server]) is not None:
            if not programs.is_dir():
                pytest.skip("no PostgreSQL 15 here: install the package `postgresql-15`")
            shared |= {"MEETDECK_PG_BIN": str(programs)}
        before.settings = shared | {"PYTHONPATH": source}
        after.settings = shared
        yield before, after


async def start(installation: Installation) -> str:
    """Serve on a port of this machine, behind one public address; return where that is."""
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port: int = unused.getsockname()[1]
    migrating = ["--migrate"] if "PYTHONPATH" in installation.settings else []
    await run_in_thread(lambda: installation.start(*migrating, "--demo-data", port=port))
    return f"http://127.0.0.1:{port}"


async def test_nobody_notices_an_upgrade_and_nothing_is_lost(versions: tuple[Installation, Installation]) -> None:
    before, after = versions
    callers = Callers()
    async with AsyncExitStack() as stack:
        old = await start(before)
        callers.http = await stack.enter_async_context(call(before, old))
        async with callers.busy():
            await asyncio.sleep(SECONDS)
            migrated = await run_in_thread(after.command, "migrate")
            assert migrated.returncode == 0, migrated.stderr
            await asyncio.sleep(SECONDS)
            new = await start(after)
            callers.http = await stack.enter_async_context(call(after, new))
            assert await run_in_thread(before.stop) == 0  # once it has answered what it began
            await asyncio.sleep(SECONDS)
        assert callers.failed == []
        assert callers.answered > 20
        listed = await callers.http.get("meetings", params={"startDate": FIRST_DAY.isoformat()})
        assert {meeting["id"] for meeting in listed.json()} == callers.booked
        async with connect(after) as connection:
            await require_sound(connection)
