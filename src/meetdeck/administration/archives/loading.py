"""Loading an archive into a database and a storage: rows of one transaction, each file checked before it is stored."""

import re
import tempfile
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final
from uuid import UUID

import asyncpg
import msgspec

from meetdeck.administration.archives.catalog import COUNTED, Table
from meetdeck.administration.archives.packing import Rewrite, keep
from meetdeck.administration.archives.reading import MOST_IN_MEMORY, UUID_PATTERN, BrokenArchive, Member, shorten
from meetdeck.administration.archives.schemas import Manifest
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import SetupError
from meetdeck.platform.storage import Storage

_BATCH_BYTES: Final = 1024 * 1024
_IN_MEMORY_BYTES: Final = 4 * 1024 * 1024
_SEQUENCE_MARGIN: Final = 1_000
_LONGEST_REASON: Final = 300
_FILE_KEY: Final = re.compile(rf"(?P<tenant>{UUID_PATTERN})/(?:files/{UUID_PATTERN}|[0-9a-f]{{2}}/[0-9a-f]{{64}})")


class Loader:
    """Inserts the rows of an archive's members in their order, and stores its files.

    `connection` is in the one transaction of all rows, as the owner or the application's role. Triggers count again
    what they count (`COUNTED`), so nothing is counted twice. Only rows of tenants are accepted, and only of the tables
    in `only` if that is given.
    """

    def __init__(
        self,
        connection: Connection,
        tables: Sequence[Table],
        manifest: Manifest,
        *,
        rewrite: Rewrite = keep,
        only: Collection[str] | None = None,
    ) -> None:
        self._connection = connection
        self._tables: Mapping[str, Table] = {
            table.name: table for table in tables if table.is_of_tenants and (only is None or table.name in only)
        }
        self._manifest = manifest
        self._rewrite = rewrite
        self._tenant_id: UUID | None = None
        self._table = ""
        self._waiting = bytearray()
        self.rows = 0
        self.stored: list[str] = []
        """Keys of the stored files."""

    async def add_rows(self, member: Member, tenant_id: UUID, table: str) -> None:
        """Insert the rows of one member. Raises SetupError if the database refuses them."""
        if tenant_id not in self._manifest.tenants or table not in self._tables:
            raise BrokenArchive(f"{member.title} belongs to no firm or table that can be loaded here")
        if (tenant_id, table) != (self._tenant_id, self._table):
            await self.flush()
            await self._enter(tenant_id)
            self._table = table
        lines = member.read()
        if not lines.endswith(b"\n"):
            raise BrokenArchive(f"{member.title} ends within a row")
        self._waiting += self._rewrite_lines(member, tenant_id, table, lines)
        if len(self._waiting) > MOST_IN_MEMORY:
            raise BrokenArchive(f"{table} has more than {MOST_IN_MEMORY:,} bytes of rows that refer to one another")
        if not self._tables[table].refers_to_itself:  # a row may precede the one that it refers to
            await self.flush()

    async def flush(self) -> None:
        """Insert the waiting rows."""
        lines, self._waiting = self._waiting, bytearray()
        begin, most = 0, len(lines) if self._table and self._tables[self._table].refers_to_itself else _BATCH_BYTES
        while begin < len(lines):
            end = lines.find(b"\n", min(begin + most, len(lines)) - 1) + 1
            await self._insert(self._tables[self._table], bytes(lines[begin:end]).split(b"\n")[:-1])
            begin = end

    async def add_file(self, member: Member, storage: Storage) -> None:
        """Store the file of one member. Raises StorageUnavailable."""
        found = _FILE_KEY.fullmatch(member.key)
        if found is None or UUID(found["tenant"]) not in self._manifest.tenants:
            raise BrokenArchive(f"{member.title} belongs to no firm that is known here")
        with tempfile.SpooledTemporaryFile(_IN_MEMORY_BYTES) as spool:
            member.copy(spool.write)
            spool.seek(0)
            self.stored.append(member.key)
            await storage.put(member.key, spool if member.size > _IN_MEMORY_BYTES else spool.read())

    async def finish(self) -> None:
        """Insert the waiting rows. Raises BrokenArchive if rows of the manifest are missing."""
        await self.flush()
        if self.rows != self._manifest.rows:
            raise BrokenArchive("its rows are not those of its manifest")

    def _rewrite_lines(self, member: Member, tenant_id: UUID, table: str, lines: bytes) -> bytes:
        try:
            return self._rewrite(table, tenant_id, lines)
        except (msgspec.DecodeError, RecursionError) as error:
            raise BrokenArchive(f"{member.title} has a line that is not a row of {table} ({error})") from None

    async def _enter(self, tenant_id: UUID) -> None:
        if tenant_id != self._tenant_id:
            await self._connection.execute(f"select set_config('meetdeck.tenant', '{tenant_id}', true)")
            self._tenant_id = tenant_id

    async def _insert(self, table: Table, lines: Sequence[bytes]) -> None:
        columns = ", ".join(f'"{column}"' for column in _read_columns(table, lines[0]))
        statement = (
            f'insert into "{table.name}" ({columns}) overriding system value'  # noqa: S608 - names of the catalog
            f' select {columns} from json_populate_recordset(null::"{table.name}", $1::json) where tenant_id = $2'
        )
        try:
            await self._connection.execute("savepoint batch")
            inserted = await self._run(statement, lines)
        except UnicodeDecodeError:
            raise BrokenArchive(f"the rows of {table.name} are not UTF-8") from None
        except asyncpg.UniqueViolationError as error:
            raise SetupError(_explain_double(table, error)) from error
        except asyncpg.PostgresError as error:
            row = await self._find_refused(table, statement, lines)
            raise SetupError(
                f"The database refuses rows of {table.name}{row}: {shorten(str(error), _LONGEST_REASON)}"
            ) from error
        if inserted != len(lines):
            raise BrokenArchive(f"{table.name} has rows of another firm than its own")
        await self._connection.execute("release savepoint batch")
        self.rows += len(lines)

    async def _run(self, statement: str, lines: Sequence[bytes]) -> int:
        rows = (b"[" + b",".join(lines) + b"]").decode()
        status = await self._connection.execute(statement, rows, self._tenant_id)
        return int(status.rpartition(" ")[2])

    async def _find_refused(self, table: Table, statement: str, lines: Sequence[bytes]) -> str:
        """Return the key of the first row that the database refuses alone, worded for a sentence; empty if none."""
        for line in lines if not table.refers_to_itself else ():
            await self._connection.execute("rollback to savepoint batch")
            try:
                await self._run(statement, [line])
            except asyncpg.PostgresError:
                return f", {_name_row(table, line)}"
        return ""


