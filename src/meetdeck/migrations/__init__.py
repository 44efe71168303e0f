"""The database schema, in plain SQL: `schema/` creates it, and the steps in `versions/` are the changes since.

Steps only go forward. The table with the revision still has alembic's name, since releases before 1.0 read it, and so
do their backups.
"""

import asyncio
from enum import Enum
from typing import Final

import asyncpg
import structlog

from meetdeck.migrations.locks import end_vacuums, find_locks, take_locks
from meetdeck.migrations.steps import BASE, BEFORE_BASE_IS_LEFT, is_before_base, known_revisions, list_steps
from meetdeck.platform.database import Address
from meetdeck.platform.errors import SetupError

__all__ = ["Schema", "check_schema", "is_before_base", "known_revisions", "migrate", "require_schema"]

_LOCK: Final = 6211947
"""An arbitrary number: processes that start at the same time migrate one after the other."""
# A lock that was not available in time (`locks.py`), or a step that blocked others.
_IN_USE = ("55P03", "57014", "40P01")
_TRIES = 120
_PAUSE_SECONDS = 0.5
_LONGER_SECONDS = 0.05
_HOW_TO_END: Final = (
    "Its tables were in use for some minutes. Run `meetdeck migrate` again when there is less to do, or end "
    "transactions that have run for long: `select pid, xact_start, state, query from pg_stat_activity order by "
    "xact_start`."
)

log = structlog.stdlib.get_logger()


class Schema(Enum):
    """The state of a database's schema: without steps, behind, or up to date."""

    EMPTY = "empty"
    OLD = "old"
    CURRENT = "current"


async def check_schema(address: Address) -> Schema:
    """Return whether the database has none, some, or all of the steps.

    Raises SetupError if the database is not Meetdeck's, or has a schema that this version does not know.
    """
    connection = await address.connect()
    try:
        return await _check_schema(connection, address)
    except asyncpg.PostgresError as error:
        raise SetupError(f"The schema of the database {address} cannot be read: {error}") from error
    finally:
        await connection.close()


async def _check_schema(connection: asyncpg.Connection, address: Address) -> Schema:
    tables: list[str] = await connection.fetchval(
        "select coalesce(array_agg(relname::text order by relname), '{}') from pg_class"
        " where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')"
    )
    if not tables:
        return Schema.EMPTY
    if "alembic_version" not in tables or "tenant" not in tables:
        raise SetupError(
            f"The database {address} is not Meetdeck's: it has other tables ({', '.join(tables[:3])}…). "
            "Set MEETDECK_DATABASE_URL to an empty database for Meetdeck."
        )
    revision: str | None = await connection.fetchval("select max(version_num) from alembic_version")
    known = known_revisions()
    if revision is not None and is_before_base(revision):
        raise SetupError(
            f"The database {address} is at schema {revision}, and this Meetdeck upgrades from {known[0]} on. "
            "Install the last version before 1.0 (commit 64ee17b5), run its `meetdeck migrate`, then install this one."
        )
    if revision is not None and revision not in known:
        raise SetupError(
            f"The database {address} is at schema {revision}, which this Meetdeck does not know (it knows up to "
            f"{known[-1]}): a newer Meetdeck migrated it, or a migration file is missing. Install that version again."
        )
    return Schema.CURRENT if revision == known[-1] else Schema.OLD


async def require_schema(address: Address) -> None:
    """Raise SetupError unless the database has every step."""
    found = await check_schema(address)
    if found is Schema.EMPTY:
        raise SetupError(f"The database {address} is empty: run `meetdeck migrate` first.")
    if found is Schema.OLD:
        raise SetupError(
            f"The schema of the database {address} is older than this Meetdeck needs ({known_revisions()[-1]}): "
            "run `meetdeck migrate` first."
        )


async def migrate(address: Address, *, to: str | None = None) -> None:
    """Migrate the database to the newest schema, or `to` a revision, all steps or none; `address` is the owner's.

    Raises SetupError if the database is not ours or a step fails.
    """
    if await check_schema(address) is Schema.CURRENT:
        return
    revision = to or known_revisions()[-1]
    for number in range(1, _TRIES + 1):
        try:
            await _run_steps(address, revision, is_first=number == 1)
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
            is_in_use = getattr(error, "sqlstate", None) in _IN_USE
            if number == _TRIES or not is_in_use:
                failure = f"Migrating the database {address} failed, and nothing was changed: {error}"
                raise SetupError(f"{failure}. {_HOW_TO_END}" if is_in_use else failure) from error
            log.info("tables are in use: the migration tries again", error=str(error))
            # Those who waited for us have their turn; on a busy server they need longer.
            await asyncio.sleep(_PAUSE_SECONDS + _LONGER_SECONDS * number)
        else:
            break
    log.info("schema migrated", revision=revision)


async def _run_steps(address: Address, to: str, *, is_first: bool) -> None:
    """Run the missing steps in one transaction; processes that start at the same time do so one after the other.

    After the first attempt, automatic vacuums of their tables are ended before.
    """
    connection = await address.connect()
    try:
        async with connection.transaction():
            await connection.execute("select pg_advisory_xact_lock($1)", _LOCK)
            if await _find_revision(connection) == BASE:
                await connection.execute(BEFORE_BASE_IS_LEFT.read_text(encoding="utf-8"))
        if not is_first:
            steps = list_steps(await _find_revision(connection), to)
            await end_vacuums(connection, find_locks(step.sql for step in steps))
        async with connection.transaction():
            await connection.execute("select pg_advisory_xact_lock($1)", _LOCK)
            present = await _find_revision(connection)
            steps = list_steps(present, to)
            if present is not None:
                await take_locks(connection, find_locks(step.sql for step in steps))
            for step in steps:
                await connection.execute(step.sql)
                await connection.execute("update alembic_version set version_num = $1", step.revision)
    finally:
        await connection.close()


async def _find_revision(connection: asyncpg.Connection) -> str | None:
    if await connection.fetchval("select to_regclass('public.alembic_version') is null"):
        return None
    revision: str | None = await connection.fetchval("select max(version_num) from alembic_version")
    return revision
