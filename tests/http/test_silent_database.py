"""A database that is silent: its processes are stopped, or the network swallows what is sent to it."""

import asyncio
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID, uuid4

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.migrations import migrate
from meetdeck.platform.database import Database, DatabaseUnavailable
from meetdeck.platform.process import LONG_DEADLINE, deadline_of_requests
from meetdeck.platform.work import Jobs, enqueue
from meetdeck.present.render.renderer import MissingRenderer
from support.clusters import APP, OWNER, Cluster, run_primary
from support.databases import load_demo_firms
from support.factories import TUESDAY_AT_TEN, Api, make_services
from support.fakes import MONDAY_MORNING, HandClock
from support.forwarders import Forwarder
from support.meetings import ANNA

DEADLINE_SECONDS = 1.0
CONNECTIONS = 4
LIST = "v3/booking/employees"


@pytest.fixture(scope="module")
def primary() -> Generator[Cluster]:
    """Lend a server with the demo firms."""
    with run_primary() as primary, TemporaryDirectory() as files:
        addresses = primary.address(OWNER), primary.address(APP)
        asyncio.run(migrate(addresses[0]))
        asyncio.run(load_demo_firms(addresses, Path(files), MONDAY_MORNING))
        yield primary


@asynccontextmanager
async def serve(primary: Cluster, clock: HandClock, folder: Path, port: int | None = None) -> AsyncGenerator[Api]:
    """Serve from the server, perhaps by way of another port."""
    address = replace(primary.address(APP), port=port or primary.port)
    deadline = deadline_of_requests(DEADLINE_SECONDS)
    async with (
        Database(address, connections=CONNECTIONS, deadline=deadline) as database,
        aclosing(make_services(database, clock, folder, MissingRenderer())) as services,
        Api.open(services) as api,
    ):
        yield api


async def ask_often(api: Api, times: int = 3 * CONNECTIONS) -> list[httpx.Response]:
    async with asyncio.timeout(20):
        return await asyncio.gather(*(api.get(LIST) for _ in range(times)))


async def require_served_within(api: Api, seconds: float) -> None:
    async with asyncio.timeout(seconds):
        while (await api.get(LIST)).status_code != 200 or (await api.http.get("/health/ready")).status_code != 200:  # noqa: ASYNC110 - a server's doing
            await asyncio.sleep(0.1)
    assert {answer.status_code for answer in await ask_often(api)} == {200}


async def test_a_silent_database_is_given_up_and_used_again_when_it_is_back(
    primary: Cluster, clock: HandClock, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with serve(primary, clock, tmp_path) as api:
        await ask_often(api)
        capsys.readouterr()
        with primary.silent():
            begun = time.monotonic()
            for answer in await ask_often(api):
                assert (answer.status_code, answer.json()["code"]) == (503, "database_unavailable")
                assert answer.headers["Retry-After"] in {"1", "2"}  # it may be back soon
            assert time.monotonic() - begun < 3 * DEADLINE_SECONDS
            begun = time.monotonic()
            ready = await api.http.get("/health/ready")
            assert (ready.status_code, ready.json()["detail"]) == (503, "The database is silent.")
            assert time.monotonic() - begun < 2
        told = "".join(capsys.readouterr())
        assert told.count("database unavailable") == 1
        assert "Traceback" not in told
        await require_served_within(api, 5)


async def test_connections_that_went_silent_are_replaced(primary: Cluster, clock: HandClock, tmp_path: Path) -> None:
    async with (
        Forwarder.run(primary.port) as forwarder,
        serve(primary, clock, tmp_path, forwarder.port) as api,
    ):
        await ask_often(api)
        assert forwarder.silence() == CONNECTIONS
        assert (await api.get(LIST)).status_code == 503
        # All of them are: the next three do not wait for the same silence.
        await require_served_within(api, 5)


async def test_a_caller_who_leaves_a_silent_database_takes_no_connection_along(
    primary: Cluster, clock: HandClock, tmp_path: Path
) -> None:
    async with serve(primary, clock, tmp_path) as api:
        await ask_often(api)
        with primary.silent():
            asked = [asyncio.create_task(api.get(LIST)) for _ in range(CONNECTIONS)]
            await asyncio.sleep(DEADLINE_SECONDS / 4)
            for task in asked:
                task.cancel()
            async with asyncio.timeout(2 * DEADLINE_SECONDS):
                for task in asked:
                    with suppress(asyncio.CancelledError):
                        await task
        await require_served_within(api, 5)


async def test_a_task_that_is_cancelled_ends_though_the_database_is_silent(primary: Cluster) -> None:
    """The loops of the background work go on after any failure; a cancellation that became one would be lost."""

    async def go_on(database: Database) -> None:
        while True:
            with suppress(DatabaseUnavailable):
                async with database.transaction(NORDLYS.tenant_id) as connection:
                    await connection.execute("select pg_sleep(0.01)")

    async with Database(primary.address(APP), connections=2, deadline=LONG_DEADLINE) as database:
        working = asyncio.create_task(go_on(database))
        await asyncio.sleep(0.1)
        with primary.silent():
            await asyncio.sleep(0.1)
            working.cancel()
            await asyncio.wait([working], timeout=10)
            assert working.cancelled()


async def test_a_commit_that_waits_for_a_lost_standby_is_told_of(
    primary: Cluster, clock: HandClock, tmp_path: Path
) -> None:
    async with serve(primary, clock, tmp_path) as api:
        assert (await api.http.get("/health/ready")).status_code == 200
        with primary.waiting_for("nobody"):
            assert (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).status_code == 503
            while (ready := await api.http.get("/health/ready")).status_code == 200:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.1)
            assert ready.json()["detail"] == "The database waits for its synchronous standby."
        await require_served_within(api, 5)


async def test_taking_jobs_waits_for_no_standby(primary: Cluster) -> None:
    """Whoever takes some holds a lock, for which all other processes would wait as long."""
    ran: list[UUID] = []

    class Noting:
        queue = "noting"

        async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> None:  # noqa: ARG002
            ran.append(job_id)

    address, deadline = primary.address(APP), deadline_of_requests(DEADLINE_SECONDS)
    async with Database(address, connections=2, deadline=deadline) as database:
        job_id = uuid4()
        async with database.transaction(NORDLYS.tenant_id) as connection:
            await enqueue(connection, "noting", job_id, due_at=MONDAY_MORNING)
        with primary.waiting_for("nobody"):  # nor does finishing them, in the same statement
            await Jobs(database, [Noting()]).run_due(HandClock(MONDAY_MORNING))
    assert ran == [job_id]
