"""Limits of requests a minute, as several processes count them in one database (docs/api/limits.md)."""

import asyncio
import json
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncGenerator
from typing import Any, cast
from unittest.mock import Mock

import pytest
import pytest_asyncio

from meetdeck.platform.database import Address, Connection, Database
from meetdeck.platform.database.connection_pool import ConnectionPool
from meetdeck.platform.http.rate_limits import LimitState, RateLimits

CALLER = b"caller"


class Seconds:
    """A process's own seconds, which pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


@pytest.fixture
def limits(database: Database, seconds: Seconds) -> RateLimits:
    return RateLimits(database, clock=seconds)


@pytest_asyncio.fixture
async def processes(addresses: tuple[Address, Address], seconds: Seconds) -> AsyncGenerator[list[RateLimits]]:
    """Lend the limits as four processes see them, each with a pool of its own."""
    databases = [Database(addresses[1], connections=1) for _ in range(4)]
    for database in databases:
        await database.__aenter__()
    yield [RateLimits(database, clock=seconds) for database in databases]
    for database in databases:
        await database.__aexit__(None, None, None)


async def ask(limits: RateLimits, most: int, caller: bytes = CALLER) -> LimitState:
    standing = await limits.count("key", caller, most)
    assert standing is not None
    return standing


async def count_let_through(limits: RateLimits, most: int, times: int) -> int:
    return sum([not (await ask(limits, most)).is_refused for _ in range(times)])


async def pass_time(owner: Connection, seconds: Seconds, passed: int) -> None:
    """Advance the time by so many seconds, for the database's counts too."""
    seconds.now += passed
    await owner.execute("update rate_count set newest = newest - $1", passed)


async def test_so_many_are_let_through_and_each_is_told_how_many_remain(limits: RateLimits) -> None:
    standings = [await ask(limits, 3) for _ in range(5)]
    assert [(one.is_refused, one.remaining) for one in standings] == [
        (False, 2),
        (False, 1),
        (False, 0),
        (True, 0),
        (True, 0),
    ]
    assert all(59 <= one.wait_seconds <= 61 for one in standings)


@pytest.mark.parametrize("most", [1, 7, 40, 500])
async def test_four_processes_share_one_limit_exactly(processes: list[RateLimits], most: int) -> None:
    let_through = 0
    for number in range(most + 40):
        let_through += not (await ask(processes[number % 4], most)).is_refused
    assert let_through == most


@pytest.mark.parametrize("most", [16, 500])
async def test_four_processes_with_many_requests_at_once_let_no_more_through_and_hardly_fewer(
    processes: list[RateLimits], most: int
) -> None:
    asked = [ask(processes[number % 4], most) for number in range(2 * most)]
    refused = Counter(standing.is_refused for standing in await asyncio.gather(*asked))
    assert most - most // 16 <= refused[False] <= most


ASKING = """
import asyncio, json, sys
from meetdeck.platform.database import Address, Database
from meetdeck.platform.http.rate_limits import RateLimits

async def ask():
    async with Database(Address(**json.loads(sys.argv[1])), connections=1) as database:
        limits = RateLimits(database)
        print("ready", flush=True)
        sys.stdin.readline()
        standings = [await limits.count("key", b"caller", 60) for _ in range(40)]
        print(sum(not one.is_refused for one in standings), flush=True)

asyncio.run(ask())
"""


@pytest.mark.thorough
async def test_four_processes_of_the_system_share_one_limit(addresses: tuple[Address, Address]) -> None:
    command = (sys.executable, "-c", ASKING, json.dumps(addresses[1].arguments))
    pipe = subprocess.PIPE
    askers = [await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe) for _ in range(4)]
    lines = [cast("asyncio.StreamReader", asker.stdout) for asker in askers]
    assert {await line.readline() for line in lines} == {b"ready\n"}
    for asker in askers:
        cast("asyncio.StreamWriter", asker.stdin).write(b"go\n")
    let_through = [int(await line.readline()) for line in lines]
    assert 60 - 60 // 16 <= sum(let_through) <= 60
    for asker in askers:
        await asker.wait()


