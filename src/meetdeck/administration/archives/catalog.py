"""The tables of a database as its catalog lists them, so that no table or column of a later migration is forgotten."""

from collections.abc import Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Final
from uuid import UUID

from asyncpg import Record

from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__, "catalog.sql")

COUNTED: Final = {"label": {"usage_count"}, "tenant_usage": {"stored_bytes", "templates"}}
"""Columns that triggers count up while other rows are added: a loaded row starts at the default."""

OF_ITS_SERVER: Final = {"search_change"}
"""Tables whose rows mean nothing on another server: they name its transactions."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column that can be written; `sequence` is where its numbers come from, if any."""

    name: str
    type: str
    is_nullable: bool
    sequence: str | None


@dataclass(frozen=True, slots=True)
class Table:
    """A table: `columns` in their order, `key` its primary key, `references` the tables to which its rows refer."""

    name: str
    columns: Sequence[Column]
    key: Sequence[str]
    references: frozenset[str]

    @property
    def is_of_tenants(self) -> bool:
        """Return whether each row belongs to a tenant."""
        return any(column.name == "tenant_id" for column in self.columns)

    @property
    def refers_to_itself(self) -> bool:
        """Return whether rows refer to other rows of the same table."""
        return self.name in self.references


async def read_tables(connection: Connection) -> list[Table]:
    """Return all tables except alembic's in an order for loading: each after those that it refers to."""
    columns: dict[str, list[Column]] = {}
    async for row in queries.list_columns(connection):
        columns.setdefault(row["table_name"], []).append(
            Column(row["name"], row["type"], row["is_nullable"], row["sequence"])
        )
    keys = {row["table_name"]: row["columns"] async for row in queries.list_keys(connection)}
    references: dict[str, set[str]] = {name: set() for name in columns}
    async for row in queries.list_references(connection):
        references[row["table_name"]].add(row["referred"])
    tables = {
        name: Table(name, its_columns, keys.get(name, []), frozenset(references[name]))
        for name, its_columns in columns.items()
    }
    return [tables[name] for name in _sort(references)]


def _sort(references: dict[str, set[str]]) -> list[str]:
    """Return the tables in a fixed order that keeps references valid; counted tables come before what they count."""
    sorter: TopologicalSorter[str] = TopologicalSorter()
    first = {"tenant", *COUNTED} & references.keys()
    for name in sorted(references):
        needed = references[name] if name in first else references[name] | first
        sorter.add(name, *sorted(needed - {name}))
    return list(sorter.static_order())


async def read_revision(connection: Connection) -> str:
    """Return the revision of the schema."""
    return await queries.get_revision(connection)


async def read_sequences(connection: Connection, tables: Sequence[Table]) -> dict[str, int]:
    """Return the last number that each `table.column` got from its sequence."""
    last: dict[str, int] = {row["name"]: row["last_value"] async for row in queries.list_sequences(connection)}
    return {
        f"{table.name}.{column.name}": last[column.sequence]
        for table in tables
        for column in table.columns
        if column.sequence is not None and column.sequence in last
    }


async def list_tenants(connection: Connection) -> list[UUID]:
    """Return the ids of all tenants."""
    rows: list[Record] = [row async for row in queries.list_tenants(connection)]
    return [row["tenant_id"] for row in rows]
