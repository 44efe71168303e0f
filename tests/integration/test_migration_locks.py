"""Migrating while the version before serves: which locks steps take, and that nobody waits long for them."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic

import pytest

from meetdeck.embedded_postgres import Endpoint
from meetdeck.migrations import known_revisions, migrate, require_schema, steps
from meetdeck.migrations.locks import ACCESS_EXCLUSIVE, SHARE_ROW_EXCLUSIVE, find_limits, find_locks
from meetdeck.migrations.steps import BASE, list_steps
from meetdeck.platform.database import Address, Connection
from support.databases import make_empty_database

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
async def make_database(postgres: Endpoint) -> AsyncGenerator[tuple[Address, Connection]]:
    """Lend a database with the first schema and none of the steps since, and a connection of its owner."""
    async with make_empty_database(postgres) as address:
        await migrate(address, to=BASE)
        connection = await address.connect()
        try:
            yield address, connection
        finally:
            await connection.close()


async def test_every_step_takes_the_locks_that_are_taken_before_it_and_no_other(postgres: Endpoint) -> None:
    async with make_database(postgres) as (_, connection):
        for step in list_steps(after=BASE, to=known_revisions()[-1]):
            before = await connection.fetchval(_TABLES)
            async with connection.transaction():
                await connection.execute(step.sql)
                held = {(row["name"], row["mode"]) for row in await connection.fetch(_HELD, before)}
            known = find_locks([step.sql])
            surprises = [
                (name, mode)
                for name, mode in held
                if known.get(name) != ACCESS_EXCLUSIVE and not (name in known and mode != "AccessExclusiveLock")
            ]
            assert not surprises, f"step {step.revision} locks {surprises}: let it begin with `lock table …`"


async def test_nobody_waits_behind_a_migration_that_waits_for_a_long_transaction(
    postgres: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with make_database(postgres) as (address, reading):
        (tmp_path / "0067_step.sql").write_text(
            "alter table label add column a integer; alter table portal add b integer;"
        )
        monkeypatch.setattr(steps, "VERSIONS", tmp_path)
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
