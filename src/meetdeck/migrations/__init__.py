"""The database schema, step by step, in plain SQL run by alembic.

`versions/NNNN_name.py` declares a step, whose SQL is `versions/NNNN_name.sql`. Steps only go forward.
"""

import asyncio
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import asyncpg
import structlog

from meetdeck.platform.database import Address
from meetdeck.platform.errors import SetupError
from meetdeck.platform.process.threads import run_in_thread

if TYPE_CHECKING:
    from sqlalchemy import Connection

_FOLDER = Path(__file__).parent

# A lock that was not to be had in time (`env.py`), a step that got in others' way.
_IN_USE = ("55P03", "57014", "40P01")
_TRIES = 120
_PAUSE_SECONDS = 0.5

log = structlog.stdlib.get_logger()


def known_revisions() -> list[str]:
    """Return the revisions that this code has steps for, oldest first, from the file names."""
    return sorted(path.name.partition("_")[0] for path in (_FOLDER / "versions").glob("[0-9]*_*.sql"))


class Schema(Enum):
    """The state of a database's schema: without steps, behind, or up to date."""

    EMPTY = "empty"
    OLD = "old"
    CURRENT = "current"


async def check_schema(address: Address) -> Schema:
    """Return whether the database has no step, some, or all of them.

    Raises SetupError when the database is not Meetdeck's, or was migrated by a newer Meetdeck.
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
            "Give Meetdeck an empty database of its own in MEETDECK_DATABASE_URL."
        )
    revision: str | None = await connection.fetchval("select max(version_num) from alembic_version")
    known = known_revisions()
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

    Raises SetupError when the database is not ours or a step fails.
    """
    if await check_schema(address) is not Schema.CURRENT:
        revision = to or known_revisions()[-1]
        await run_in_thread(asyncio.run, _run_alembic(address, revision))
        log.info("schema migrated", revision=revision)


async def _run_alembic(address: Address, revision: str) -> None:
    # Imported here: a start that has nothing to migrate should not wait for SQLAlchemy.
    from sqlalchemy.exc import DBAPIError  # noqa: PLC0415
    from sqlalchemy.ext.asyncio import create_async_engine  # noqa: PLC0415
    from sqlalchemy.pool import NullPool  # noqa: PLC0415

    engine = create_async_engine("postgresql+asyncpg://", async_creator=address.connect, poolclass=NullPool)
    try:
        for left in range(_TRIES, 0, -1):
            try:
                async with engine.begin() as connection:
                    await connection.run_sync(_upgrade, revision)
            except (DBAPIError, asyncpg.PostgresError) as error:
                cause = getattr(error, "orig", None) or error
                if left == 1 or getattr(cause, "sqlstate", None) not in _IN_USE:
                    raise SetupError(
                        f"Migrating the database {address} failed, and nothing was changed: {cause}"
                    ) from error
                log.info("tables are in use: the migration tries again", error=str(cause))
                await asyncio.sleep(_PAUSE_SECONDS)  # in which those who waited behind us have their turn
            else:
                return
    finally:
        await engine.dispose()


def _upgrade(connection: "Connection", revision: str) -> None:
    from alembic import command  # noqa: PLC0415 - as above
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
