"""Steps add columns beside the version before: its calls that wait for the step's locks are answered as ever."""

import asyncio
from datetime import timedelta
from uuid import UUID

import asyncpg
import pytest

from meetdeck.platform.database import Address, Connection
from support.fakes import MONDAY_MORNING

pytestmark = pytest.mark.own_database

TENANT, TOKEN = UUID(int=7), UUID(int=8)
HOUR = timedelta(hours=1)
CALLS = {
    "select time_slot_id from find_reservation($1)": [TOKEN],
    "select message_id from list_kept_mails($1)": [9],
    "select granted from take_rate_share($1, 9, 1, 1, 0, 0, 0)": [bytes(32)],
    "select take_at_once($1, null, null, $2, $3, $4, null, null, '', 'Reserved', $2, $4, '{}', $3, false)": [
        TENANT,
        TOKEN,
        MONDAY_MORNING,
        MONDAY_MORNING + HOUR,
    ],
}
_WAITING = """
select count(*) from pg_locks
where not granted and database = (select oid from pg_database where datname = current_database())
"""
_ROWS_OF_TABLES = """
select proname from pg_proc
join pg_type on pg_type.oid = prorettype
where pronamespace = 'public'::regnamespace and typrelid <> 0
"""


async def call(connection: asyncpg.Connection, statement: str) -> None:
    async with connection.transaction():
        await connection.execute("select set_config('meetdeck.tenant', $1, true)", str(TENANT))
        await connection.fetch(statement, *CALLS[statement])


async def test_calls_that_wait_while_a_step_adds_columns_are_answered(
    owner: Connection, addresses: tuple[Address, Address]
) -> None:
    await owner.execute(f"select set_config('meetdeck.tenant', '{TENANT}', false)")
    await owner.execute("insert into tenant (tenant_id, name) values (current_tenant(), 'Firm')")
    callers = {statement: await addresses[1].connect() for statement in CALLS}
    try:
        for statement, caller in callers.items():
            await call(caller, statement)
        async with owner.transaction():
            for table in ("time_slot", "kept_mail", "rate_count"):
                await owner.execute(f"alter table {table} add column later integer")
            calls = [asyncio.create_task(call(caller, statement)) for statement, caller in callers.items()]
            while await owner.fetchval(_WAITING) < len(calls):  # noqa: ASYNC110 - PostgreSQL tells nobody
                await asyncio.sleep(0.01)
        assert await asyncio.gather(*calls, return_exceptions=True) == [None] * len(calls)
    finally:
        for caller in callers.values():
            await caller.close()


async def test_functions_name_the_columns_that_they_return(owner: Connection) -> None:
    assert await owner.fetch(_ROWS_OF_TABLES) == []
