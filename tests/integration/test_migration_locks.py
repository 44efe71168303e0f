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
from meetdeck.platform.errors import SetupError
from support.clusters import OWNER, run_primary
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

_ADD_TENANTS = "insert into tenant (tenant_id, name) select gen_random_uuid(), 'Firm' from generate_series(1, 20000)"
_IS_VACUUMED = "select exists (select from pg_locks where relation = 'tenant'::regclass and mode like '%UpdateExcl%')"


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


async def test_a_migration_that_never_gets_its_locks_says_what_to_do(
    postgres: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with make_database(postgres) as (address, connection):
        (tmp_path / "0067_step.sql").write_text("alter table portal add b integer;")
        monkeypatch.setattr(steps, "VERSIONS", tmp_path)
        monkeypatch.setattr("meetdeck.migrations._TRIES", 1)
        async with connection.transaction():
            await connection.execute("select from portal")
            with pytest.raises(SetupError, match=r"nothing was changed: .* timeout. .*again when there is less to do"):
                await migrate(address)


@pytest.mark.thorough  # seconds, and a server whose settings are changed
async def test_an_automatic_vacuum_does_not_keep_a_migration_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "0067_step.sql").write_text("alter table tenant add column a integer;")
    with run_primary() as primary:
        address = primary.address(OWNER)
        await migrate(address, to=BASE)
        often = {"naptime": "1s", "vacuum_threshold": "0", "vacuum_insert_threshold": "0", "vacuum_cost_delay": "100ms"}
        slowly = often | {"vacuum_cost_limit": "1"}
        statements = [f"alter system set autovacuum_{name} = '{value}'" for name, value in slowly.items()]
        primary.execute(*statements, "select pg_reload_conf()")
        connection = await primary.address("postgres").connect()
        await connection.execute(_ADD_TENANTS)
        async with asyncio.timeout(6 * PATIENCE):
            while not await connection.fetchval(_IS_VACUUMED):  # noqa: ASYNC110 - the server tells nobody
                await asyncio.sleep(0.1)
        monkeypatch.setattr(steps, "VERSIONS", tmp_path)
        await asyncio.wait_for(migrate(address), 3 * PATIENCE)
        await require_schema(address)
        await connection.close()


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
