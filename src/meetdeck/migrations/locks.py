"""The locks that steps take, found in their SQL, so that all of them are taken before the first step."""

import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Final, NamedTuple

from asyncpg.exceptions import LockNotAvailableError

from meetdeck.platform.database import Connection

ACCESS_EXCLUSIVE: Final = "access exclusive"
"""Nobody reads or writes the table until the migration ends."""
SHARE_ROW_EXCLUSIVE: Final = "share row exclusive"
"""Nobody writes the table until the migration ends."""

_DEADLOCK_MS: Final = "select setting::int from pg_settings where name = 'deadlock_timeout'"
# An automatic vacuum, or one that an operator runs.
_VACUUMED: Final = """
select distinct relation::regclass::text as name from pg_locks
where mode = 'ShareUpdateExclusiveLock' and granted
    and database = (select oid from pg_database where datname = current_database())
    and relation::regclass::text = any ($1)
"""
_VACUUM_ENDS_MS: Final = 500
_COMMENT: Final = re.compile(r"--.*")
_CHANGES: Final = re.compile(
    r"\b(?:(?:alter|drop|lock)\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?"
    r"|(?:create|alter|drop)\s+policy\s+\w+\s+on\s+"
    r"|drop\s+trigger\s+(?:if\s+exists\s+)?\w+\s+on\s+)(\w+)",
    re.IGNORECASE,
)
_ADDS: Final = re.compile(
    r"\b(?:references\s+"
    r"|create\s+(?:unique\s+)?index\s+(?:if\s+not\s+exists\s+)?\w+\s+on\s+(?:only\s+)?"
    r"|create\s+(?:or\s+replace\s+)?(?:constraint\s+)?trigger\s+[^;]*?\bon\s+"
    r"|call\s+record_search_changes_in\(')(\w+)",
    re.IGNORECASE,
)


class LockLimits(NamedTuple):
    """The longest waits of a migration for one lock and for all of them, in milliseconds."""

    lock_ms: int
    locking_ms: int


def find_limits(deadlock_ms: int) -> LockLimits:
    """Return limits below the server's `deadlock_timeout`, as long as that is at most a second.

    Others who wait for one of our locks while we wait for the next are then not cancelled, since we give up before. A
    server that logs lock waits often has a lower timeout.
    """
    deadlock_ms = min(deadlock_ms, 1000)
    return LockLimits(max(1, deadlock_ms * 4 // 10), max(1, deadlock_ms * 7 // 10))


def find_locks(steps: Iterable[str]) -> dict[str, str]:
    """Return the tables that the SQL of some steps changes, also new ones, each with the lock that this takes.

    SQL that a `do` block composes at run time is not seen: such a step begins with `lock table …`.
    """
    locks: dict[str, str] = {}
    for step in steps:
        code = _COMMENT.sub("", step)
        locks |= {table.lower(): SHARE_ROW_EXCLUSIVE for table in _ADDS.findall(code) if table.lower() not in locks}
        locks |= {table.lower(): ACCESS_EXCLUSIVE for table in _CHANGES.findall(code)}
    return locks


def render_locking(locks: dict[str, str]) -> str:
    """Return a statement that takes the locks of existing tables, in a fixed order."""
    takes = [
        f"if to_regclass('{table}') is not null then lock table {table} in {mode} mode; end if;"
        for table, mode in sorted(locks.items())
    ]
    return f"do $$ begin {' '.join(takes)} end $$"


async def take_locks(connection: Connection, locks: dict[str, str]) -> None:
    """Take locks within a moment, in the caller's transaction, which then waits for no further lock.

    Raises asyncpg's error if one is not available: until then, every other request for the table waits.
    """
    limits = find_limits(await connection.fetchval(_DEADLOCK_MS))
    await connection.execute(f"set local lock_timeout = {limits.lock_ms}")
    await connection.execute(f"set local statement_timeout = {limits.locking_ms}")
    await connection.execute(render_locking(locks))
    await connection.execute("set local statement_timeout to default")


async def end_vacuums(connection: Connection, locks: dict[str, str]) -> None:
    """Take and release the lock of each table that is being vacuumed, so that an automatic vacuum there ends.

    PostgreSQL cancels it for someone who has waited for `deadlock_timeout`, which is longer than `take_locks` waits.
    One table at a time is safe: who waits for it has nothing that others wait for.
    """
    deadlock_ms: int = await connection.fetchval(_DEADLOCK_MS)
    for row in await connection.fetch(_VACUUMED, [*locks]):
        table: str = row["name"]
        with suppress(LockNotAvailableError):
            async with connection.transaction():
                await connection.execute(f"set local lock_timeout = {deadlock_ms + _VACUUM_ENDS_MS}")
                await connection.execute(f"lock table {table} in {locks[table]} mode")
