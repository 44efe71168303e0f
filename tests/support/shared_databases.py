"""A database and a pool shared by all tests of a process: before each test every row and sequence is put back.

A test that changes the schema or the settings of its database is marked `own_database`, and gets a copy of its own.
"""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from typing import Final, Self

import asyncpg

from meetdeck.booking.scheduling.search.service.memory import MEMORY
from meetdeck.embedded_postgres import Endpoint
from meetdeck.platform.database import Address, Connection, Database
from meetdeck.platform.database.connection_pool import ConnectionPool
from support.databases import copy_database

CONNECTIONS: Final = 5
_PATIENCE: Final = "10s"
"""The wait for rows that a connection of an earlier test still holds; then that connection is ended."""

_TABLES: Final = """
select quote_ident(relname), string_agg(quote_ident(attname), ', ' order by attnum) as columns
from pg_class
join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
where relnamespace = 'public'::regnamespace and relkind = 'r'
group by relname
"""
_SEQUENCES: Final = "select 'public.' || quote_ident(sequencename) from pg_sequences where schemaname = 'public'"

# Each command that changes the schema is recorded, except those on temporary tables; one rolled back is not.
_RECORD_CHANGES: Final = """
create table kept.change (command text not null);
create function kept.record_change() returns event_trigger language plpgsql security definer as $$
begin
    if tg_event = 'sql_drop' then
        insert into kept.change
        select tg_tag || ' ' || object_identity from pg_event_trigger_dropped_objects() where not is_temporary;
    else
        insert into kept.change
        select command_tag || ' ' || coalesce(object_identity, '') from pg_event_trigger_ddl_commands()
        where schema_name is distinct from 'pg_temp';
    end if;
end $$;
create event trigger kept_changes on ddl_command_end execute function kept.record_change();
create event trigger kept_drops on sql_drop execute function kept.record_change();
"""

# Invisible to event triggers: the database's owner, who may connect, and the settings of roles in it.
_SETTINGS: Final = """
select 'settings of the database: ' || concat_ws(' ', datdba::regrole, datallowconn, datconnlimit, array(
    select concat_ws(' ', setrole::regrole, setconfig::text) from pg_db_role_setting where setdatabase = pg_database.oid
)::text)
from pg_database where datname = current_database()
"""
_CHANGES: Final = f"select array(select command from kept.change) || array({_SETTINGS})"  # noqa: S608 - as above
_END_OTHERS: Final = """
select pg_terminate_backend(pid, 5000) from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid()
"""


class PoolBorrower(Database):
    """A database of a test on the pool that its process keeps open."""

    def __init__(self, address: Address, pool: ConnectionPool) -> None:
        super().__init__(address, connections=CONNECTIONS)
        self._pool = pool


@dataclass
class SharedDatabase:
    """A copy of a template, a connection of its superuser, and an open pool for each address of it."""

    addresses: tuple[Address, Address]
    admin: Connection
    settings: str
    pools: dict[Address, ConnectionPool] = field(default_factory=dict[Address, ConnectionPool])
    is_changed: bool = False
    """True if a test changed more than rows, so that no other test may use it."""

    @classmethod
    @asynccontextmanager
    async def copy(cls, postgres: Endpoint, template: str) -> AsyncGenerator[Self]:
        """Lend a copy of a template that can be put back."""
        async with copy_database(postgres, template) as addresses:
            admin = await replace(postgres.superuser, database=addresses[0].database).connect()
            await _keep_rows(admin)
            shared = cls(addresses, admin, await admin.fetchval(_SETTINGS))
            yield shared
            for pool in shared.pools.values():
                pool.terminate()
            await admin.close()

    async def put_back(self) -> None:
        """Put every row and sequence back as the template has them."""
        MEMORY.forget_all()  # no trigger records what is put back
        try:
            await self.admin.execute("call kept.put_back()")
        except asyncpg.LockNotAvailableError:
            await self.admin.execute(_END_OTHERS)
            await self.admin.execute("call kept.put_back()")

    async def list_changes(self) -> list[str]:
        """Return what a test changed besides rows."""
        changes: list[str] = await self.admin.fetchval(_CHANGES)
        return [change for change in changes if change != self.settings]

    async def borrow(self, address: Address) -> Database:
        """Return the application's database, on a pool that is open; a test may have closed it."""
        pool = self.pools.get(address)
        if pool is None or pool.is_closing():
            opened = await Database(address, connections=CONNECTIONS).__aenter__()
            pool = self.pools[address] = opened.pool
        return PoolBorrower(address, pool)


class SharedDatabases:
    """The shared databases of this process, one for each template."""

    def __init__(self, postgres: Endpoint) -> None:
        self._postgres = postgres
        self._shared = dict[str, tuple[SharedDatabase, AsyncExitStack]]()

    async def lend(self, template: str) -> SharedDatabase:
        """Return the database of a template, with the template's rows."""
        shared, stack = self._shared.get(template, (None, None))
        if shared is not None and stack is not None and shared.is_changed:
            await stack.aclose()
            shared = None
        if shared is None:
            stack = AsyncExitStack()
            shared = await stack.enter_async_context(SharedDatabase.copy(self._postgres, template))
            self._shared[template] = shared, stack
        await shared.put_back()
        return shared

    async def close(self) -> None:
        """Drop all of them."""
        for _, stack in self._shared.values():
            await stack.aclose()


async def _keep_rows(admin: Connection) -> None:
    """Copy all rows into the schema `kept`, beside a procedure that puts them back."""
    await admin.execute("create schema kept")
    steps = [step for table, columns in await admin.fetch(_TABLES) for step in await _keep_table(admin, table, columns)]
    for (sequence,) in await admin.fetch(_SEQUENCES):
        (state,) = await admin.fetch(f"select last_value, is_called from {sequence}")  # noqa: S608 - quoted
        steps.append(f"perform setval('{sequence}', {state['last_value']}, {state['is_called']})")
    # In PL/pgSQL, which keeps the statements' plans.
    await admin.execute(f"create procedure kept.put_back() language plpgsql as $$ begin {'; '.join(steps)}; end $$")
    await admin.execute(_RECORD_CHANGES)
    # Neither triggers nor references act on rows that are put back.
    await admin.execute(f"set session_replication_role = replica; set lock_timeout = '{_PATIENCE}'")


async def _keep_table(admin: Connection, table: str, columns: str) -> list[str]:
    """Copy a table; return the statements that put its rows back. The names are quoted."""
    await admin.execute(f"create table kept.{table} as table public.{table}")
    steps = [f"delete from public.{table}"]  # noqa: S608 - quoted
    if await admin.fetchval(f"select exists (select from kept.{table})"):  # noqa: S608 - quoted
        kept = f"select {columns} from kept.{table}"  # noqa: S608 - quoted
        steps.append(f"insert into public.{table} ({columns}) overriding system value {kept}")
    return steps


@contextmanager
def cancelling_tasks() -> Generator[None]:
    """Cancel at the end the tasks that a test left running on the loop shared with others."""
    before = asyncio.all_tasks()
    yield
    current = asyncio.current_task()
    for task in asyncio.all_tasks() - before:
        if task is not current:
            task.cancel()
