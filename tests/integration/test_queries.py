"""Each query in a `.sql` file fits the schema: PostgreSQL, which knows every table and column, is asked of all."""

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from typing import Any, cast

import asyncpg
from aiosql.queries import Queries

import meetdeck
from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.db import Database, savepoint

_PACKAGES = ("meetdeck.booking.", "meetdeck.labels.", "meetdeck.platform.", "meetdeck.present.")


def _list_queries() -> Iterator[tuple[str, str]]:
    """Yield the name and the SQL of every query that a module has loaded."""
    for found in pkgutil.walk_packages(meetdeck.__path__, "meetdeck."):
        if not found.name.startswith(_PACKAGES):
            continue
        loaded: list[Any] = list(vars(import_module(found.name)).values())
        for each in loaded:
            for queries in cast("dict[Any, Any]", each).values() if isinstance(each, dict) else (each,):
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
