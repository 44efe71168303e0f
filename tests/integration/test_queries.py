"""The code fits the schema: each query in a `.sql` file, and the tables and words of the kinds."""

import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any, cast

import asyncpg
from aiosql.queries import Queries

import meetdeck
from meetdeck.booking.directory.resources import Resource
from meetdeck.booking.kinds import Kind
from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Connection, Database, Table, savepoint

_AREAS = ("administration", "booking", "connections", "events", "labels", "messages", "platform", "present")


def _list_queries() -> Iterator[tuple[str, str]]:
    """Yield the name and the SQL of every query that a module has loaded."""
    for found in pkgutil.walk_packages(meetdeck.__path__, "meetdeck."):
        if not found.name.startswith(tuple(f"meetdeck.{area}." for area in _AREAS)):
            continue
        loaded: list[Any] = list(vars(import_module(found.name)).values())
        for each in loaded:
            for one in cast("dict[Any, Any]", each).values() if isinstance(each, dict) else (each,):
                queries = one.queries if isinstance(one, Table | Resource) else one
                if isinstance(queries, Queries):
                    for name in queries.available_queries:
                        yield f"{found.name}, {name}", getattr(queries, name).sql


async def test_every_query_fits_the_schema(database: Database) -> None:
    queries = dict(_list_queries())
    assert len(queries) > 150
    misfits: list[str] = []
    async with database.transaction(NORDLYS.tenant_id) as connection:
        for name, sql in queries.items():
            try:
                async with savepoint(connection):
                    await connection.execute(f"prepare query as {sql}")
                    await connection.execute("deallocate query")
            except asyncpg.PostgresError as error:
                misfits.append(f"{name}: {error}. Has every member of the resource a column, and a migration with it?")
    assert misfits == []


async def test_every_kind_has_its_table_and_is_remembered_by_its_word(owner: Connection) -> None:
    tables = {row["tablename"] for row in await owner.fetch("select tablename from pg_tables")}
    assert {kind.table for kind in Kind} <= tables
    remembered: str = await owner.fetchval(
        "select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'deletion'::regclass and contype = 'c'"
    )
    assert {Kind(word) for word in re.findall("'([^']+)'", remembered)} == {
        Kind.EMPLOYEE,
        Kind.ROOM,
        Kind.TOPIC,
        Kind.CUSTOMER_TYPE,
    }
