"""Callers in the database, read before their tenant is known: two narrow functions that run as its owner."""

from uuid import UUID

from asyncpg import Record

from meetdeck.platform.db import Database
from meetdeck.platform.issuer import Client


async def find_tenant_of_key(database: Database, digest: bytes) -> UUID | None:
    """Return the tenant of a subscription key by the key's hash."""
    async with database.outside_tenants() as connection:
        return await connection.fetchval("select identify_subscription_key($1)", digest)


async def find_client(database: Database, client_id: str) -> Client | None:
    """Return a client of the built-in issuer."""
    async with database.outside_tenants() as connection:
        row: Record | None = await connection.fetchrow("select * from identify_oauth_client($1)", client_id)
    return Client(row["tenant_id"], row["secret_digest"], tuple(row["roles"])) if row is not None else None
