"""Searches on a hot standby that follows by streaming: when it is asked, when it is not, and what callers notice."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing, asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import pytest_asyncio
from prometheus_client import REGISTRY

from meetdeck.administration.tenants.store import add_to_directory
from meetdeck.demo.firm import NORDLYS
from meetdeck.doctor.database import check_standby
from meetdeck.doctor.outcome import Status
from meetdeck.migrations import migrate
from meetdeck.platform.database import Cell, CellDatabase, Connection, Database
from meetdeck.platform.database import standby as standbys
from meetdeck.platform.process import deadline_of_requests
from meetdeck.present.render.renderer import MissingRenderer
from support.clusters import APP, OWNER, Cluster, run_primary, run_standby
from support.databases import load_demo_firms
from support.factories import TUESDAY_AT_TEN, Api, make_services, make_settings
from support.fakes import MONDAY_MORNING, HandClock

SECONDS = 20
_SEARCH = "v3/booking/time-slots/available?requireEmployeeParticipation=false&employeeTypes=Explicit"
_MONDAY = "startDate=2026-03-02T00:00:00Z&lookForwardTime=31.00:00:00"


@pytest.fixture(scope="module")
def pair() -> Generator[tuple[Cluster, Cluster]]:
    """Lend a primary with the demo firms, and its standby."""
    with run_primary() as primary, TemporaryDirectory() as files:
        addresses = primary.address(OWNER), primary.address(APP)
        asyncio.run(migrate(addresses[0]))
        asyncio.run(load_demo_firms(addresses, Path(files), MONDAY_MORNING))
        with run_standby(primary) as standby:
            yield primary, standby


@asynccontextmanager
async def serve(pair: tuple[Cluster, Cluster], clock: HandClock, folder: Path, lag: float = 0) -> AsyncGenerator[Api]:
    """Serve from both servers."""
    async with open_database(pair, lag) as database, serve_from(database, clock, folder) as api:
        yield api


def open_database(pair: tuple[Cluster, Cluster], lag: float) -> Database:
    primary, standby = pair[0].address(APP), pair[1].address(APP)
    deadline = deadline_of_requests(1)
    return Database(primary, connections=5, standby=standby, standby_lag_seconds=lag, deadline=deadline)


@asynccontextmanager
async def serve_from(database: Database, clock: HandClock, folder: Path) -> AsyncGenerator[Api]:
    async with (
        aclosing(make_services(database, clock, folder, MissingRenderer())) as services,
        Api.open(services) as api,
    ):
        yield api


@pytest_asyncio.fixture
async def api(pair: tuple[Cluster, Cluster], clock: HandClock, tmp_path: Path) -> AsyncGenerator[Api]:
    async with serve(pair, clock, tmp_path) as api:
        yield api


@pytest_asyncio.fixture
async def standby(pair: tuple[Cluster, Cluster]) -> AsyncGenerator[Connection]:
    """Lend a superuser's connection to the standby."""
    connection = await pair[1].address("postgres").connect()
    yield connection
    await connection.close()


