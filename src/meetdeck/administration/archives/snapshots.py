"""A consistent snapshot of the database and its files, while others continue to write."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

import asyncpg

from meetdeck.administration.archives.catalog import Table, list_tenants, read_revision, read_sequences, read_tables
from meetdeck.migrations import Schema, check_schema
from meetdeck.platform.database import Address, Connection, load_queries
from meetdeck.platform.errors import SetupError
from meetdeck.platform.storage import hold_files

queries = load_queries(__file__, "snapshots.sql")

# Each row is one unchanged line: JSON has no control characters, so nothing is quoted or escaped with these.
_NEVER_1, _NEVER_2 = "\x02", "\x01"
_FILES_AT_ONCE: Final = 500


class NamedFile(NamedTuple):
    """A file that a row names: its key in storage, its path in an archive, and the row's data about it."""

    key: str
    path: str
    digest: bytes
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The database at one moment. `tables` are in the order in which they can be loaded."""

    connection: Connection
    moment: datetime
    revision: str
    tables: Sequence[Table]
    sequences: dict[str, int]

    async def list_tenants(self) -> dict[UUID, str]:
        """Return the names of all tenants by id."""
        names = {tenant_id: await self.find_name(tenant_id) for tenant_id in await list_tenants(self.connection)}
        return {tenant_id: name for tenant_id, name in names.items() if name is not None}

    async def find_name(self, tenant_id: UUID) -> str | None:
        """Return a tenant's name, None if there is no such tenant."""
        await self._enter(tenant_id)
        return await queries.find_name(self.connection, tenant_id=tenant_id)

    async def copy_rows(self, table: Table, tenant_id: UUID, take: Callable[[bytes], Awaitable[None]]) -> None:
        """Pass on a tenant's rows of a table, as lines of JSON in the order of its key, in pieces of any length."""
        await self._enter(tenant_id)
        columns = ", ".join(f'"{column.name}"' for column in table.columns)
        order = ", ".join(f'"{column}"' for column in table.key) or "1"
        rows = f"select {columns} from \"{table.name}\" where tenant_id = '{tenant_id}' order by {order}"  # noqa: S608 - names of the catalog, and a UUID
        lines = f"select row_to_json(line) from ({rows}) as line"  # noqa: S608 - from above
        await self.connection.copy_from_query(lines, output=take, format="csv", delimiter=_NEVER_1, quote=_NEVER_2)

    async def list_files(self, tenant_id: UUID) -> AsyncGenerator[NamedFile]:
        """Yield the tenant's files that rows refer to, each once."""
        await self._enter(tenant_id)
        async with queries.list_files_cursor(self.connection, tenant_id=tenant_id) as cursor:
            while rows := await cursor.fetch(_FILES_AT_ONCE):
                for row in rows:
                    yield NamedFile(*row.values())

    async def _enter(self, tenant_id: UUID) -> None:
        await self.connection.execute(f"select set_config('meetdeck.tenant', '{tenant_id}', true)")


@asynccontextmanager
async def open_snapshot(address: Address) -> AsyncGenerator[Snapshot]:
    """Open the database at its present state, until the block ends; until then, no file of its rows is deleted.

    Raises SetupError if the database is empty, of a newer Meetdeck, or fails.
    """
    if await check_schema(address) is Schema.EMPTY:
        raise SetupError(
            f"The database {address} is empty, so there is nothing to back up. "
            "Check that the settings name the right database."
        )
    holder, connection = await address.connect(), await address.connect()
    try:
        # The files first: rows deleted from here on keep their file, and rows deleted before are not seen.
        await holder.execute("begin")
        await queries.switch_off_timeouts(holder)
        await hold_files(holder)
        await connection.execute("begin isolation level repeatable read, read only")
        await queries.switch_off_timeouts(connection)
        await connection.execute(
            "set local timezone = 'UTC'; set local intervalstyle = 'iso_8601'; set local bytea_output = 'hex'"
        )
        moment = await connection.fetchval("select now()")
        tables = await read_tables(connection)
        sequences = await read_sequences(connection, tables)
        yield Snapshot(connection, moment, await read_revision(connection), tables, sequences)
    except (asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise SetupError(f"The database {address} could not be read to the end: {error}") from error
    finally:
        await connection.close()
        await holder.close()
