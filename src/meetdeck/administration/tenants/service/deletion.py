"""Deleting a tenant with all its rows and files, in steps that lock little and can be repeated."""

from datetime import datetime
from graphlib import TopologicalSorter
from typing import Final
from uuid import UUID

import structlog

from meetdeck.administration.errors import FilesHeld
from meetdeck.administration.tenants import store
from meetdeck.administration.tenants.schemas import DeletedTenant, Tenant
from meetdeck.administration.tenants.service.tenants import disable_tenant
from meetdeck.platform.changes import Actor
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.process.progress import ProgressReport
from meetdeck.platform.storage import Storage, are_files_held

_ROWS_AT_ONCE: Final = 5_000

log = structlog.stdlib.get_logger()


async def delete_tenant(
    database: Database, storage: Storage, tenant_id: UUID, actor: Actor, now: datetime, *, progress: ProgressReport
) -> DeletedTenant:
    """Delete a tenant: disable it, delete its rows table by table, then its files, and the tenant itself last.

    If it is interrupted, calling it again finishes it. Raises TenantNotFound, DatabaseUnavailable, StorageUnavailable,
    and FilesHeld while a backup runs.
    """
    await _require_free_files(database, tenant_id)
    tenant = await disable_tenant(database, tenant_id, actor, now)
    rows = await _delete_rows(database, tenant_id, progress)
    await _require_free_files(database, tenant_id)  # a backup that starts after this has no row that refers to them
    files, size_bytes = await _delete_files(storage, tenant, progress)
    await _delete_last_rows(database, tenant_id)
    more_files, more_bytes = await _delete_files(storage, tenant, progress)  # of requests that were in progress
    log.info("tenant deleted", tenant=str(tenant_id), operator=actor.operator, rows=sum(rows.values()))
    return DeletedTenant(
        tenant_id=tenant_id,
        name=tenant.name,
        rows=rows,
        files=files + more_files,
        file_bytes=size_bytes + more_bytes,
    )


async def _require_free_files(database: Database, tenant_id: UUID) -> None:
    async with database.at_once(tenant_id) as connection:
        if await are_files_held(connection):
            raise FilesHeld


async def _delete_rows(database: Database, tenant_id: UUID, progress: ProgressReport) -> dict[str, int]:
    """Delete a tenant's rows, those that refer to others first; return their number by table."""
    async with database.transaction(tenant_id) as connection:
        tables = await _order_tables(connection)
        numbers = {table: await store.count_rows(connection, table) for table in tables}
    for table in tables:
        progress.begin(table.replace("_", " "), numbers[table])
        deleted = _ROWS_AT_ONCE if numbers[table] else 0
        while deleted:
            deleted = await database.run(
                tenant_id, lambda connection, table=table: store.delete_some(connection, table, _ROWS_AT_ONCE)
            )
            progress.advance(deleted)
    return {table: number for table, number in numbers.items() if number}


async def _delete_last_rows(database: Database, tenant_id: UUID) -> None:
    """Delete the tenant itself, in the directory first: then an interrupted deletion is over, and the id is free."""
    home = database.open_cell((await database.find_cell(tenant_id)).name)
    if home.name != database.name:
        await database.directory.run(tenant_id, store.delete_tenant)
    await home.run(tenant_id, store.delete_tenant)


async def _order_tables(connection: Connection) -> list[str]:
    tables = await store.list_tables(connection)
    order: TopologicalSorter[str] = TopologicalSorter({table: set() for table in tables})
    for child, parent in await store.list_references(connection):
        order.add(parent, child)
    return [table for table in order.static_order() if table in tables]


async def _delete_files(storage: Storage, tenant: Tenant, progress: ProgressReport) -> tuple[int, int]:
    files = size_bytes = 0
    progress.begin("files", 0)
    async for page in storage.list_pages(str(tenant.tenant_id)):
        await storage.delete([file.key for file in page])
        files += len(page)
        size_bytes += sum(file.size_bytes for file in page)
    return files, size_bytes
