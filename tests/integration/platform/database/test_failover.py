"""An address with several servers: the one that may write is found at the start, and again after a failover."""

import asyncio
import time
from collections.abc import Generator
from contextlib import suppress
from dataclasses import replace
from uuid import uuid4

import pytest
from asyncpg.exceptions import PostgresConnectionError

from meetdeck.migrations import migrate, require_schema
from meetdeck.platform.database import Address, Connection, Database, DatabaseUnavailable
from meetdeck.platform.database.connections import DatabaseServer, Dialer
from meetdeck.platform.errors import SetupError
from meetdeck.platform.process import deadline_of_requests
from support.clusters import APP, OWNER, Cluster, run_primary, run_standby
from support.servers import find_free_port

SECONDS = 20
_WRITE = "create temporary table written (number int) on commit drop"


@pytest.fixture
def pair() -> Generator[tuple[Cluster, Cluster]]:
    """Lend a primary with our schema, and its standby."""
    with run_primary() as primary:
        asyncio.run(migrate(primary.address(OWNER)))
        with run_standby(primary) as standby:
            yield primary, standby


def name_both(first: Cluster, second: Cluster, user: str = APP) -> Address:
    address = first.address(user)
    return replace(address, others=tuple(second.address(user).servers), session="read-write")


async def write(database: Database) -> int:
    """Write something; return the port of the server that took it."""
    async with database.outside_tenants() as connection, connection.transaction():
        await connection.execute(_WRITE)
        return await connection.fetchval("select current_setting('port')::int")


async def test_after_a_failover_the_other_server_is_found(pair: tuple[Cluster, Cluster]) -> None:
    primary, standby = pair
    await require_schema(name_both(standby, primary, OWNER))
    address = name_both(standby, primary)
    async with Database(address, connections=2, deadline=deadline_of_requests(3), owner_may_serve=True) as database:
        assert await write(database) == primary.port
        with primary.silent():  # from now on it is unplugged
            standby.run("pg_ctl", "promote", "-w", "-D", str(standby.folder))
            promoted_at = time.monotonic()
            with pytest.raises(DatabaseUnavailable):
                await write(database)
            assert await write(database) == standby.port
            assert time.monotonic() - promoted_at < 2 * 3


async def test_why_none_of_the_servers_will_do_is_one_line() -> None:
    address = Address("127.0.0.1", find_free_port(), "somebody", "secret", "meetdeck")
    address = replace(address, others=tuple(replace(address, host="localhost", port=find_free_port()).servers))
    with pytest.raises(SetupError) as caught:
        await address.connect()
    told = str(caught.value)
    assert told.startswith("The database meetdeck on 127.0.0.1 or localhost cannot be used: 127.0.0.1: ")
    assert "; localhost: " in told
    assert "secret" not in told
    assert "\n" not in told


@pytest.mark.thorough  # two standbys
async def test_searches_leave_a_standby_that_is_promoted(pair: tuple[Cluster, Cluster]) -> None:
    async def find_server(connection: Connection) -> int:
        return await connection.fetchval("select current_setting('port')::int")

    async def read_until(server: Cluster) -> None:
        """Search until a server answers: a busy machine may take too long for one search."""
        async with asyncio.timeout(SECONDS):
            while True:
                with suppress(DatabaseUnavailable):
                    if await database.read(uuid4(), find_server) == server.port:
                        return
                await asyncio.sleep(0.1)

    primary, standby = pair
    deadline = deadline_of_requests(3)
    with run_standby(primary) as other:
        address = replace(name_both(standby, other), session="standby")
        async with Database(
            primary.address(APP), standby=address, standby_lag_seconds=2, owner_may_serve=True, deadline=deadline
        ) as database:
            await read_until(standby)
            with primary.silent():
                standby.run("pg_ctl", "promote", "-w", "-D", str(standby.folder))
                await read_until(other)


class Servers:
    """Servers 1 and 2, of whom none answers but the `primary`; `asked` are those who were."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[object] = []
        self.silent: int | None = None
        self.primary: int | None = None
        monkeypatch.setattr("asyncpg.connect", self._connect)
        address = Address("127.0.0.1", 1, "somebody", "secret", "meetdeck", others=(DatabaseServer("127.0.0.1", 2),))
        self._dialer = Dialer(address)

    async def _connect(self, **arguments: object) -> object:
        self.asked.append(arguments["port"])
        await asyncio.sleep(60 if arguments["port"] == self.silent else 0)
        if arguments["port"] != self.primary:
            raise ConnectionRefusedError
        return arguments["port"]

    async def connect(self, callers: int = 1) -> set[object]:
        """Connect for some callers at once; return the servers that they got, None where they were refused."""
        found = await asyncio.gather(*(self._dialer.connect() for _ in range(callers)), return_exceptions=True)
        return {None if isinstance(each, PostgresConnectionError) else each for each in found}


async def test_servers_that_all_refused_are_asked_again_by_one_caller_and_after_half_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    servers = Servers(monkeypatch)
    for pause_seconds, callers, times in ((0, 1, 1), (0, 5, 1), (0.6, 5, 2)):
        await asyncio.sleep(pause_seconds)
        assert await servers.connect(callers) == {None}
        assert servers.asked == [1, 2] * times
    servers.primary = 2
    await asyncio.sleep(0.6)
    assert await servers.connect() == {2}
    assert await servers.connect(5) == {2}
    assert servers.asked == [*[1, 2] * 3, *[2] * 5]


async def test_a_caller_who_has_little_time_is_not_kept_from_the_second_server_by_a_silent_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    servers = Servers(monkeypatch)
    servers.silent, servers.primary = 1, 2
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(servers.connect(), 0.1)
    assert await asyncio.wait_for(servers.connect(), 0.1) == {2}
