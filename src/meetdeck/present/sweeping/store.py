"""The SQL of sweeping."""

from collections.abc import Sequence
from datetime import datetime

from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


async def is_tenant_known(connection: Connection) -> bool:
    """Return whether the database knows the tenant of the transaction."""
    return await queries.is_tenant_known(connection)


async def count_expired_contents(connection: Connection, before: datetime) -> int:
    """Return how many contents expired before that time."""
    return await queries.count_expired_contents(connection, before=before)


async def delete_expired_contents(connection: Connection, before: datetime) -> int:
    """Delete the contents that expired before that time; return how many. The sweeper deletes their files."""
    return await queries.delete_expired_contents(connection, before=before)


async def list_named_files(connection: Connection, keys: Sequence[str], expired_before: datetime) -> set[str]:
    """Return the storage keys named in a row: of any revision, or of a content unless it expired by then."""
    rows = queries.list_named_files(connection, keys=list(keys), expired_before=expired_before)
    return {row["file_key"] async for row in rows}


async def list_current_digests(connection: Connection, digests: Sequence[bytes]) -> set[bytes]:
    """Return the digests that belong to a template's current revision."""
    return {row["digest"] async for row in queries.list_current_digests(connection, digests=list(digests))}
