"""A tenant sees and changes nothing of another, in every table that there is and whatever a query forgets.

A new table joins by itself. It only has to hold rows of both tenants: load them with the demo firms, or in `fill`.
"""

from collections.abc import AsyncGenerator, Mapping
from uuid import UUID

import pytest
import pytest_asyncio
from asyncpg.exceptions import ForeignKeyViolationError, InsufficientPrivilegeError

from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.platform.database import Connection, Database, savepoint
from support.factories import Api
from support.filled_firms import fill

Columns = Mapping[str, list[str]]

# No tenant's data: the schema's revision, the time of the last backup, digests of callers with how often they asked.
OF_NO_TENANT = ("alembic_version", "backup_success", "rate_count", "sending_hold")

# Rows are only added; they go with what they are about.
APPEND_ONLY = {"audit_entry", "erasure", "meeting_history"}


@pytest_asyncio.fixture
async def filled(api: Api, database: Database) -> AsyncGenerator[Database]:
    """Lend a database in which both demo firms have rows in every table."""
    for firm in (NORDLYS, FJORD):
        await fill(api, firm, database)
    yield database


@pytest_asyncio.fixture
async def tables(owner: Connection) -> Columns:
    """Return every table there is, each with the columns that can be written."""
    rows = await owner.fetch(
        "select table_name, array_agg(column_name::text order by ordinal_position) as columns"
        " from information_schema.columns join information_schema.tables using (table_schema, table_name)"
        " where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all ($1)"
        " and is_generated = 'NEVER' and identity_generation is distinct from 'ALWAYS'"
        " group by table_name",
        OF_NO_TENANT,
    )
    assert len(rows) > 20
    return {row["table_name"]: row["columns"] for row in rows}


async def count(database: Database, tables: Columns, tenant_id: UUID) -> dict[str, int]:
    """Return how many rows a tenant sees in each table."""
    async with database.transaction(tenant_id) as connection:
        return {table: await connection.fetchval(f"select count(*) from {table}") for table in tables}  # noqa: S608 - from the catalog


async def test_every_table_is_isolated_and_its_owner_too(owner: Connection, tables: Columns) -> None:
    rows = await owner.fetch(
        "select relname, relrowsecurity, relforcerowsecurity from pg_class"
        " where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> all ($1)",
        OF_NO_TENANT,
    )
    assert {row["relname"] for row in rows} == set(tables)
    open_tables = [row["relname"] for row in rows if not (row["relrowsecurity"] and row["relforcerowsecurity"])]
    assert open_tables == [], "call isolate_by_tenant in the migration that makes the table"
    assert [table for table, columns in tables.items() if "tenant_id" not in columns] == []


async def test_no_policy_gives_the_application_more_than_its_tenants_rows(owner: Connection, tables: Columns) -> None:
    rows = await owner.fetch("select tablename, roles, qual, with_check from pg_policies where 'public' = any (roles)")
    assert {row["tablename"] for row in rows} == set(tables)
    own = "(tenant_id = ( SELECT current_tenant() AS current_tenant))"
    assert {(row["qual"], row["with_check"]) for row in rows} == {(own, own)}
    others = await owner.fetch("select tablename, roles, cmd from pg_policies where not 'public' = any (roles)")
    assert all("meetdeck_app" not in row["roles"] for row in others)
    writing = {(row["tablename"], row["cmd"]) for row in others if row["cmd"] != "SELECT"}
    assert writing == {("job", "UPDATE"), ("job", "DELETE")}  # a worker takes jobs of all tenants, and ends them


async def test_no_statistics_are_kept_of_whose_a_row_is(owner: Connection, tables: Columns) -> None:
    rows = await owner.fetch(
        "select attrelid::regclass::text as table_name from pg_attribute"
        " where attname = 'tenant_id' and attstattarget = 0"
    )
    assert set(tables) - {row["table_name"] for row in rows} == set(), "call isolate_by_tenant"


async def test_a_query_without_where_sees_one_tenants_rows(filled: Database, tables: Columns) -> None:
    for firm in (NORDLYS, FJORD):
        async with filled.transaction(firm.tenant_id) as connection:
            for table in tables:
                seen = {row["tenant_id"] for row in await connection.fetch(f"select tenant_id from {table}")}  # noqa: S608 - from the catalog
                assert seen == {firm.tenant_id}, f"{table}: each tenant should see its own rows, and have some"


async def test_a_query_that_asks_for_another_tenant_gets_nothing(filled: Database, tables: Columns) -> None:
    async with filled.transaction(NORDLYS.tenant_id) as connection:
        for table in tables:
            statement = f"select count(*) from {table} where tenant_id = $1"  # noqa: S608 - from the catalog
            assert await connection.fetchval(statement, FJORD.tenant_id) == 0, table


