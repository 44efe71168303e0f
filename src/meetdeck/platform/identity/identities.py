"""Callers in the database, read before their tenant is known, by narrow functions that run as its owner.

The people of the built-in issuer are read tenant by tenant: they exist only in the test environment.
"""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.platform.database import Connection, Database, DatabaseUnavailable
from meetdeck.platform.errors import NotFound, Unauthenticated
from meetdeck.platform.identity.authentication import ScimToken, SubscriptionKey, TenantDisabled
from meetdeck.platform.identity.authorization import CODE_LIFETIME, SESSION_LIFETIME, User
from meetdeck.platform.identity.authorization_requests import UserKind
from meetdeck.platform.identity.issuer import Client

_EVERY_USE_NOTED: Final = timedelta(hours=1)

_NOTE_USE: Final = (
    "update {table} set last_used_at = $2 where {table}_id = $1 and (last_used_at is null or last_used_at <= $3)"
)
_USERS = """
select
    tenant_id, tenant.name as tenant, user_name, user_id, kind, oauth_user.name, email, roles
from oauth_user join tenant using (tenant_id)
"""


class TenantNotFound(NotFound):
    """No tenant has this id."""

    code = "tenant_not_found"

    def __init__(self, tenant_id: UUID) -> None:
        super().__init__(f"There is no tenant {tenant_id}: `meetdeck tenant list` lists the tenants.")


async def list_tenants(connection: Connection) -> list[UUID]:
    """Return the ids of all tenants, including disabled ones; the connection needs no tenant."""
    rows = await connection.fetch("select tenant_id from list_tenants() as known (tenant_id) order by tenant_id")
    return [row["tenant_id"] for row in rows]


async def find_key(
    database: Database, digest: bytes, now: datetime, tenant_id: UUID | None = None
) -> SubscriptionKey | None:
    """Return a live subscription key by its hash, of a caller of the tenant; its use is recorded once an hour."""
    row: Record | None = await database.identify(
        lambda connection: connection.fetchrow("select * from identify_key($1)", digest), near=tenant_id
    )
    if row is None:
        return None
    key = SubscriptionKey(digest, row["tenant_id"], row["rate_limit"], row["is_disabled"])
    if row["last_used_at"] is None or row["last_used_at"] <= now - _EVERY_USE_NOTED:
        with suppress(DatabaseUnavailable):  # a full disk must not keep callers from reading
            await database.run(
                key.tenant_id, lambda connection: _record_use(connection, "subscription_key", row["key_id"], now)
            )
    return key


async def find_scim_token(
    database: Database, digest: bytes, now: datetime, tenant_id: UUID | None = None
) -> ScimToken | None:
    """Return a live SCIM token by its hash; its use is recorded once an hour."""
    row: Record | None = await database.identify(
        lambda connection: connection.fetchrow("select * from identify_scim_token($1)", digest), near=tenant_id
    )
    if row is None:
        return None
    token = ScimToken(digest, row["tenant_id"], row["token_id"], row["name"], row["is_disabled"])
    if row["last_used_at"] is None or row["last_used_at"] <= now - _EVERY_USE_NOTED:
        with suppress(DatabaseUnavailable):
            await database.run(
                token.tenant_id, lambda connection: _record_use(connection, "scim_token", token.token_id, now)
            )
    return token


async def _record_use(connection: Connection, table: str, key_id: UUID, now: datetime) -> None:
    await connection.execute(_NOTE_USE.format(table=table), key_id, now, now - _EVERY_USE_NOTED)


async def require_tenant(connection: Connection, tenant_id: UUID) -> None:
    """Raise TenantNotFound when the transaction's tenant does not exist."""
    if not await connection.fetchval("select exists (select from tenant)"):
        raise TenantNotFound(tenant_id)


async def require_enabled(connection: Connection) -> None:
    """Raise TenantDisabled when the transaction's tenant is disabled."""
    if await connection.fetchval("select exists (select from tenant where disabled_at is not null)"):
        raise TenantDisabled


