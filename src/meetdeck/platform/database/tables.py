"""The table of one kind of resource: its rows are listed, found, locked, inserted, updated and deleted by key."""

from builtins import list as list_of
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.platform.database.columns import Columns
from meetdeck.platform.database.queries import Connection, Queries, load_queries

R = TypeVar("R", bound=msgspec.Struct)


class Table(Generic[R]):
    """The rows of a table, each a resource whose members are its columns; the SQL is in `tables.sql`.

    The key is the column of the member `id`. `elsewhere` selects the members that other tables store, as SQL; a
    subclass writes them, and reads and writes columns of other types than their members.
    """

    def __init__(self, name: str, columns: Columns[R], *, order_by: str, elsewhere: str = "") -> None:
        parts = {
            "{table}": name,
            "{key}": columns["id"],
            "{order}": order_by,
            "{elsewhere}": f",\n    {elsewhere}" if elsewhere else "",
        }
        self.columns = columns
        self.queries: Queries = load_queries(__file__, "tables.sql", parts=parts, columns=columns)
        self._name = name

    def read(self, row: Record | Mapping[str, Any]) -> R:
        """Return the resource of a row."""
        return self.columns.read(row)

    def write(self, resource: R) -> dict[str, Any]:
        """Return the row of a resource."""
        return self.columns.write(resource)

    async def list(self, connection: Connection, keys: Sequence[UUID] | None = None) -> list_of[R]:
        """Return some resources, or all, in the order of their lists."""
        return [self.read(row) async for row in self._get("list")(connection, ids=keys)]

    async def find(self, connection: Connection, key: UUID, *, for_update: bool = False) -> R | None:
        """Return a resource, locked until the transaction ends when it is read `for_update`."""
        if for_update:
            await self._get("lock")(connection, id=key)
        row: Record | None = await self._get("find")(connection, id=key)
        return self.read(row) if row is not None else None

    async def lock_all(self, connection: Connection) -> None:
        """Lock all rows against changes until the transaction ends; reading and booking continue."""
        await self._get("lock_all")(connection)

    async def add(self, connection: Connection, new: Sequence[R]) -> set[UUID]:
        """Insert the resources with new ids, and return those ids."""
        return {row["id"] async for row in self._get("add")(connection, rows=[self.write(one) for one in new])}

    async def update(self, connection: Connection, changed: Sequence[R]) -> None:
        """Update locked resources."""
        await self._get("update")(connection, rows=[self.write(one) for one in changed])

    async def delete(self, connection: Connection, key: UUID) -> None:
        """Delete a resource."""
        await self._get("delete")(connection, id=key)

    def _get(self, statement: str) -> Any:  # noqa: ANN401 - a query of aiosql
        return getattr(self.queries, f"{statement}_{self._name}")
