"""The database that tests share: what one of them does to it, the next one does not see."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from meetdeck.demo.firm import NORDLYS
from meetdeck.embedded_postgres import Endpoint
from meetdeck.platform.database import Connection, Database
from support.shared_databases import SharedDatabase

_ROOMS = "select coalesce(json_agg(to_json(room) order by room_id)::text, '') from room"
_SEQUENCES = (
    "select array_agg((sequencename, last_value)::text order by 1) from pg_sequences where schemaname = 'public'"
)


@pytest_asyncio.fixture
async def shared(postgres: Endpoint, demo_firms: tuple[str, object]) -> AsyncGenerator[SharedDatabase]:
    """Lend a shared database of the demo firms that no other test has."""
    async with SharedDatabase.copy(postgres, demo_firms[0]) as shared:
        yield shared


async def test_rows_that_were_changed_deleted_and_added_are_put_back(shared: SharedDatabase) -> None:
    before = await shared.admin.fetchval(_ROOMS)
    database = await shared.borrow(shared.addresses[1])
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("delete from meeting; delete from occupancy")
        await connection.execute("update room set name = 'Elsewhere'")
        await connection.execute("insert into competence_group values (current_tenant(), gen_random_uuid(), 'Any')")
    assert await shared.admin.fetchval(_ROOMS) != before
    await shared.put_back()
    assert await shared.admin.fetchval(_ROOMS) == before
    assert await shared.admin.fetchval("select count(*) from meeting") == 6
    assert await shared.admin.fetchval("select count(*) from competence_group where name = 'Any'") == 0
    assert await shared.list_changes() == []


async def test_sequences_go_on_from_where_they_were(shared: SharedDatabase) -> None:
    before = await shared.admin.fetchval(_SEQUENCES)
    await shared.admin.execute("select nextval(pg_get_serial_sequence('occupancy', 'occupancy_id'))")
    assert await shared.admin.fetchval(_SEQUENCES) != before
    await shared.put_back()
    assert await shared.admin.fetchval(_SEQUENCES) == before


async def test_rows_are_put_back_though_somebody_holds_them(shared: SharedDatabase) -> None:
    await shared.admin.execute("set lock_timeout = '50ms'")
    holding = await shared.addresses[0].connect()
    await holding.execute("select set_config('meetdeck.tenant', $1, false)", str(NORDLYS.tenant_id))
    await holding.execute("begin; update room set name = 'Held'")
    await shared.put_back()
    holding.terminate()
    assert await shared.admin.fetchval("select count(*) from room where name = 'Held'") == 0


@pytest_asyncio.fixture
async def owner(shared: SharedDatabase) -> AsyncGenerator[Connection]:
    """Lend a connection of the role that owns the tables."""
    connection = await shared.addresses[0].connect()
    yield connection
    await connection.close()


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("alter table room add column view text", "ALTER TABLE public.room"),
        ("drop function current_tenant() cascade", "DROP FUNCTION public.current_tenant()"),
        ("create view twice as select 2", "CREATE VIEW public.twice"),
        ("grant delete on room to public", "GRANT"),
        ("alter database {database} connection limit 20", "settings of the database: meetdeck_owner t 20 {}"),
    ],
)
async def test_what_is_more_than_rows_is_named(
    statement: str, told: str, shared: SharedDatabase, owner: Connection
) -> None:
    await owner.execute(statement.replace("{database}", shared.addresses[0].database))
    assert told in [change.strip() for change in await shared.list_changes()]


async def test_temporary_tables_and_what_is_rolled_back_are_no_change(
    shared: SharedDatabase, owner: Connection
) -> None:
    await owner.execute("create temporary table note (one int); drop table note")
    await owner.execute("begin; alter table room add column view text; rollback")
    assert await shared.list_changes() == []


async def test_a_pool_that_a_test_closed_is_opened_again(shared: SharedDatabase) -> None:
    first: Database = await shared.borrow(shared.addresses[1])
    await first.pool.close()
    again = await shared.borrow(shared.addresses[1])
    async with again.outside_tenants() as connection:
        assert await _count_one(connection) == 1


async def _count_one(connection: Connection) -> int:
    return await connection.fetchval("select 1")