async def read_rate_limit(database: Database, tenant_id: UUID) -> int | None:
    """Return a tenant's own rate limit; None: the installation's. Raises Unauthenticated, TenantDisabled."""
    async with database.transaction(tenant_id) as connection:
        row: Record | None = await connection.fetchrow("select rate_limit, disabled_at from tenant")
    if row is None:
        raise Unauthenticated("The bearer token names a tenant that does not exist here.")
    if row["disabled_at"] is not None:
        raise TenantDisabled
    return row["rate_limit"]


async def find_client(database: Database, client_id: str) -> Client | None:
    """Return a client of the built-in issuer."""
    row: Record | None = await database.identify(
        lambda connection: connection.fetchrow("select * from identify_oauth_client($1)", client_id)
    )
    return Client(row["tenant_id"], row["secret_digest"], tuple(row["roles"])) if row is not None else None


class StoredUsers:
    """The people of the built-in issuer, their sessions, and the codes that they redeemed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list_users(self, kind: UserKind) -> list[User]:
        """Return all people of a kind, tenant by tenant, in the order in which they were added."""
        tenant_ids = await self._database.collect(list_tenants)
        query = f"{_USERS} where kind = $1 order by position, user_name"
        users: list[User] = []
        for tenant_id in tenant_ids:
            async with self._database.transaction(tenant_id) as connection:
                users += map(_read_user, await connection.fetch(query, kind))
        return sorted(users, key=lambda user: (user.tenant, user.tenant_id))

    async def find_user(self, tenant_id: UUID, user_name: str) -> User | None:
        """Return a person by name."""
        async with self._database.transaction(tenant_id) as connection:
            row = await connection.fetchrow(f"{_USERS} where user_name = $1", user_name)
        return _read_user(row) if row is not None else None

    async def use_code(self, tenant_id: UUID, digest: bytes, now: datetime) -> bool:
        """Record that a code was redeemed, by its hash; return False if any process redeemed it before.

        Codes that expired long ago are deleted.
        """

        async def use(connection: Connection) -> bool:
            await connection.execute("delete from oauth_used_code where used_at < $1", now - 60 * CODE_LIFETIME)
            added = await connection.fetchval(
                "insert into oauth_used_code (tenant_id, digest, used_at) values (current_tenant(), $1, $2)"
                " on conflict do nothing returning true",
                digest,
                now,
            )
            return added is not None

        return await self._database.run(tenant_id, use)

    async def begin_session(self, tenant_id: UUID, session_id: UUID, digest: bytes, now: datetime) -> None:
        """Insert a session with the hash of its refresh token; delete sessions that are too old."""

        async def begin(connection: Connection) -> None:
            await connection.execute("delete from oauth_session where signed_in_at < $1", now - SESSION_LIFETIME)
            await connection.execute(
                "insert into oauth_session (tenant_id, session_id, digest, signed_in_at)"
                " values (current_tenant(), $1, $2, $3)",
                session_id,
                digest,
                now,
            )

        await self._database.run(tenant_id, begin)

    async def rotate(self, tenant_id: UUID, session_id: UUID, used: bytes, digest: bytes) -> bool:
        """Replace the hash of a session's refresh token; one that is not the valid one ends the session: False."""

        async def rotate(connection: Connection) -> bool:
            is_valid = await connection.fetchval(
                "update oauth_session set digest = $3 where session_id = $1 and digest = $2 returning true",
                session_id,
                used,
                digest,
            )
            if is_valid is None:
                await connection.execute("delete from oauth_session where session_id = $1", session_id)
            return is_valid is not None

        return await self._database.run(tenant_id, rotate)

    async def has_session(self, tenant_id: UUID, session_id: UUID) -> bool:
        """Return whether a session has begun and not ended."""
        async with self._database.transaction(tenant_id) as connection:
            return await connection.fetchval(
                "select exists (select from oauth_session where session_id = $1)", session_id
            )

    async def end_session(self, tenant_id: UUID, session_id: UUID) -> bool:
        """Delete a session; return whether there was one."""
        query = "delete from oauth_session where session_id = $1 returning true"
        return bool(await self._database.run(tenant_id, lambda connection: connection.fetchval(query, session_id)))


def _read_user(row: Record) -> User:
    return msgspec.convert(dict(row), User)
