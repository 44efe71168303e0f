"""Searches that remember find what searches find that read everything (docs/decisions/0214).

`MEETDECK_SEARCH_WRITES=10000` looks longer.
"""

import asyncio
import json
import os
import random
import signal
import sys
from asyncio.subprocess import PIPE, Process
from dataclasses import asdict
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service import answers
from meetdeck.booking.scheduling.search.service.answers import Asked, answer_search
from meetdeck.booking.scheduling.search.service.memory import KeptAnswer, SearchMemory
from meetdeck.booking.scheduling.search.service.reading import read_search_input
from meetdeck.booking.scheduling.search.service.recalling import recall_changed, recall_search_input
from meetdeck.booking.scheduling.search.service.searching import Answer, SearchInput, find_answer
from meetdeck.embedded_postgres import Endpoint
from meetdeck.platform.database import Address, Connection, Database, rolled_back
from meetdeck.platform.values import Version
from support.databases import copy_database
from support.search_writers import ADVISORS, NOW, TENANT, Reader, Writer, describe_difference, fill
from support.statements import logged_statements

_LIMIT = 10_000_000
_WRITES = int(os.environ.get("MEETDECK_SEARCH_WRITES", "2000"))
_ANYBODY = AvailableQuery(require_employee_participation=False)
_ARE_ALL_OLD = """
select not exists (select from search_change where xid >= pg_snapshot_xmin(pg_current_snapshot()))
"""
_TAKE = """
with slot as (
    insert into time_slot (tenant_id, time_slot_id, starts_at, ends_at, employee_id, status, created_at)
    select current_tenant(), gen_random_uuid(), $1, $2, resource_id, 'Booked', now()
    from resource order by resource_key limit 1
    returning tenant_id, time_slot_id, employee_id
)
insert into occupancy (tenant_id, resource_key, starts_at, ends_at, time_slot_id)
select tenant_id, resource_key, $1, $2, time_slot_id from slot join resource using (tenant_id)
where resource_id = employee_id
"""


@pytest_asyncio.fixture
async def filled(database: Database) -> Database:
    """Lend the database with a small firm."""
    await fill(database)
    return database


async def recall(database: Database, memory: SearchMemory) -> SearchInput:
    return await recall_search_input(database, TENANT, _ANYBODY, NOW, memory)


async def require_same(database: Database, memory: SearchMemory) -> None:
    async with database.transaction(TENANT) as connection:
        read = await read_search_input(connection, _ANYBODY, NOW)
    assert describe_difference(await recall(database, memory), read) == ""


async def wait_for_older(database: Database) -> None:
    """Return when no transaction, of another test either, is under way that is older than the last change."""
    async with asyncio.timeout(60):
        while True:
            async with database.transaction(TENANT) as connection:
                if await connection.fetchval(_ARE_ALL_OLD):
                    return
            await asyncio.sleep(0.05)


async def take(connection: Connection, days: int = 1) -> None:
    begin = NOW + timedelta(days=days, hours=4)
    await connection.execute(_TAKE, begin, begin + timedelta(hours=1))


async def test_whatever_is_written_a_search_that_remembers_finds_it(filled: Database) -> None:
    """Run the thorough test in one process."""
    chance = random.Random(35)  # noqa: S311 - a seed

    async def write_and_compare(reader: Reader) -> list[str]:
        writer = Writer(filled, chance)
        return [difference for _ in range(25) if (await writer.write(), difference := await reader.compare())[1]]

    found = await asyncio.gather(*(write_and_compare(Reader(filled, chance)) for _ in range(3)))
    assert found == [[], [], []]


@pytest.mark.thorough
@pytest.mark.own_database
@pytest.mark.usefixtures("filled")
async def test_processes_that_write_and_are_killed_are_always_equal(
    addresses: tuple[Address, Address],
) -> None:
    """Now and then one of four processes is killed at any moment, and another begins."""
    chance = random.Random(35)  # noqa: S311 - a seed
    address = {name: value for name, value in asdict(addresses[1]).items() if isinstance(value, str | int)}
    left, differences = _WRITES, list[str]()

    async def begin() -> Process:
        given = json.dumps({"address": address, "seed": chance.randrange(1 << 30), "writes": 1 << 30})
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "support.search_writers", given, stdout=PIPE, cwd=Path(__file__).parents[1]
        )

    async def follow() -> None:
        nonlocal left
        while left > 0:
            process = await begin()
            assert process.stdout is not None
            until = chance.randint(50, 600)
            async for line in process.stdout:
                if not line.startswith(b"["):
                    continue  # a line of its log
                left, until = left - 1, until - 1
                if difference := json.loads(line)[1]:
                    differences.append(difference)
                if until <= 0 or left <= 0:
                    break
            os.kill(process.pid, signal.SIGKILL)
            await process.communicate()
            assert process.returncode == -signal.SIGKILL

    await asyncio.gather(*(follow() for _ in range(4)))
    assert differences == []


async def test_a_search_again_is_one_statement(filled: Database) -> None:
    memory, statements = SearchMemory(_LIMIT), list[str]()
    await wait_for_older(filled)
    await recall(filled, memory)
    async with filled.transaction(TENANT) as connection:
        await take(connection)
    async with filled.transaction(TENANT) as connection:
        with connection.query_logger(lambda query: statements.append(query.query)):
            found = (await recall_changed(connection, TENANT, _ANYBODY, NOW, memory)).found
    assert len(statements) == 1
    assert len(found.calendars.busy) == 1
    assert len(found.candidates) == ADVISORS


