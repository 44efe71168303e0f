"""Readings: single SELECTs of one tenant, without a transaction around them."""

import asyncio
from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from meetdeck.demo.firm import FJORD, NORDLYS, Firm, add_firm
from meetdeck.platform.database import Database, DatabaseUnavailable
from support.statements import logged_statements

_ROOM = "select room_id, name, array(select tenant_id from resource limit 1) as tenants from room where room_id = $1;"


@pytest_asyncio.fixture
async def database(database: Database) -> AsyncGenerator[Database]:
    for firm in (NORDLYS, FJORD):
        async with database.transaction(firm.tenant_id) as connection:
            await add_firm(connection, firm)
    yield database


def room_of(firm: Firm) -> str:
    return str(firm.id_of("room", firm.rooms[0][0]))


async def test_a_tenant_reads_its_own_rows_and_nobody_elses(database: Database) -> None:
    async def read(firm: Firm, other: Firm) -> None:
        async with database.reading(firm.tenant_id) as connection:
            own = await connection.fetchrow(_ROOM, room_of(firm))
            assert own is not None
            assert (own["name"], own["tenants"]) == (firm.rooms[0][0], [firm.tenant_id])
            assert await connection.fetchrow(_ROOM, room_of(other)) is None
            assert await connection.fetchval("select count(distinct tenant_id) from resource") == 1
            names = await connection.fetch("select name from room order by name desc")
            assert [row["name"] for row in names] == sorted((room[0] for room in firm.rooms), reverse=True)

    await asyncio.gather(*(read(*firms) for _ in range(20) for firms in ((NORDLYS, FJORD), (FJORD, NORDLYS))))


@pytest.mark.parametrize("plans", ["force_generic_plan", "force_custom_plan"])
async def test_a_plan_that_is_kept_serves_every_tenant(database: Database, plans: str) -> None:
    async with database.outside_tenants() as connection:
        await connection.execute(f"set plan_cache_mode = {plans}")
        for _ in range(8):
            for firm in (NORDLYS, FJORD):
                async with database.reading(firm.tenant_id) as reading:
                    assert await reading.fetchval("select name from tenant") == firm.name
        await connection.execute("reset plan_cache_mode")


async def test_the_tenant_is_forgotten_when_the_statement_ends(database: Database) -> None:
    async with database.reading(NORDLYS.tenant_id) as connection:
        assert await connection.fetchval("select count(*) from room") == len(NORDLYS.rooms)
    for _ in range(database.pool.get_size()):
        async with database.outside_tenants() as connection:
            assert await connection.fetchval("select count(*) from room") == 0


async def test_each_read_is_one_statement(database: Database) -> None:
    with logged_statements(database) as statements:
        async with database.reading(NORDLYS.tenant_id) as connection:
            await connection.fetchrow(_ROOM, room_of(NORDLYS))
    assert len(statements) == 1


async def test_nothing_can_be_written(database: Database) -> None:
    async with database.reading(NORDLYS.tenant_id) as connection:
        with pytest.raises(AttributeError):
            await connection.execute("delete from room")
        with pytest.raises(Exception, match="syntax error"):
            await connection.fetch("delete from room returning room_id")


async def test_a_database_that_is_gone_is_unavailable(database: Database) -> None:
    with pytest.raises(DatabaseUnavailable):
        async with database.reading(NORDLYS.tenant_id) as connection:
            await connection.fetchval("select pg_terminate_backend(pg_backend_pid())")
