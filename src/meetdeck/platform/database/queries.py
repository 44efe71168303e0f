"""SQL from the `.sql` file beside a store: each query in it becomes a method (aiosql)."""

import re
from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiosql
import asyncpg
import asyncpg.cursor
from aiosql.adapters.asyncpg import AsyncPGAdapter
from aiosql.queries import Queries as _AnyQueries
from aiosql.query_loader import QueryLoader

from meetdeck.platform.database.columns import Columns, expand_columns
from meetdeck.platform.process.tracing import WorkKind, measured

Connection = asyncpg.Connection
Cursor = asyncpg.cursor.Cursor
Queries = Any  # aiosql makes a method of each query in a .sql file; what a store returns is typed there
Parameters = Mapping[str, Any]
RecordClass = Callable[..., Any] | None
_BEGIN = re.compile(r"--\s*name\s*:\s*")
_OPTIONAL = re.compile(r"^-- only (\w+)\n(.*?)^-- end\n", re.MULTILINE | re.DOTALL)

SQL = WorkKind("db", calls_out=True, attributes={"db.system.name": "postgresql"})
"""The kind of work that a statement is; a trace names it as its file does, without its parameters."""


class _Adapter(AsyncPGAdapter):
    """Runs aiosql's queries on a connection; aiosql's own adapter looks for a pool each time, by `dir()`."""

    async def select(
        self, conn: Connection, query_name: str, sql: str, parameters: Parameters, record_class: RecordClass = None
    ) -> AsyncGenerator[Any]:
        """Yield the rows."""
        for row in await measured(conn.fetch(sql, *self._order(query_name, parameters)), query_name, SQL):
            yield row if record_class is None else record_class(**row)

    async def select_one(
        self, conn: Connection, query_name: str, sql: str, parameters: Parameters, record_class: RecordClass = None
    ) -> Any:  # noqa: ANN401 - a row, or what the query says to make of it
        """Return the one row (`^`)."""
        row = await measured(conn.fetchrow(sql, *self._order(query_name, parameters)), query_name, SQL)
        return row if row is None or record_class is None else record_class(**row)

    async def select_value(self, conn: Connection, query_name: str, sql: str, parameters: Parameters) -> Any:  # noqa: ANN401 - any column
        """Return the one value (`$`)."""
        return await measured(conn.fetchval(sql, *self._order(query_name, parameters)), query_name, SQL)

    async def insert_update_delete(self, conn: Connection, query_name: str, sql: str, parameters: Parameters) -> str:
        """Return PostgreSQL's command status (`!`)."""
        return await measured(conn.execute(sql, *self._order(query_name, parameters)), query_name, SQL)

    @asynccontextmanager
    async def select_cursor(
        self, conn: Connection, query_name: str, sql: str, parameters: Parameters
    ) -> AsyncGenerator[Cursor]:
        """Yield a cursor over the rows (`…_cursor`), in the open transaction."""
        yield await measured(conn.cursor(sql, *self._order(query_name, parameters)), query_name, SQL)

    def _order(self, query_name: str, parameters: Parameters) -> Sequence[Any]:
        untyped: Any = self
        return [parameters[name] for name in untyped.var_sorted[query_name]]


class _Queries(_AnyQueries):
    """Makes methods that return what the adapter does, without a coroutine or generator around it."""

    def _make_async_fn(self, query_datum: Any) -> Any:  # noqa: ANN401 - the library's own
        return self._make_sync_fn(query_datum)


class _Loader(QueryLoader):
    """Reads SQL that has no comments like `/* … */`: looking for them took aiosql half of the time."""

    def load_query_data_from_sql(self, sql: str, ns_parts: list[str], fname: Path | str = "<unknown>") -> list[Any]:
        """Return the queries; each begins with `-- name:`."""
        if "/*" in sql:
            return super().load_query_data_from_sql(sql, ns_parts, fname)
        _, *queries = _BEGIN.split(sql)
        return [self._make_query_datum(query, ns_parts, (fname, 1)) for query in queries]


def load_queries(
    beside: str,
    name: str = "queries.sql",
    *,
    parts: Mapping[str, str] | None = None,
    including: Collection[str] = (),
    **columns: Columns[Any],
) -> Queries:
    """Return the queries of the `.sql` file beside a store file, given its `__file__`.

    `parts` are inserted into the SQL in the place of their names: expressions made from the model, or the names of
    another table. Lines between `-- only NAME` and `-- end` are left out, unless the names `including` have theirs:
    PostgreSQL prepares each part of a statement, even one that inserts nothing. `columns` are the lists that the SQL
    names in braces (`columns.py`). Raises ValueError for a missing one.
    """
    adapter: Any = _Adapter
    path = Path(beside).with_name(name)
    text, optional = _OPTIONAL.subn(
        lambda found: found[2] if found[1] in including else "", path.read_text(encoding="utf-8")
    )
    for named, part in (parts or {}).items():
        text = text.replace(named, part)
    sql = expand_columns(text, columns, source=f"{path.parent.name}/{name}")
    # An optional part has parameters of its own, which the name of the query cannot list.
    return aiosql.from_str(sql, adapter, loader_cls=_Loader, queries_cls=_Queries, mandatory_parameters=not optional)