async def test_the_minute_slides(limits: RateLimits, owner: Connection, seconds: Seconds) -> None:
    assert await count_let_through(limits, 10, 6) == 6
    await pass_time(owner, seconds, 40)
    assert await count_let_through(limits, 10, 10) == 4
    await pass_time(owner, seconds, 18)
    assert await count_let_through(limits, 10, 10) == 0  # a minute begins anew for each request, not for all at once
    await pass_time(owner, seconds, 4)
    assert await count_let_through(limits, 10, 10) == 6
    await pass_time(owner, seconds, 33)
    assert await count_let_through(limits, 10, 10) == 0
    await pass_time(owner, seconds, 100)
    assert await count_let_through(limits, 10, 20) == 10


async def test_who_waits_as_long_as_told_is_let_through(
    limits: RateLimits, owner: Connection, seconds: Seconds
) -> None:
    assert await count_let_through(limits, 2, 2) == 2
    refused = await ask(limits, 2)
    await pass_time(owner, seconds, refused.wait_seconds)
    assert not (await ask(limits, 2)).is_refused


async def test_one_callers_flood_is_nothing_to_another(limits: RateLimits) -> None:
    assert await count_let_through(limits, 5, 50) == 5
    assert not (await ask(limits, 5, b"another")).is_refused
    assert (await limits.count("address", CALLER, 5)) == LimitState("address", 5, 4, 61)


async def test_a_busy_callers_requests_hardly_ask_the_database(
    limits: RateLimits, database: Database, seconds: Seconds
) -> None:
    """The proof that a limit costs little, which no timing is: of 3,000 requests in ten seconds few ask."""
    asked: list[object] = []
    async with database.outside_tenants() as connection:  # the one that is used next, too
        cast("Any", connection).add_query_logger(asked.append)
    for _ in range(10):
        assert await count_let_through(limits, 60_000, 300) == 300
        seconds.now += 1
    assert 5 <= len(asked) <= 30


async def test_a_flood_that_is_refused_does_not_ask_at_all(
    limits: RateLimits, owner: Connection, seconds: Seconds
) -> None:
    assert await count_let_through(limits, 2, 10) == 2
    await owner.execute("truncate rate_count")
    assert await count_let_through(limits, 2, 1000) == 0
    seconds.now += 1.1  # so that one who waited is not refused for longer than need be
    assert not (await ask(limits, 2)).is_refused


async def test_what_was_taken_ahead_and_not_spent_is_given_back(
    limits: RateLimits, processes: list[RateLimits], seconds: Seconds
) -> None:
    assert await count_let_through(limits, 1000, 50) == 50
    seconds.now += 5
    first = await ask(limits, 1000)
    assert first.remaining == 949
    seconds.now += 100
    assert (await ask(limits, 1000)).remaining == 948
    assert (await ask(processes[0], 1000)).remaining == 947


async def test_while_the_database_is_away_everybody_is_let_through(
    limits: RateLimits, monkeypatch: pytest.MonkeyPatch, seconds: Seconds
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise ConnectionRefusedError

    with monkeypatch.context() as away:
        away.setattr("meetdeck.platform.database.connection_pool.ConnectionPool.take", refuse)
        assert [await limits.count("key", CALLER, 1) for _ in range(3)] == [None] * 3
    seconds.now += 1
    assert (await ask(limits, 1)).remaining == 0


async def test_callers_wait_once_for_a_silent_database_and_not_one_after_the_other(
    limits: RateLimits, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    async def be_silent(*_: object, **__: object) -> None:
        asked.append(None)
        await asyncio.sleep(0.01)
        raise TimeoutError

    monkeypatch.setattr(ConnectionPool, "take", Mock(return_value=None))
    monkeypatch.setattr(ConnectionPool, "acquire", be_silent)
    assert await asyncio.gather(*(limits.count("key", CALLER, 1) for _ in range(5))) == [None] * 5
    assert len(asked) == 1


async def test_a_clock_set_back_refuses_nobody_for_long(
    limits: RateLimits, owner: Connection, seconds: Seconds
) -> None:
    assert await count_let_through(limits, 3, 3) == 3
    await owner.execute("update rate_count set newest = newest + 30")
    seconds.now += 2
    assert (await ask(limits, 3)).is_refused
    await owner.execute("update rate_count set newest = newest + 3600")
    seconds.now += 2
    assert not (await ask(limits, 3)).is_refused


async def test_rows_of_who_asks_no_more_are_deleted(limits: RateLimits, owner: Connection, seconds: Seconds) -> None:
    for number in range(20):
        await ask(limits, 3, str(number).encode())
    await pass_time(owner, seconds, 200)
    await ask(limits, 3)
    assert await owner.fetchval("select count(*) from rate_count") == 1
