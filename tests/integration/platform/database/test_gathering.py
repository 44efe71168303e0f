"""SELECTs of several coroutines that become one statement (docs/decisions/0223)."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import asyncpg
import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Connection, Database, all_of, gathering
from support.statements import logged_statements

_KINDS = """
select
    number, array[number] as numbers, gen_random_uuid() is null as id,
    timestamptz '2026-03-02T06:00Z' as at, interval '1 hour' as length,
    '{"a": [1]}'::jsonb as data, '\\x01'::bytea as raw, null::text as nothing
from generate_series(1, $1::integer) as number
order by number desc; -- the last first
"""


async def test_selects_asked_for_at_once_are_one_statement_and_give_the_same_rows(firms: Database) -> None:
    async with firms.transaction(NORDLYS.tenant_id) as connection:
        alone = [dict(row) for row in await connection.fetch(_KINDS, 2)]
    with logged_statements(firms) as statements:
        async with firms.transaction(NORDLYS.tenant_id) as connection, gathering(connection) as reads:
            rows, none, name, again = await all_of(
                reads.fetch(_KINDS, 2),
                reads.fetchrow("select 1 where false"),
                reads.fetchval("select $1::text || name from tenant", "Bank "),
                reads.fetch(_KINDS, 2),
            )
    assert len(statements) == 1
    assert [dict(row) for row in rows] == alone
    assert [next(iter(row.values())) for row in again] == [row["number"] for row in alone] == [2, 1]
    assert rows[0]["at"] == datetime(2026, 3, 2, 6, tzinfo=UTC)
    assert none is None
    assert name == "Bank Firm"


async def test_changes_run_by_themselves_between_the_reads(firms: Database) -> None:
    async def write_and_count(reads: Connection, name: str) -> int:
        await reads.execute(
            "insert into customer_type (tenant_id, customer_type_id, name) "
            "values (current_tenant(), gen_random_uuid(), $1)",
            name,
        )
        return await reads.fetchval("select count(*) from customer_type where name = $1", name)

    async with firms.transaction(NORDLYS.tenant_id) as connection, gathering(connection) as reads:
        assert await all_of(*(write_and_count(reads, name) for name in "abc")) == [1, 1, 1]


async def test_an_error_reaches_all_who_wait_and_the_connection_goes_back(firms: Database) -> None:
    async def ask(reads: Connection, sql: str) -> Any:
        return await reads.fetchval(sql)

    with pytest.raises(asyncpg.PostgresError, match="division by zero"):
        async with firms.transaction(NORDLYS.tenant_id) as connection, gathering(connection) as reads:
            await all_of(ask(reads, "select 1 / 0"), ask(reads, "select 1"))
    with pytest.raises(KeyError):
        async with firms.transaction(NORDLYS.tenant_id) as connection, gathering(connection) as reads:
            await all_of(ask(reads, "select 1"), ask(reads, "select 2"), _fail())
    async with firms.transaction(NORDLYS.tenant_id) as connection:
        assert await connection.fetchval("select 1") == 1


async def test_after_an_error_nothing_goes_on() -> None:
    ended: list[str] = []

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    with pytest.raises(KeyError):
        await all_of(_fail(), wait(), _fail())
    assert ended == ["cancelled"]
    waiting = asyncio.ensure_future(all_of(wait(), wait()))
    await asyncio.sleep(0.01)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert len(ended) == 3


async def _fail() -> None:
    await asyncio.sleep(0)  # until the others have begun
    raise KeyError
