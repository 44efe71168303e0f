"""Loading an archive into a database and a storage: rows of one transaction, each file checked before it is stored."""

import re
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final
from uuid import UUID

import asyncpg
import msgspec

from meetdeck.administration.archives.catalog import COUNTED, Table
from meetdeck.administration.archives.packing import Rewrite, keep
from meetdeck.administration.archives.reading import Broken, Member
from meetdeck.administration.archives.schemas import Manifest
from meetdeck.platform.db import Connection
from meetdeck.platform.errors import SetupError
from meetdeck.platform.storage import Storage

_BATCH_BYTES: Final = 1024 * 1024
_IN_MEMORY_BYTES: Final = 4 * 1024 * 1024
_SEQUENCE_MARGIN: Final = 1_000
_FILE_KEY: Final = re.compile(r"(?P<tenant>[0-9a-f-]{36})/(?:files/[0-9a-f-]{36}|[0-9a-f]{2}/[0-9a-f]{64})")


class Loader:
    """Inserts the rows of an archive's members, in the order in which they come, and stores its files.

    `connection` is in the one transaction of all rows, as the owner or the application's role. Triggers count anew what
    they count (`COUNTED`), so that nothing is counted twice.
    """

    def __init__(
        self, connection: Connection, tables: Sequence[Table], manifest: Manifest, *, rewrite: Rewrite = keep
    ) -> None:
        self._connection = connection
        self._tables: Mapping[str, Table] = {table.name: table for table in tables}
        self._manifest = manifest
        self._rewrite = rewrite
        self._tenant_id: UUID | None = None
        self._table = ""
        self._waiting = bytearray()
        self.rows = 0
        self.stored: list[str] = []
        """Keys of the files that were stored."""

    async def add_rows(self, member: Member, tenant_id: UUID, table: str) -> None:
        """Insert the rows of one member. Raises SetupError when the database refuses them."""
        if tenant_id not in self._manifest.tenants or table not in self._tables:
            raise Broken(f"{member.name} is of no tenant or no table that is known here")
        if (tenant_id, table) != (self._tenant_id, self._table):
            await self.flush()
            await self._enter(tenant_id)
            self._table = table
        lines = member.read()
        self._waiting += self._rewrite(table, tenant_id, lines)
        if not self._tables[table].refers_to_itself:  # else whole: a row may come before the one that it names
            await self.flush()

    async def flush(self) -> None:
        """Insert what waits."""
        lines, self._waiting = self._waiting, bytearray()
        begin, most = 0, len(lines) if self._table and self._tables[self._table].refers_to_itself else _BATCH_BYTES
        while begin < len(lines):
            end = lines.find(b"\n", min(begin + most, len(lines)) - 1) + 1
            await self._insert(self._tables[self._table], bytes(lines[begin:end]).splitlines())
            begin = end

    async def add_file(self, member: Member, storage: Storage) -> None:
        """Store the file of one member. Raises StorageUnavailable."""
        found = _FILE_KEY.fullmatch(member.key)
        if found is None or UUID(found["tenant"]) not in self._manifest.tenants:
            raise Broken(f"{member.name} is of no tenant that is known here")
        with tempfile.SpooledTemporaryFile(_IN_MEMORY_BYTES) as spool:
            member.copy(spool.write)
            spool.seek(0)
            self.stored.append(member.key)
            await storage.put(member.key, spool if member.size > _IN_MEMORY_BYTES else spool.read())

    async def finish(self) -> None:
        """Insert what waits. Raises Broken unless all rows of the manifest were there."""
        await self.flush()
        if self.rows != self._manifest.rows:
            raise Broken("it has not the rows that its manifest names")

    async def _enter(self, tenant_id: UUID) -> None:
        if tenant_id != self._tenant_id:
            await self._connection.execute(f"select set_config('meetdeck.tenant', '{tenant_id}', true)")
            self._tenant_id = tenant_id

    async def _insert(self, table: Table, lines: Sequence[bytes]) -> None:
        named: Mapping[str, object] = msgspec.json.decode(lines[0], type=dict[str, msgspec.Raw])
        known = {column.name for column in table.columns}
        if missing := named.keys() - known:
            raise Broken(f"{table.name} has no column {', '.join(sorted(missing))} here")
        columns = ", ".join(f'"{column}"' for column in named if column not in COUNTED.get(table.name, ()))
        statement = (
            f'insert into "{table.name}" ({columns}) overriding system value'  # noqa: S608 - names of the catalog
            f' select {columns} from json_populate_recordset(null::"{table.name}", $1::json)'
        )
        try:
            await self._connection.execute(statement, (b"[" + b",".join(lines) + b"]").decode())
        except asyncpg.UniqueViolationError as error:
            raise SetupError(
                f"The rows of {table.name} meet another tenant's here ({error.constraint_name}): an address, name "
                "or key that is one tenant's in the whole installation. Change it in one of both, and repeat."
            ) from error
        except asyncpg.PostgresError as error:
            raise SetupError(f"The database refuses rows of {table.name}: {error}") from error
        self.rows += len(lines)


async def advance_sequences(connection: Connection, tables: Sequence[Table], reached: Mapping[str, int]) -> None:
    """Set the sequences behind the numbers that `table.column` has `reached`.

    It comes last in the transaction of the rows, since a sequence is not set back with it. Raises Broken when too few
    numbers would be left for other tenants.
    """
    counted = {
        f"{table.name}.{column.name}": column.sequence
        for table in tables
        for column in table.columns
        if column.sequence is not None
    }
    behind = {name: last for name, last in reached.items() if name in counted and last > 0}
    for name, last in behind.items():
        most = await connection.fetchval("select seqmax from pg_sequence where seqrelid = $1::regclass", counted[name])
        if last > most // 2:
            raise Broken(f"{name} has come to {last:,}, and its numbers end at {most:,}")
    for name, last in behind.items():
        # Without a lock: numbers that others take while this runs are within the margin.
        await connection.execute(
            f"select setval('{counted[name]}', $1::bigint + $2) from {counted[name]}"  # noqa: S608 - names of the catalog
            " where last_value < $1 or not is_called",
            last,
            _SEQUENCE_MARGIN,
        )


async def load_members(
    loader: Loader, members: Iterable[Member], storage: Storage, on_rows: Callable[[int], None]
) -> None:
    """Load all rows and files of the members that come."""
    for member in members:
        before = loader.rows
        if (rows_of := member.rows_of) is not None:
            await loader.add_rows(member, *rows_of)
        elif member.key:
            await loader.add_file(member, storage)
        on_rows(loader.rows - before)
    await loader.finish()