def _read_columns(table: Table, line: bytes) -> list[str]:
    """Return the columns of a line, except those that triggers count. Raises BrokenArchive for unknown ones."""
    try:
        named: Mapping[str, object] = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, RecursionError) as error:
        raise BrokenArchive(f"{table.name} has a line that is not a row ({error})") from None
    known = {column.name for column in table.columns}
    if missing := sorted(named.keys() - known):
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise BrokenArchive(f"{table.name} has no column {shorten(missing[0])}{more} here")
    return [column for column in named if column not in COUNTED.get(table.name, ())]


def _name_row(table: Table, line: bytes) -> str:
    try:
        row = msgspec.json.decode(line, type=dict[str, object])
    except (msgspec.DecodeError, RecursionError):
        return "one of them is not a row"
    return shorten(" ".join(str(row.get(column)) for column in table.key if column != "tenant_id"))


def _explain_double(table: Table, error: asyncpg.UniqueViolationError) -> str:
    constraint = error.constraint_name or ""
    if constraint.endswith("_pkey"):
        return f"A row of {table.name} is in it twice ({constraint})."
    return (
        f"The rows of {table.name} clash with another tenant's here ({constraint}): an address, name or key must "
        "be unique in the whole installation. Change it in one of the two, and run the command again."
    )


async def advance_sequences(
    connection: Connection, tables: Sequence[Table], reached: Mapping[str, int], *, most_ahead: int | None = None
) -> None:
    """Advance the sequences past the numbers that `table.column` has `reached`.

    Call it last in the transaction that adds the rows: a rollback does not reset a sequence. Raises BrokenArchive for a
    number past half of the sequence's maximum, or more than `most_ahead` ahead of the sequence.
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
            shown = f"{min(last, most):,}{' and more' if last > most else ''}"
            raise BrokenArchive(f"{name} is at {shown}, but its numbers end at {most:,}")
        here = await connection.fetchval(f"select last_value from {counted[name]}")  # noqa: S608 - names of the catalog
        if most_ahead is not None and last > here + most_ahead:
            raise BrokenArchive(f"{name} is at {last:,}, too far ahead of {here:,}, its number in this installation")
    for name, last in behind.items():
        # Without a lock: numbers that others take meanwhile are within the margin.
        await connection.execute(
            f"select setval('{counted[name]}', $1::bigint + $2) from {counted[name]}"  # noqa: S608 - names of the catalog
            " where last_value < $1 or not is_called",
            last,
            _SEQUENCE_MARGIN,
        )


async def load_members(
    loader: Loader, members: Iterable[Member], storage: Storage, on_rows: Callable[[int], None]
) -> None:
    """Load all rows and files of the members that follow."""
    for member in members:
        before = loader.rows
        if (rows_of := member.rows_of) is not None:
            await loader.add_rows(member, *rows_of)
        elif member.key:
            await loader.add_file(member, storage)
        on_rows(loader.rows - before)
    await loader.finish()
