"""Single SELECTs of one tenant, each a transaction and a round trip of its own (docs/decisions/0087)."""

from functools import cache
from typing import Any
from uuid import UUID

from asyncpg import Record

from meetdeck.platform.database.queries import Connection


class SingleReads:
    """Reads on a connection that is in no transaction; used instead of a `Connection` where reading is enough."""

    def __init__(self, connection: Connection, tenant_id: UUID, entry: str) -> None:
        self._connection = connection
        self._entry = entry
        self._tenant = str(tenant_id)

    async def fetch(self, sql: str, *values: object) -> list[Record]:
        """Return the rows."""
        return await self._connection.fetch(_read_in_tenant(sql, len(values), self._entry), *values, self._tenant)

    async def fetchrow(self, sql: str, *values: object) -> Record | None:
        """Return the first row."""
        return await self._connection.fetchrow(_read_in_tenant(sql, len(values), self._entry), *values, self._tenant)

    async def fetchval(self, sql: str, *values: object) -> Any:  # noqa: ANN401 - any column
        """Return the first row's first value."""
        return await self._connection.fetchval(_read_in_tenant(sql, len(values), self._entry), *values, self._tenant)


@cache
def _read_in_tenant(sql: str, parameters: int, entry: str) -> str:
    """Return a SELECT that sets its own tenant, its last parameter.

    The subquery depends on the row that setting it gives, so that no table is read before; otherwise its policy would
    show no row.
    """
    return (  # of our own SQL and a number
        f"select found.* from {entry.format(f'${parameters + 1}')} as tenant (id), lateral ("  # noqa: S608
        f"select * from ({sql.strip().removesuffix(';')}\n) as wanted where tenant.id is not null offset 0) as found"
    )
