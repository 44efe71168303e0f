"""Bringing a copy up to date: what changed in the source since a transaction, and what is gone."""

from collections.abc import Sequence
from typing import Final

import asyncpg

from meetdeck.administration.moves.copying import count_all, pipe
from meetdeck.administration.moves.tables import MovedTable
from meetdeck.platform.database import Connection, load_queries, savepoint
from meetdeck.platform.errors import SetupError

queries = load_queries(__file__)

_IN_THE_WAY: Final = (asyncpg.UniqueViolationError, asyncpg.ExclusionViolationError, asyncpg.ForeignKeyViolationError)
"""Rows that change places are in each other's way until each has moved."""


async def catch_up(source: Connection, target: Connection, tables: Sequence[MovedTable], since: str) -> int:
    """Make the rows of the target those of the source; return how many there are.

    Both connections are in a transaction; the source's sees one moment, or nobody writes. Rows of transactions that
    are not older than `since` are compared. Raises SetupError if the rows cannot be made the same.
    """
    changed = f"age(xmin) <= {await queries.measure_age(source, xid=since)}"
    there = {row["name"]: row for row in await source.fetch(count_all(tables, changed))}
    here = {row["name"]: row["total"] for row in await target.fetch(count_all(tables, "false"))}
    touched = [table for table in tables if there[table.name]["changed"]]
    for table in touched:
        condition = "true" if table.is_read_whole else changed
        await pipe(source, table.select(table.columns, condition), target, table.staged, table.columns)
        await target.execute(f"analyze {table.staged}")
        here[table.name] += await target.fetchval(table.count_new)
    # From here on, triggers do in the target what they did in the source; rows that they must not touch come last.
    for table in reversed(tables):
        if here[table.name] != there[table.name]["total"]:
            await _delete_gone(source, target, table)
    for table in touched:
        if table.watched:
            await target.execute(table.update_watched)
    for table in touched:
        await _upsert(target, table)
    for table in touched:
        if table.counted:
            await target.execute(table.update_counted)
    await _require_same(target, tables, {name: row["total"] for name, row in there.items()})
    return sum(row["total"] for row in there.values())


async def _delete_gone(source: Connection, target: Connection, table: MovedTable) -> None:
    await pipe(source, table.select(table.key), target, table.staged_keys, table.key)
    await target.execute(f"analyze {table.staged_keys}; {table.delete_gone}")


async def _upsert(target: Connection, table: MovedTable) -> None:
    try:
        async with savepoint(target):
            await target.execute(table.upsert())
    except _IN_THE_WAY:
        await _upsert_in_any_order(target, table)


async def _upsert_in_any_order(target: Connection, table: MovedTable) -> None:
    """Add or change rows one by one, those that are refused again after the others."""
    rows = await target.fetch(f"select ctid::text as place from {table.staged}")  # noqa: S608 - of the catalog
    waiting: list[str] = [row["place"] for row in rows]
    while waiting:
        refused: list[str] = []
        reason = ""
        for place in waiting:
            try:
                async with savepoint(target):
                    await target.execute(table.upsert(f"ctid = '{place}'"))
            except _IN_THE_WAY as error:
                refused.append(place)
                reason = str(error)
        if len(refused) == len(waiting):
            raise SetupError(
                f"Nothing was moved: {len(refused)} rows of {table.name} changed while they were copied, and "
                f"conflict with each other ({reason}). Repeat the command."
            )
        waiting = refused


async def _require_same(target: Connection, tables: Sequence[MovedTable], totals: dict[str, int]) -> None:
    copied = {row["name"]: row["total"] for row in await target.fetch(count_all(tables, "false"))}
    if differing := [name for name, total in totals.items() if copied[name] != total]:
        name = differing[0]
        raise SetupError(
            f"Nothing was moved: {name} has {totals[name]:,} rows, and its copy {copied[name]:,}. Repeat the command, "
            "and report this if it happens again."
        )
