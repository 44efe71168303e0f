"""Encrypted values, read and replaced in batches; the SQL is made from our own list and the catalog."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from meetdeck.administration.archives.catalog import Table
from meetdeck.platform.database import Connection
from meetdeck.platform.secrets import EncryptedColumn

_MOST: Final = 500

Key = tuple[Any, ...]


class Value(NamedTuple):
    """An encrypted value: its row's key without the tenant, and whether it is certainly encrypted."""

    key: Key
    sealed: bytes
    is_encrypted: bool


class ValueColumn:
    """The SQL of one column of encrypted values, for the connection's tenant."""

    def __init__(self, kind: EncryptedColumn, table: Table) -> None:
        types = {column.name: column.type for column in table.columns}
        keys = [name for name in table.key if name != "tenant_id"]
        listed = ", ".join(keys)
        last = ", ".join(f"${place}::{types[name]}" for place, name in enumerate(keys, 1))
        self._select = (
            f"select {kind.column} as sealed, {kind.condition} as is_encrypted, {listed} from {kind.table}"  # noqa: S608 - of our own list
            f" where tenant_id = current_tenant() and {kind.column} is not null"
        )
        self._order = f" order by {listed} limit {_MOST}"
        self._after = f" and ({listed}) > ({last})"
        arrays = ", ".join(f"${place}::{types[name]}[]" for place, name in enumerate(keys, 3))
        same = " and ".join(f"changed.{name} = {kind.table}.{name}" for name in keys)
        self._update = (
            f"update {kind.table} set {kind.column} = changed.renewed"  # noqa: S608 - likewise
            f" from unnest($1::bytea[], $2::bytea[], {arrays}) as changed (sealed, renewed, {listed})"
            f" where {kind.table}.tenant_id = current_tenant() and {same}"
            f" and {kind.table}.{kind.column} = changed.sealed"
        )

    async def list_values(self, connection: Connection, after: Key | None) -> list[Value]:
        """Return the next values in the order of their keys, at most 500; empty at the end."""
        query = self._select + (self._after if after is not None else "") + self._order
        rows = await connection.fetch(query, *(after or ()))
        return [Value(tuple(row.values())[2:], row["sealed"], row["is_encrypted"]) for row in rows]

    async def replace(self, connection: Connection, renewed: Sequence[tuple[Value, bytes]]) -> int:
        """Replace values that are unchanged since they were read; return their number."""
        keys = zip(*(value.key for value, _ in renewed), strict=True)
        status = await connection.execute(
            self._update, [value.sealed for value, _ in renewed], [new for _, new in renewed], *map(list, keys)
        )
        return int(status.rpartition(" ")[2])
