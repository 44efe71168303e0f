"""Finding values that earlier keys encrypted, and encrypting them with the present one, while others write."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from meetdeck.administration.archives.catalog import list_tenants, read_tables
from meetdeck.administration.erasure.service.digests import CustomerDigests
from meetdeck.administration.rekeying.schemas import RekeyedKind, RekeyingReport
from meetdeck.administration.rekeying.store import Key, Value, ValueColumn
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.process.progress import ProgressReport
from meetdeck.platform.secrets import ENCRYPTED_COLUMNS, EncryptedColumn, Encryption


@dataclass
class _Count:
    values: int = 0
    rewritten: int = 0
    left: int = 0
    unreadable: int = 0

    def add(self, other: "_Count") -> None:
        self.values += other.values
        self.rewritten += other.rewritten
        self.left += other.left
        self.unreadable += other.unreadable


async def rekey(database: Database, keys: Sequence[bytes], progress: ProgressReport) -> RekeyingReport:
    """Encrypt everything with the first key; return a report of the state afterwards.

    Each batch is a transaction; values that others write meanwhile are left as written. A repeated run continues where
    an earlier one ended, since values under the first key are left alone. Raises DatabaseUnavailable.
    """
    digests = CustomerDigests(*keys)
    tenant_ids: list[UUID] = []
    for cell in database.cells:
        async with cell.outside_tenants() as connection:
            tenant_ids += await list_tenants(connection)
    for tenant_id in tenant_ids:
        await database.run(tenant_id, lambda connection, each=tenant_id: digests.keep_keys(connection, each))
    progress.begin("values", 0)
    rewriting = await _Pass(database, Encryption(*keys), progress, rewrites=True).run(tenant_ids)
    progress.begin("checked values", sum(count.values for count in rewriting.values()))
    counted = await _Pass(database, Encryption(*keys), progress, rewrites=False).run(tenant_ids)
    for words, count in counted.items():
        count.rewritten = rewriting[words].rewritten
    return _report(counted)


class _Pass:
    """A pass through all values: each is tried with the keys, and encrypted again if that is requested."""

    def __init__(self, database: Database, encryption: Encryption, progress: ProgressReport, *, rewrites: bool) -> None:
        self._database = database
        self._encryption = encryption
        self._progress = progress
        self._rewrites = rewrites
        self._counts = {kind.words: _Count() for kind in ENCRYPTED_COLUMNS}

    async def run(self, tenant_ids: Sequence[UUID]) -> dict[str, _Count]:
        async with self._database.outside_tenants() as connection:
            tables = {table.name: table for table in await read_tables(connection)}
        columns = [(kind, ValueColumn(kind, tables[kind.table])) for kind in ENCRYPTED_COLUMNS]
        for tenant_id in tenant_ids:
            for kind, column in columns:
                await self._walk(tenant_id, kind, column)
        return self._counts

    async def _walk(self, tenant_id: UUID, kind: EncryptedColumn, column: ValueColumn) -> None:
        after: Key | None = None
        while True:

            async def work(connection: Connection, after: Key | None = after) -> tuple[Key | None, _Count]:
                values = await column.list_values(connection, after)
                count, renewed = _sort(self._encryption, tenant_id, values)
                if renewed and self._rewrites:
                    count.rewritten = await column.replace(connection, renewed)
                return (values[-1].key if values else None), count

            after, count = await self._database.run(tenant_id, work)
            if after is None:
                return
            self._counts[kind.words].add(count)
            self._progress.advance(count.values)


async def count_values(connection: Connection, keys: Sequence[bytes], most: int) -> tuple[RekeyingReport, bool]:
    """Return the report on encrypted values, and whether all were counted: counting stops after `most` values.

    `connection` is in a transaction, which may be read-only.
    """
    encryption, counts = Encryption(*keys), {kind.words: _Count() for kind in ENCRYPTED_COLUMNS}
    tables = {table.name: table for table in await read_tables(connection)}
    columns = [(counts[kind.words], ValueColumn(kind, tables[kind.table])) for kind in ENCRYPTED_COLUMNS]
    for tenant_id in await list_tenants(connection):
        await connection.execute("select set_config('meetdeck.tenant', $1, true)", str(tenant_id))
        for total, column in columns:
            after: Key | None = None
            while values := await column.list_values(connection, after):
                total.add(_sort(encryption, tenant_id, values)[0])
                after = values[-1].key
                if sum(count.values for count in counts.values()) > most:
                    return _report(counts), False
    return _report(counts), True


def _sort(encryption: Encryption, tenant_id: UUID, values: Sequence[Value]) -> tuple[_Count, list[tuple[Value, bytes]]]:
    """Return the count of a batch, and the values that an earlier key encrypted, each with its new form."""
    count = _Count()
    renewed: list[tuple[Value, bytes]] = []
    for value in values:
        try:
            new = encryption.renew(tenant_id, value.sealed)
        except ValueError:
            count.values += value.is_encrypted
            count.unreadable += value.is_encrypted  # otherwise the value is in clear text
            continue
        count.values += 1
        if new is not None:
            renewed.append((value, new))
    count.left = len(renewed)
    return count, renewed


def _report(counts: dict[str, _Count]) -> RekeyingReport:
    kinds = [
        RekeyedKind(words, count.values, count.rewritten, count.left, count.unreadable)
        for words, count in counts.items()
    ]
    return RekeyingReport(
        kinds,
        values=sum(kind.values for kind in kinds),
        rewritten=sum(kind.rewritten for kind in kinds),
        left=sum(kind.left for kind in kinds),
        unreadable=sum(kind.unreadable for kind in kinds),
    )
