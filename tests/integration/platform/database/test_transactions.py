"""Transactions: whatever ends one, all or nothing is done, and its connection serves the next caller."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import pytest_asyncio

from meetdeck.demo.firm import NORDLYS, add_firm
from meetdeck.platform.database import (
    Address,
    CallerLeft,
    ChangedMeanwhile,
    Connection,
    Database,
    DatabaseUnavailable,
    savepoint,
)
from meetdeck.platform.process import for_caller
from meetdeck.platform.process.threads import run_in_thread

TENANT = NORDLYS.tenant_id
A_MOMENT_SECONDS = 0.000_1
ENOUGH = 5
_LEFT_OPEN = "select count(*) from pg_stat_activity where datname = current_database() and state like 'idle in %'"
_WAITING = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"


@pytest_asyncio.fixture
async def database(database: Database) -> AsyncGenerator[Database]:
    """Lend a database with a firm in it; no connection was ever found in a state that surprised the pool."""
    surprises: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: surprises.append(context))
    async with database.transaction(TENANT) as connection:
        await add_firm(connection, NORDLYS)
    yield database
    async with database.outside_tenants() as connection:
        assert await connection.fetchval(_LEFT_OPEN) == 0
    assert surprises == []


async def add_rooms(connection: Connection, *names: str) -> None:
    rows = [(NORDLYS.id_of("room", name),) for name in names]
    await connection.executemany("insert into resource (tenant_id, resource_id) values (current_tenant(), $1)", rows)


async def has_room(database: Database, name: str) -> bool:
    async with database.transaction(TENANT) as connection:
        query = "select exists (select from resource where resource_id = $1)"
        return await connection.fetchval(query, NORDLYS.id_of("room", name))


async def add_two_rooms(database: Database, *names: str) -> None:
    async with database.transaction(TENANT) as connection:
        await add_rooms(connection, names[0])
        async with savepoint(connection):
            await add_rooms(connection, names[1])


async def test_a_caller_who_goes_away_at_any_moment_leaves_all_or_nothing(database: Database) -> None:
    done = 0
    for moment in count():
        names = (f"First {moment}", f"Second {moment}")
        caller = asyncio.create_task(add_two_rooms(database, *names))
        await asyncio.sleep(moment * A_MOMENT_SECONDS)
        caller.cancel()
        await asyncio.wait([caller])
        first, second = [await has_room(database, name) for name in names]
        assert first is second
        done += first
        if done == ENOUGH:  # they go too late by now
            break


async def test_a_caller_who_goes_away_while_waiting_gives_everything_back(database: Database) -> None:
    async with database.transaction(TENANT) as connection:
        await add_rooms(connection, "Wanted")
        rivals = [asyncio.create_task(add_two_rooms(database, f"Rival {number}", "Wanted")) for number in range(3)]
        async with asyncio.timeout(10), database.outside_tenants() as onlooker:
            while await onlooker.fetchval(_WAITING) < len(rivals):  # noqa: ASYNC110 - the database tells nobody
                await asyncio.sleep(0.01)
        for rival in rivals:
            rival.cancel()
        await asyncio.wait(rivals)
    assert [await has_room(database, name) for name in ("Wanted", "Rival 0", "Rival 1")] == [True, False, False]


async def test_nothing_more_is_done_for_a_caller_who_left_while_waiting(addresses: tuple[Address, Address]) -> None:
    async with Database(addresses[1], connections=1) as database:
        await leave_while_waiting(database)


async def leave_while_waiting(database: Database) -> None:
    left, done = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        async with database.outside_tenants():
            done.set()

    with for_caller(left.is_set):
        async with database.outside_tenants():
            waiting = asyncio.create_task(work())
            await asyncio.sleep(0.05)
            left.set()
        with pytest.raises(CallerLeft):
            await waiting
    assert not done.is_set()
    assert database.pool.get_idle_size() == database.pool.get_size()


async def test_a_connection_that_is_lost_is_unavailable_and_the_next_caller_gets_another(database: Database) -> None:
    async def lose(connection: Connection) -> None:
        await add_rooms(connection, "Lost")
        async with savepoint(connection):
            await connection.execute("select pg_terminate_backend(pg_backend_pid())")

    with pytest.raises(DatabaseUnavailable):
        await database.run(TENANT, lose)
    assert not await has_room(database, "Lost")


async def test_what_the_system_refuses_meanwhile_is_no_fault_of_the_databases(database: Database) -> None:
    async def read_a_file(connection: Connection) -> None:
        await add_rooms(connection, "Undone")
        await run_in_thread(Path("/nowhere").read_bytes)

    with pytest.raises(FileNotFoundError):
        await database.run(TENANT, read_a_file)
    assert not await has_room(database, "Undone")


async def test_a_commit_that_is_refused_is_an_error_and_nothing_was_done(database: Database) -> None:
    async def break_a_rule_that_is_checked_at_last(connection: Connection) -> None:
        await add_rooms(connection, "Refused")
        await connection.execute("create temporary table once (number int unique deferrable initially deferred)")
        await connection.execute("insert into once values (1), (1)")

    with pytest.raises(asyncpg.UniqueViolationError):
        await database.run(TENANT, break_a_rule_that_is_checked_at_last)
    assert not await has_room(database, "Refused")


async def test_work_that_deadlocks_each_time_is_refused_and_may_be_repeated(database: Database) -> None:
    tries = 0

    async def deadlock(connection: Connection) -> None:
        nonlocal tries
        tries += 1
        await add_rooms(connection, "Deadlocked")
        raise asyncpg.DeadlockDetectedError

    with pytest.raises(ChangedMeanwhile):
        await database.run(TENANT, deadlock)
    assert tries > 1
    assert not await has_room(database, "Deadlocked")


async def test_what_an_attempt_did_is_undone_when_it_fails_and_the_transaction_goes_on(database: Database) -> None:
    async def attempt(connection: Connection, *names: str) -> None:
        async with savepoint(connection):
            await add_rooms(connection, *names)

    async with database.transaction(TENANT) as connection:
        with pytest.raises(asyncpg.UniqueViolationError):
            await attempt(connection, "Twice", "Twice")
        await attempt(connection, "Once")
    assert [await has_room(database, name) for name in ("Twice", "Once")] == [False, True]


async def test_no_attempt_is_inside_the_one_that_failed_before(database: Database) -> None:
    async def end_an_attempt_twice(connection: Connection) -> None:
        with suppress(LookupError):
            async with savepoint(connection):
                raise LookupError
        await connection.execute("release attempt")

    with pytest.raises(asyncpg.PostgresError, match='savepoint "attempt" does not exist'):
        await database.run(TENANT, end_an_attempt_twice)


async def test_a_connection_that_has_ended_when_it_is_given_back_is_no_error(database: Database) -> None:
    """The deadline may be over just then."""
    async with database.outside_tenants() as connection:
        assert await connection.fetchval("select 1") == 1
        connection.terminate()
    async with database.outside_tenants() as connection:
        assert await connection.fetchval("select 2") == 2


async def read_one(borrowed: AbstractAsyncContextManager[Connection]) -> None:
    async with borrowed as connection:
        await connection.fetchval("select 1")


@pytest.mark.parametrize(
    "failure",
    [
        None,  # asyncpg's own: AttributeError
        RuntimeError("unable to perform operation on <TCPTransport closed=True>; the handler is closed"),
        asyncio.InvalidStateError("invalid state"),
        AssertionError(),
    ],
)
async def test_a_connection_that_ends_between_two_steps_is_unavailable(
    database: Database, monkeypatch: pytest.MonkeyPatch, failure: Exception | None
) -> None:
    class_of_connections: Any = asyncpg.Connection
    prepare = class_of_connections._get_statement  # noqa: SLF001 - nothing else happens at that moment

    async def prepare_and_end(connection: asyncpg.Connection, *arguments: Any, **options: Any) -> Any:
        statement = await prepare(connection, *arguments, **options)
        connection.terminate()
        if failure is not None:
            raise failure
        return statement

    for borrowed in (database.outside_tenants, lambda: database.transaction(TENANT), lambda: database.reading(TENANT)):
        with monkeypatch.context() as patched:
            patched.setattr(asyncpg.Connection, "_get_statement", prepare_and_end)
            with pytest.raises(DatabaseUnavailable):
                await read_one(borrowed())
    async with database.outside_tenants() as connection:
        assert await connection.fetchval("select 2") == 2


async def test_the_connections_of_a_server_that_closes_them_at_the_wrong_moment(
    addresses: tuple[Address, Address], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*connections: asyncpg.Connection, **_: object) -> None:
        for connection in connections:
            connection.terminate()
        raise RuntimeError("the handler is closed")

    async with Database(addresses[1], connections=1, is_cell=True) as other:
        with monkeypatch.context() as patched:
            patched.setattr(asyncpg, "connect", fail)
            with pytest.raises(DatabaseUnavailable):
                await other.outside_tenants().__aenter__()
        with monkeypatch.context() as patched:  # what was done stays done though giving it back fails
            async with other.outside_tenants() as connection:
                other.pool.expire_connections()
                patched.setattr(asyncpg.Connection, "close", fail)
        async with other.outside_tenants() as connection:
            assert await connection.fetchval("select 2") == 2
