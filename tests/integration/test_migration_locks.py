"""Migrating while the version before serves: which locks steps take, and that nobody waits long for them."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic

import pytest

from meetdeck import migrations
from meetdeck.embedded_postgres import Endpoint
from meetdeck.migrations import migrate, require_schema
from meetdeck.migrations.locks import ACCESS_EXCLUSIVE, SHARE_ROW_EXCLUSIVE, find_limits, find_locks
from meetdeck.platform.database import Address, Connection
from support.databases import make_empty_database

STEPS = sorted((Path(migrations.__file__).parent / "versions").glob("*.sql"))
FIRST_UNDER_LOAD = "0023"
"""Steps from here on tell their locks; those before were taken by releases that nobody upgrades from."""
READS = 60
PATIENCE = 10

_TABLES = (
    "select array_agg(oid::regclass::text) from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace"
)
_HELD = """
select relation::regclass::text as name, mode from pg_locks
where pid = pg_backend_pid() and relation::regclass::text = any ($1)
    and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
"""


@asynccontextmanager
async def make_database(postgres: Endpoint, *, until: str) -> AsyncGenerator[tuple[Address, Connection]]:
    """Lend a database with the steps before one, and a connection of its owner."""
    async with make_empty_database(postgres) as address:
        connection = await address.connect()
        try:
            await connection.execute("create table alembic_version (version_num text)")
            done = [step for step in STEPS if step.name < until]
            for step in done:
                await connection.execute(step.read_text(encoding="utf-8"))
            await connection.execute("insert into alembic_version values ($1)", done[-1].name.partition("_")[0])
            yield address, connection
        finally:
            await connection.close()


async def test_every_step_takes_the_locks_that_are_taken_before_it_and_no_other(postgres: Endpoint) -> None:
    async with make_database(postgres, until=FIRST_UNDER_LOAD) as (_, connection):
        for step in (step for step in STEPS if step.name > FIRST_UNDER_LOAD):
            before = await connection.fetchval(_TABLES)
            async with connection.transaction():
                sql = step.read_text(encoding="utf-8")
                await connection.execute(sql)
                held = {(row["name"], row["mode"]) for row in await connection.fetch(_HELD, before)}
            known = find_locks([sql])
            surprises = [
                (name, mode)
                for name, mode in held
                if known.get(name) != ACCESS_EXCLUSIVE and not (name in known and mode != "AccessExclusiveLock")
            ]
            assert not surprises, f"{step.name} locks {surprises}: let it begin with `lock table …`"


async def test_nobody_waits_behind_a_migration_that_waits_for_a_long_transaction(postgres: Endpoint) -> None:
    async with make_database(postgres, until="0028") as (address, reading):
        long_one = await address.connect()
        await long_one.execute("begin; select from portal")
        migrating = asyncio.create_task(migrate(address))
        waits: list[float] = []
        while len(waits) < READS:
            begun = monotonic()
            await asyncio.wait_for(reading.execute("begin; select from portal; select from label; commit"), PATIENCE)
            waits.append(monotonic() - begun)
            await asyncio.sleep(0.02)
        assert not migrating.done()
        assert max(waits) > 0.1  # it did wait behind the migration, for a moment
        await long_one.execute("rollback")
        await long_one.close()
        await asyncio.wait_for(migrating, PATIENCE)
        await require_schema(address)


def test_locks_are_found_in_what_a_step_changes() -> None:
    step = """
    -- alter table of_a_comment
    alter table meeting add column place text references room;
    create unique index meeting_by_place on meeting (tenant_id, place);
    create trigger counted after insert or update on template for each row execute function count();
    create table wish (tenant_id uuid references tenant);
    lock table employee in access exclusive mode;
    create policy tenant on portal using (true);
    """
    assert find_locks([step]) == {
        "meeting": ACCESS_EXCLUSIVE,
        "employee": ACCESS_EXCLUSIVE,
        "portal": ACCESS_EXCLUSIVE,
        "room": SHARE_ROW_EXCLUSIVE,
        "template": SHARE_ROW_EXCLUSIVE,
        "tenant": SHARE_ROW_EXCLUSIVE,
    }


@pytest.mark.parametrize("deadlock_ms", [1, 10, 200, 1000, 5000])
def test_a_migration_gives_up_before_the_server_looks_for_deadlocks(deadlock_ms: int) -> None:
    limits = find_limits(deadlock_ms)
    assert 0 < limits.lock_ms <= limits.locking_ms <= max(1, min(deadlock_ms, 1000) * 0.7)
