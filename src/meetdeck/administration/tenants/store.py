"""Tenants' SQL; the connection is in the tenant's transaction."""

from datetime import datetime
from uuid import UUID

from asyncpg import Record

from meetdeck.administration.tenants.schemas import Tenant, TenantSettings
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


async def list_ids(connection: Connection) -> list[UUID]:
    """Return the ids of all tenants; the connection needs no tenant."""
    return [row["tenant_id"] async for row in queries.list_ids(connection)]


async def list_directory(connection: Connection) -> list[UUID]:
    """Return the ids of the tenants of all cells; the connection is the directory's, and needs no tenant."""
    return [row["tenant_id"] async for row in queries.list_directory(connection)]


async def count_tenants(connection: Connection) -> dict[str | None, int]:
    """Return the numbers of tenants by cell, None: the first database; the connection is the directory's."""
    return {row["cell"]: row["tenants"] async for row in queries.count_tenants(connection)}


async def measure_database(connection: Connection) -> int:
    """Return the size of the database in bytes."""
    size_bytes: int = await queries.measure_database(connection)
    return size_bytes


async def find_tenant(connection: Connection, *, for_update: bool = False) -> Tenant | None:
    """Return the tenant, locked when `for_update`."""
    if for_update:
        [_ async for _ in queries.lock_tenant(connection)]
    row: Record | None = await queries.find_tenant(connection)
    return Tenant(**row) if row is not None else None


async def add_tenant(connection: Connection, name: str, now: datetime) -> bool:
    """Insert the tenant; return False if its id exists."""
    return await queries.add_tenant(connection, name=name, now=now) is not None


async def add_to_directory(connection: Connection, name: str, now: datetime, cell: str) -> bool:
    """Insert a tenant that lives in another cell into the directory; return False if its id exists."""
    return await queries.add_to_directory(connection, name=name, now=now, cell=cell) is not None


async def update_tenant(connection: Connection, tenant: Tenant) -> None:
    """Update the changeable columns of the tenant."""
    settings = {name: getattr(tenant, name) for name in TenantSettings.__struct_fields__}
    await queries.update_tenant(connection, **settings, disabled_at=tenant.disabled_at)


async def list_tables(connection: Connection) -> list[str]:
    """Return the tables from which a tenant's rows can be deleted."""
    return [row["name"] async for row in queries.list_tables(connection)]


async def list_references(connection: Connection) -> list[tuple[str, str]]:
    """Return each table that refers to another, with that one."""
    return [(row["child"], row["parent"]) async for row in queries.list_references(connection)]


async def count_rows(connection: Connection, table: str) -> int:
    """Return the number of the tenant's rows in a table of `list_tables`."""
    return await connection.fetchval(f'select count(*) from "{table}"')  # noqa: S608 - a name from the catalog


async def delete_some(connection: Connection, table: str, most: int) -> int:
    """Delete some of the tenant's rows from a table of `list_tables`; return their number."""
    await connection.execute("set local enable_seqscan = off")  # by the key, which begins with the tenant
    status = await connection.execute(
        f'delete from "{table}" where ctid = any (array(select ctid from "{table}" limit {most:d}))'  # noqa: S608
    )
    return int(status.rpartition(" ")[2])


async def delete_tenant(connection: Connection) -> None:
    """Delete the tenant, and all rows that refer to it."""
    await queries.delete_tenant(connection)
