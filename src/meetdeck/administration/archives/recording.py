"""Recording in each tenant's audit log that all its data was copied into a file, or loaded from one."""

from datetime import datetime
from pathlib import Path
from uuid import UUID

from meetdeck.administration.archives.catalog import list_tenants
from meetdeck.administration.archives.schemas import ArchiveKind
from meetdeck.platform.changes import Actor, AuditAction, Entry, write_entries
from meetdeck.platform.database import Address, Connection, Database
from meetdeck.platform.identity import require_tenant

_KINDS = {ArchiveKind.BACKUP: "backups", ArchiveKind.EXPORT: "exports"}


async def record_copying(
    address: Address, kind: ArchiveKind, path: Path, actor: Actor, now: datetime, *, tenant_id: UUID | None = None
) -> None:
    """Write an entry before the data of a tenant, or of all, is copied into a file: a copy may be begun and fail.

    Raises TenantNotFound, DatabaseUnavailable.
    """
    await _record(address, Entry(AuditAction.CREATED, _KINDS[kind], resource_name=str(path)), actor, now, tenant_id)


async def record_loading(
    address: Address, kind: ArchiveKind, path: Path, actor: Actor, now: datetime, *, tenant_id: UUID | None = None
) -> None:
    """Write an entry when a tenant, or all, was loaded from a file. Raises TenantNotFound, DatabaseUnavailable."""
    await _record(address, Entry(AuditAction.IMPORTED, _KINDS[kind], resource_name=str(path)), actor, now, tenant_id)


async def _record(address: Address, entry: Entry, actor: Actor, now: datetime, tenant_id: UUID | None) -> None:
    async with Database(address, connections=1, owner_may_serve=True) as database:
        async with database.outside_tenants() as connection:
            if not await connection.fetchval("select to_regclass('public.audit_entry') is not null"):
                return  # versions without an audit log: a backup before the migration
            tenant_ids = [tenant_id] if tenant_id is not None else await list_tenants(connection)

        async def write(connection: Connection, tenant_id: UUID) -> None:
            await require_tenant(connection, tenant_id)
            await write_entries(connection, actor, now, [entry])

        for each in tenant_ids:
            await database.run(each, lambda connection, each=each: write(connection, each))