async def test_an_answer_is_found_once_until_something_changes(
    filled: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, asked, found = (
        SearchMemory(_LIMIT),
        Asked(filled, TENANT, _ANYBODY, Version.V3, 1_000_000),
        list[datetime](),
    )

    def find_and_note(search_input: SearchInput, *args: Any, **named: Any) -> Answer:
        found.append(search_input.query.now)
        return find_answer(search_input, *args, **named)

    async def ask(seconds: float, times: int = 1) -> set[int]:
        asking = [answer_search(asked, NOW + timedelta(seconds=seconds + place), memory) for place in range(times)]
        return {len(json.loads(b"".join(each.pieces))) for each in await asyncio.gather(*asking)}

    monkeypatch.setattr(answers, "find_answer", find_and_note)
    await wait_for_older(filled)
    whole = await ask(1, times=5)
    assert await ask(10) == await ask(30) == await ask(59.9) == whole
    assert found == [NOW + timedelta(seconds=5)]  # of the last of those who asked at once
    await ask(60)
    await ask(61)
    assert len(found) == 3  # it began anew at the minute, and behind it
    async with filled.transaction(TENANT) as connection:
        await take(connection)
    with logged_statements(filled) as statements:
        assert await ask(62, times=5) == {min(whole) - 3}  # at three starts
    assert len(found) == 4
    assert len(statements) == 2  # that something changed, and the calendars that did
    kept = memory.find(KeptAnswer, asked.key)
    assert kept is not None
    assert kept.pieces  # it was written once for all of them


async def test_a_reservation_that_ends_within_the_minute_is_offered_again(filled: Database) -> None:
    memory, asked = SearchMemory(_LIMIT), Asked(filled, TENANT, _ANYBODY, Version.V3, 1_000_000)
    async with filled.transaction(TENANT) as connection:
        await take(connection)
        await connection.execute("update occupancy set expires_at = $1", NOW + timedelta(seconds=20))
    answered = [await answer_search(asked, NOW + timedelta(seconds=seconds), memory) for seconds in (10, 15, 30)]
    reserved, again, ended = (len(json.loads(b"".join(each.pieces))) for each in answered)
    assert reserved == again == ended - 3  # at three starts


async def test_what_a_transaction_wrote_itself_is_found_but_not_remembered(filled: Database) -> None:
    memory = SearchMemory(_LIMIT)
    await recall(filled, memory)
    async with filled.transaction(TENANT) as connection, rolled_back(connection):
        await take(connection)
        found = (await recall_changed(connection, TENANT, _ANYBODY, NOW, memory)).found
        assert len(found.calendars.busy) == 1
    await require_same(filled, memory)
    assert len((await recall(filled, memory)).calendars.busy) == 0


async def test_what_a_transaction_with_other_writes_reads_is_remembered_and_what_it_writes_later_is_found(
    filled: Database,
) -> None:
    """Write like a booking with an `Idempotency-Key`, which is written first."""
    memory = SearchMemory(_LIMIT)
    async with filled.transaction(TENANT) as connection:
        await connection.execute("select pg_current_xact_id()")
        await recall_changed(connection, TENANT, _ANYBODY, NOW, memory)
        assert memory.size > 0
        await take(connection)
    assert len((await recall(filled, memory)).calendars.busy) == 1


async def test_what_an_older_transaction_commits_later_is_found(filled: Database) -> None:
    memory = SearchMemory(_LIMIT)
    async with filled.transaction(TENANT) as older:
        await take(older, days=1)
        async with filled.transaction(TENANT) as younger:
            await take(younger, days=2)
        assert len((await recall(filled, memory)).calendars.busy) == 1
    assert len((await recall(filled, memory)).calendars.busy) == 2
    await require_same(filled, memory)


async def test_changes_that_were_forgotten_are_read_with_everything(filled: Database) -> None:
    memory = SearchMemory(_LIMIT)
    await recall(filled, memory)
    async with filled.transaction(TENANT) as connection:
        await take(connection)
    await wait_for_older(filled)
    async with filled.transaction(TENANT) as connection:
        await connection.execute("select forget_search_changes(keeping => 0)")
        assert await connection.fetchval("select array_agg(resource_key) from search_change") == [-1]
    assert len((await recall(filled, memory)).calendars.busy) == 1


async def test_recent_changes_are_kept(filled: Database) -> None:
    async with filled.transaction(TENANT) as connection:
        await take(connection)
        before = await connection.fetchval("select count(*) from search_change")
        await connection.execute("select forget_search_changes()")
        assert await connection.fetchval("select count(*) from search_change") == before > 0


async def test_databases_of_one_firm_are_told_apart(filled: Database, postgres: Endpoint, migrated: str) -> None:
    """Restore a backup: the same firm, on the same server."""
    memory = SearchMemory(_LIMIT)
    async with filled.transaction(TENANT) as connection:
        await take(connection)
    await recall(filled, memory)
    async with copy_database(postgres, migrated) as (_, application), Database(application, connections=1) as other:
        await fill(other)
        await require_same(other, memory)
        await require_same(filled, memory)


async def test_the_memory_is_bounded(filled: Database) -> None:
    small = SearchMemory(25_000)
    for name in ("a", "b", "c", "d"):
        async with filled.transaction(TENANT) as connection:
            asked: Any = AvailableQuery(require_employee_participation=False, customer_location=name)
            await recall_changed(connection, TENANT, asked, NOW, small)
        assert 0 < small.size <= small.limit
    nothing = SearchMemory(0)
    await recall(filled, nothing)
    assert nothing.size == 0