async def test_without_a_tenant_there_are_no_rows(filled: Database, tables: Columns, owner: Connection) -> None:
    answering = {"subscription_key", "oauth_client", "scim_token", "calendar_feed"}
    async with filled.outside_tenants() as application:
        for connection in (application, owner):
            for table in set(tables) - answering:
                assert await connection.fetchval(f"select count(*) from {table}") == 0, table  # noqa: S608 - from the catalog
        for table in answering:  # their owner answers who calls; nobody else sees them
            assert await application.fetchval(f"select count(*) from {table}") == 0, table  # noqa: S608 - from the catalog


async def test_an_update_without_where_changes_one_tenants_rows(filled: Database, tables: Columns) -> None:
    own = await count(filled, tables, NORDLYS.tenant_id)
    async with filled.transaction(NORDLYS.tenant_id) as connection:
        # First the one to which the others' triggers add.
        for table in ["search_change", *set(tables) - APPEND_ONLY - {"search_change"}]:
            status = await connection.execute(f"update {table} set tenant_id = tenant_id")  # noqa: S608 - from the catalog
            assert status == f"UPDATE {own[table]}", table


async def test_a_delete_without_where_deletes_one_tenants_rows(filled: Database, tables: Columns) -> None:
    others = await count(filled, tables, FJORD.tenant_id)
    left = set(tables) - APPEND_ONLY
    async with filled.transaction(NORDLYS.tenant_id) as connection:
        while left:  # what others refer to goes after them
            gone = {table for table in left if await is_emptied(connection, table)}
            assert gone, f"nothing can be deleted first of {left}"
            left -= gone
        await connection.execute("delete from search_change")  # the others' triggers have added to it
    assert set((await count(filled, tables, NORDLYS.tenant_id)).values()) == {0}
    assert await count(filled, tables, FJORD.tenant_id) == others


async def is_emptied(connection: Connection, table: str) -> bool:
    try:
        async with savepoint(connection):
            await connection.execute(f"delete from {table}")  # noqa: S608 - from the catalog
    except ForeignKeyViolationError:
        return False
    return True


async def test_no_row_can_be_written_for_another_tenant(filled: Database, tables: Columns) -> None:
    async with filled.transaction(NORDLYS.tenant_id) as connection:
        for table, columns in tables.items():
            into = ", ".join(f'"{column}"' for column in columns)
            values = into.replace('"tenant_id"', "$1::uuid")
            statements = [f"insert into {table} ({into}) select {values} from {table} limit 1"]  # noqa: S608 - from the catalog
            if table not in APPEND_ONLY:
                statements.append(f"update {table} set tenant_id = $1::uuid")  # noqa: S608 - from the catalog
            for statement in statements:
                with pytest.raises(InsufficientPrivilegeError, match="violates row-level security policy"):
                    async with savepoint(connection):
                        await connection.execute(statement, FJORD.tenant_id)


async def test_what_was_written_down_stays_as_it_is(filled: Database) -> None:
    for table in APPEND_ONLY:
        for statement in (f"update {table} set tenant_id = tenant_id", f"delete from {table}"):  # noqa: S608 - from above
            async with filled.transaction(NORDLYS.tenant_id) as connection:
                with pytest.raises(InsufficientPrivilegeError, match="permission denied"):
                    await connection.execute(statement)


async def test_a_connection_that_is_lent_again_has_forgotten_its_tenant(filled: Database) -> None:
    async with filled.transaction(NORDLYS.tenant_id) as connection:
        assert await connection.fetchval("select count(*) from room") == len(NORDLYS.rooms)
        borrowed = await connection.fetchval("select pg_backend_pid()")
    async with filled.outside_tenants() as connection:
        assert await connection.fetchval("select pg_backend_pid()") == borrowed
        assert await connection.fetchval("select count(*) from room") == 0


async def test_the_applications_role_owns_nothing_and_stands_above_no_rule(database: Database) -> None:
    async with database.outside_tenants() as connection:
        role = await connection.fetchrow("select * from pg_roles where rolname = current_user")
        assert role is not None
        assert role["rolname"] == "meetdeck_app"
        assert not any(role[right] for right in ("rolsuper", "rolbypassrls", "rolcreaterole", "rolcreatedb"))
        owned = await connection.fetchval(
            "select count(*) from pg_shdepend"
            " where deptype = 'o' and refclassid = 'pg_authid'::regclass and refobjid = $1",
            role["oid"],
        )
        assert owned == 0
        assert await connection.fetchval("select count(*) from pg_auth_members where member = $1", role["oid"]) == 0


FORBIDDEN = [
    "alter table room disable row level security",
    "drop policy tenant on room",
    "truncate room",
    "create table loot (tenant_id uuid)",
    "set role meetdeck_owner",
    "update alembic_version set version_num = '0066'",
    "create or replace function current_tenant() returns uuid language sql return null::uuid",
]


async def test_the_application_cannot_change_the_rules(database: Database) -> None:
    for statement in FORBIDDEN:
        async with database.outside_tenants() as connection:
            with pytest.raises(InsufficientPrivilegeError):
                await connection.execute(statement)
