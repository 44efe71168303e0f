"""The contents of a database and a storage, to be compared with a restored archive."""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from uuid import UUID

from meetdeck.platform.database import Address, Connection

Rows = dict[str, list[str]]
"""Rows as text, generated columns too, sorted, by table."""


async def dump_rows(address: Address, tenant_ids: Iterable[UUID]) -> Rows:
    """Return all rows of some tenants in all tables, read without our own code."""
    connection = await address.connect()
    try:
        return await _dump_rows(connection, tenant_ids)
    finally:
        await connection.close()


async def _dump_rows(connection: Connection, tenant_ids: Iterable[UUID]) -> Rows:
    names = await connection.fetch(
        "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')"
        " and relpersistence = 'p' and relname not in ('alembic_version', 'backup_success', 'sending_hold',"
        " 'search_change')"
    )
    rows: Rows = {row["relname"]: [] for row in names}
    for tenant_id in tenant_ids:
        async with connection.transaction():
            await connection.execute(f"select set_config('meetdeck.tenant', '{tenant_id}', true)")
            for table, found in rows.items():
                query = f"select t::text as line from {table} as t where tenant_id = $1"  # noqa: S608 - from the catalog
                found += [row["line"] for row in await connection.fetch(query, tenant_id)]
    return {table: sorted(found) for table, found in rows.items()}


def hash_files(storage_folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of a storage folder by key, but of what can be made again."""
    files = (path for path in storage_folder.rglob("*") if path.is_file())
    keys = {path.relative_to(storage_folder).as_posix(): path for path in files}
    return {
        key: hashlib.sha256(path.read_bytes()).hexdigest()
        for key, path in keys.items()
        if "/files/" in key and "/renderings/" not in key
    }