def count(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(f"meetdeck_database_{name}_total", labels) or 0


class CounterChanges:
    """The differences of the numbers since then."""

    def __init__(self) -> None:
        self._before = self._read()

    def _read(self) -> dict[str, float]:
        reasons = ("away", "behind", "conflict", "left_alone", "refused")
        return {"read": count("standby_reads")} | {reason: count("read_fallbacks", reason=reason) for reason in reasons}

    def since(self) -> dict[str, float]:
        return {
            name: number - self._before[name] for name, number in self._read().items() if number != self._before[name]
        }


async def search(api: Api, begin: datetime) -> bool:
    """Return whether an hour of Anna's is offered."""
    answer = await api.get(f"{_SEARCH}&explicitEmployeeIds={api.id_of('employee', 'Anna Holm')}&{_MONDAY}")
    assert answer.status_code == 200, answer.text
    return f'"startDate":"{begin:%FT%T}Z"' in answer.text


async def is_standby(connection: Connection) -> bool:
    return await connection.fetchval("select pg_is_in_recovery()")


async def hold(api: Api, begin: datetime) -> None:
    answer = await api.reserve(begin, employeeId=api.id_of("employee", "Anna Holm"))
    assert answer.status_code == 201, answer.text


def at(hours: int, *, day: int) -> datetime:
    return TUESDAY_AT_TEN + timedelta(days=day, hours=hours)


async def until_read(api: Api) -> None:
    """Search until the standby answers again."""
    async with asyncio.timeout(SECONDS):
        counted = CounterChanges()
        while "read" not in counted.since():
            await search(api, TUESDAY_AT_TEN)
            await asyncio.sleep(0.1)


async def test_a_search_is_read_from_the_standby(api: Api) -> None:
    counted = CounterChanges()
    assert await search(api, at(0, day=0))
    assert counted.since() == {"read": 1}


async def test_who_has_just_written_finds_it_in_the_next_search(api: Api) -> None:
    counted = CounterChanges()
    for number in range(10):
        begin = at(number % 5, day=1 + number // 5)
        assert await search(api, begin)
        await hold(api, begin)
        assert not await search(api, begin)
    assert counted.since()["read"] > 10  # not all of them waited in vain


async def test_a_standby_that_stopped_following_is_not_asked(api: Api, standby: Connection) -> None:
    await search(api, at(0, day=6))
    await standby.execute("select pg_wal_replay_pause()")
    try:
        counted = CounterChanges()
        await hold(api, at(0, day=6))
        assert not await search(api, at(0, day=6))
        assert not await search(api, at(0, day=6))
        assert counted.since() == {"behind": 1, "left_alone": 1}
        lag = (await api.http.get("/metrics")).text.partition('read_lag_seconds{server="standby"} ')[2]
        assert float(lag.split()[0]) > 0
    finally:
        await standby.execute("select pg_wal_replay_resume()")
    await until_read(api)


async def test_searches_that_may_be_old_go_on_while_the_primary_is_silent(
    pair: tuple[Cluster, Cluster], clock: HandClock, tmp_path: Path
) -> None:
    async with serve(pair, clock, tmp_path, lag=0.2) as api:
        await until_read(api)
        with pair[0].silent():
            await asyncio.sleep(0.3)  # what is known of the primary is too old now
            counted = CounterChanges()
            async with asyncio.timeout(5):
                for _ in range(5):
                    await search(api, at(0, day=0))
            assert counted.since() == {"read": 5}
            clock.advance(minutes=1)  # what is known of the caller's key is too old now
            async with asyncio.timeout(5):
                await search(api, at(0, day=0))
                answer = await api.get(_SEARCH, headers={"Ocp-Apim-Subscription-Key": "unknown"})
            assert answer.status_code == 503, answer.text  # the key may be newer than what the standby has
        async with asyncio.timeout(5):
            while (await api.get("v3/booking/employees")).status_code != 200:  # noqa: ASYNC110 - a server's doing
                await asyncio.sleep(0.1)


@pytest.mark.thorough  # seconds
async def test_searches_that_may_be_old_go_on_though_the_last_change_is_lost_with_the_primary(
    pair: tuple[Cluster, Cluster], standby: Connection, clock: HandClock, tmp_path: Path
) -> None:
    async with serve(pair, clock, tmp_path, lag=2) as api:
        await until_read(api)
        await standby.execute("select pg_wal_replay_pause()")
        try:
            await hold(api, at(0, day=9))
            await asyncio.sleep(0.6)
            assert await search(
                api, at(0, day=9)
            )  # the primary's position, which the standby lacks, is known from now on
            with pair[0].silent():
                await asyncio.sleep(0.6)
                counted = CounterChanges()
                assert await search(api, at(0, day=9))
                assert counted.since() == {"read": 1}
        finally:
            await standby.execute("select pg_wal_replay_resume()")
        async with asyncio.timeout(5):
            while (await api.get("v3/booking/employees")).status_code != 200:  # noqa: ASYNC110 - a server's doing
                await asyncio.sleep(0.1)


async def test_a_bound_lets_searches_be_as_old_and_no_older(
    pair: tuple[Cluster, Cluster],
    standby: Connection,
    clock: HandClock,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A minute, which a busy machine does not use up; afterwards it is over.
    async with open_database(pair, 60) as database, serve_from(database, clock, tmp_path) as api:
        await until_read(api)
        await standby.execute("select pg_wal_replay_pause()")
        try:
            counted = CounterChanges()
            await hold(api, at(0, day=7))
            assert await search(api, at(0, day=7))  # as it was a moment ago
            assert counted.since() == {"read": 1}
            untyped: Any = database
            monkeypatch.setattr(untyped._standby, "_lag_seconds", 0.1)  # noqa: SLF001
            async with asyncio.timeout(SECONDS):
                while await search(api, at(0, day=7)):  # noqa: ASYNC110 - a server's doing
                    await asyncio.sleep(0.1)
            assert counted.since()["behind"] == 1
        finally:
            await standby.execute("select pg_wal_replay_resume()")


async def test_a_standby_that_is_away_is_missed_by_nobody_and_used_when_it_is_back(
    pair: tuple[Cluster, Cluster], api: Api
) -> None:
    await until_read(api)
    pair[1].stop("immediate")
    counted = CounterChanges()
    for _ in range(3):
        assert await search(api, at(1, day=8))
    assert counted.since() == {"away": 1, "left_alone": 2}
    assert (await api.http.get("/health/ready")).status_code == 200
    assert 'read_lag_seconds{server="standby"} NaN' in (await api.http.get("/metrics")).text
    pair[1].start()
    await until_read(api)


async def test_a_service_starts_without_its_standby(
    pair: tuple[Cluster, Cluster], clock: HandClock, tmp_path: Path
) -> None:
    pair[1].stop("immediate")
    async with serve(pair, clock, tmp_path) as api:
        assert await search(api, at(1, day=8))
        pair[1].start()
        await until_read(api)


async def test_what_the_standby_cancels_is_read_from_the_primary(pair: tuple[Cluster, Cluster]) -> None:
    owner = await pair[0].address(OWNER).connect()
    counted = CounterChanges()
    async with Database(pair[0].address(APP), standby=pair[1].address(APP)) as database:

        async def read(connection: Connection) -> bool:
            await connection.fetch("select * from employee")
            if is_standby := await connection.fetchval("select pg_is_in_recovery()"):
                await owner.execute("begin; lock table employee in access exclusive mode; commit")
                await connection.execute("select pg_sleep(60)")  # until what is replayed goes first
            return is_standby

        assert not await asyncio.wait_for(database.read(NORDLYS.tenant_id, read), SECONDS)
    await owner.close()
    assert counted.since() in ({"conflict": 1}, {"away": 1})  # it cancels the statement, or ends the connection


async def test_what_is_wrong_is_said_as_without_a_standby(api: Api) -> None:
    unknown = "00000000-0000-4000-8000-000000000000"
    answer = await api.get(f"{_SEARCH}&explicitEmployeeIds={unknown}&{_MONDAY}")
    assert answer.status_code == 404, answer.text


async def test_a_server_that_follows_another_installation_is_never_read(
    pair: tuple[Cluster, Cluster], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standbys, "IDENTITY", "select 1")
    counted = CounterChanges()

    async with Database(pair[0].address(APP), standby=pair[1].address(APP)) as database:
        assert not await database.read(NORDLYS.tenant_id, is_standby)
    assert counted.since() == {"away": 1}


async def test_searches_in_a_cell_are_read_from_its_standby(pair: tuple[Cluster, Cluster], tmp_path: Path) -> None:
    pair[0].execute(f"create database directory owner {OWNER}")
    first, application = (pair[0].address(APP, database) for database in ("directory", "meetdeck"))
    await migrate(pair[0].address(OWNER, "directory"))
    cell = Cell("b", application, pair[0].address(OWNER), pair[1].address(APP))
    async with CellDatabase(first, [cell], name="main", connections=2) as database:
        await database.directory.run(
            NORDLYS.tenant_id, lambda connection: add_to_directory(connection, "Nordlys", MONDAY_MORNING, "b")
        )
        counted = CounterChanges()
        assert await database.read(NORDLYS.tenant_id, is_standby)
        assert counted.since() == {"read": 1}
        assert [each.has_standby for each in database.cells] == [False, True]
    found = await check_standby(make_settings(tmp_path), cell, application)
    assert (found.status, "follows" in found.detail) == (Status.OK, True)
    found = await check_standby(make_settings(tmp_path), cell._replace(standby=application), application)
    assert (found.status, "MEETDECK_CELLS_READ" in found.advice) == (Status.FAULT, True)


async def test_the_primary_itself_is_no_standby(pair: tuple[Cluster, Cluster]) -> None:
    async def work(connection: Connection) -> str:
        return await connection.fetchval("select current_tenant()::text")

    counted = CounterChanges()
    async with Database(pair[0].address(APP), standby=pair[0].address(APP)) as database:
        assert await database.read(NORDLYS.tenant_id, work) == str(NORDLYS.tenant_id)
    assert counted.since() == {"behind": 1}


async def test_a_connection_to_the_standby_that_was_cut_is_opened_again(api: Api, standby: Connection) -> None:
    await until_read(api)
    await standby.execute("select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", APP)
    counted = CounterChanges()
    assert await search(api, at(0, day=0))
    assert counted.since() == {"read": 1}
