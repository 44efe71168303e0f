"""Copying a tenant's rows from one database into another, while others write to both."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Final

import asyncpg

from meetdeck.administration.moves.tables import MovedTable
from meetdeck.platform.database import Connection, load_queries
from meetdeck.platform.errors import SetupError
from meetdeck.platform.process.progress import ProgressReport

queries = load_queries(__file__)

_CHUNKS: Final = 8
"""Pieces on the way at the same time; PostgreSQL sends some kilobytes in each."""
_MANY: Final = 1_000
_PAGES: Final = 128
"""The number of pages of rows that a transaction of the target adds: a megabyte."""


async def create_stages(target: Connection, tables: Sequence[MovedTable]) -> None:
    """Create the temporary tables in which rows arrive."""
    await target.execute("; ".join(statement for table in tables for statement in table.stages))


async def copy_snapshot(
    source: Connection, target: Connection, tables: Sequence[MovedTable], progress: ProgressReport
) -> str:
    """Copy all rows of one moment; return the transaction id from which changes are missing.

    Each step of the target is a transaction of its own, so that others' vacuum and searches do not wait for it.
    """
    async with source.transaction(isolation="repeatable_read", readonly=True):
        since: str = await queries.find_oldest(source)
        totals = {row["name"]: row["total"] for row in await source.fetch(count_all(tables, "false"))}
        progress.begin("rows", sum(totals.values()))
        for table in tables:
            if totals[table.name] and table.name != "tenant":
                await pipe(source, table.select(table.columns), target, table.staged, table.columns)
                await _insert_staged(target, table)
                if totals[table.name] >= _MANY:
                    await target.execute(f'analyze "{table.name}"')  # the target may have been empty until now
                progress.advance(totals[table.name])
    return since


def count_all(tables: Sequence[MovedTable], condition: str) -> str:
    """Return one query of the numbers of rows of all tables."""
    return " union all ".join(table.count("true" if table.is_read_whole else condition) for table in tables)


async def pipe(source: Connection, query: str, target: Connection, into: str, columns: Sequence[str]) -> None:
    """Copy the rows of a query into an empty temporary table, in constant memory."""
    name = into.partition(".")[2].strip('"')
    chunks: asyncio.Queue[bytes | None] = asyncio.Queue(_CHUNKS)

    async def read() -> None:
        await source.copy_from_query(query, output=chunks.put, format="binary")
        await chunks.put(None)

    async def arrive() -> AsyncGenerator[bytes]:
        while (chunk := await chunks.get()) is not None:
            yield chunk

    await target.execute(f"truncate {into}")
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(read())
        await target.copy_to_table(name, columns=list(columns), source=arrive(), format="binary")


async def _insert_staged(target: Connection, table: MovedTable) -> None:
    pages: int = await target.fetchval(
        f"select pg_relation_size('{table.staged}') / current_setting('block_size')::int"
    )
    step = pages + 1 if table.refers_to_itself else _PAGES  # a row may precede the one that it refers to
    try:
        for first in range(0, pages, step):
            await target.execute(f"{table.insert} where ctid >= '({first},0)' and ctid < '({first + step},0)'")
    except asyncpg.UniqueViolationError as error:
        raise SetupError(
            f"The rows of {table.name} clash with another tenant's in the target ({error.constraint_name}): an "
            "address, name or key must be unique in the whole installation. Change it in one of the two, and "
            "run the command again."
        ) from error
    await target.execute(f"truncate {table.staged}")  # its disk is free again


async def raise_sequences(source: Connection, target: Connection) -> None:
    """Advance the target's sequences past the source's numbers, which rows have."""
    for row in [row async for row in queries.list_sequences(source)]:
        # Without a lock: numbers that others take meanwhile are within the margin.
        await target.execute(
            f"select setval('{row['name']}', {row['last_value'] + 1_000}) from {row['name']}"  # noqa: S608 - of the catalog
            f" where last_value < {row['last_value']} or not is_called"
        )
