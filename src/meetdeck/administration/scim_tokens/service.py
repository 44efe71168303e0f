"""Creating and revoking SCIM tokens: at most two with one name are live at a time.

When the last live token is gone, the directory owns nothing: employees and groups are edited at the console again
(docs/decisions/0196).
"""

import secrets
from datetime import datetime
from typing import Final
from uuid import UUID, uuid4

from meetdeck.administration.errors import ScimTokenNotFound, ScimTokenRefused
from meetdeck.administration.names import read_name
from meetdeck.administration.scim_tokens import store
from meetdeck.administration.scim_tokens.schemas import KIND, NewToken, Token
from meetdeck.administration.tenants.service import tenants
from meetdeck.platform.changes import Actor, AuditAction, Difference, Entry, write_entries
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.phrases import phrase

MOST_LIVE: Final = 2
_BYTES: Final = 32


async def list_tokens(database: Database, tenant_id: UUID | None) -> list[Token]:
    """Return the tokens of a tenant, or of all tenants by name. Raises TenantNotFound."""
    found: list[Token] = []
    for tenant in await tenants.choose_tenants(database, tenant_id):
        async with database.transaction(tenant.tenant_id) as connection:
            found += await store.list_tokens(connection)
    return found


async def get_token(database: Database, token_id: UUID) -> Token:
    """Return a token of any tenant. Raises ScimTokenNotFound."""
    async with database.transaction(await _find_tenant(database, token_id)) as connection:
        return await read_token(connection, token_id)


async def create_token(database: Database, tenant_id: UUID, name: str, actor: Actor, now: datetime) -> NewToken:
    """Create a token for a tenant. Raises TenantNotFound, InvalidName, ScimTokenRefused."""
    return await database.run(tenant_id, lambda connection: add_token(connection, tenant_id, name, actor, now))


async def revoke_token(database: Database, token_id: UUID, actor: Actor, now: datetime) -> Token:
    """Revoke a token, everywhere within a minute; without effect if it was revoked before. Raises ScimTokenNotFound."""
    tenant_id = await _find_tenant(database, token_id)
    return await database.run(tenant_id, lambda connection: end_token(connection, tenant_id, token_id, actor, now))


async def add_token(connection: Connection, tenant_id: UUID, name: str, actor: Actor, now: datetime) -> NewToken:
    """Create a token in the tenant's transaction. Raises TenantNotFound, InvalidName, ScimTokenRefused."""
    name = read_name(name)
    await tenants.get_tenant(connection, tenant_id, for_update=True)
    live = [one for one in await store.list_tokens(connection) if one.name == name and one.revoked_at is None]
    if len(live) >= MOST_LIVE:
        raise ScimTokenRefused(name, len(live), live[0].token_id)
    token = NewToken(token_id=uuid4(), name=name, token=secrets.token_hex(_BYTES))
    await store.add_token(connection, token, now)
    await write_entries(connection, actor, now, [Entry(AuditAction.CREATED, KIND, str(token.token_id), name)])
    return token


async def end_token(connection: Connection, tenant_id: UUID, token_id: UUID, actor: Actor, now: datetime) -> Token:
    """Revoke a token in the tenant's transaction; without effect if it was revoked before. Raises ScimTokenNotFound."""
    await tenants.get_tenant(connection, tenant_id, for_update=True)
    token = await read_token(connection, token_id)
    if token.revoked_at is not None:
        return token
    await store.revoke_token(connection, token_id, now)
    change = Difference("status", "live", "revoked")
    await write_entries(connection, actor, now, [Entry(AuditAction.CHANGED, KIND, str(token_id), token.name, [change])])
    tokens = await store.list_tokens(connection)
    if all(one.revoked_at is not None for one in tokens):
        await store.release_owned(connection)
    return next(one for one in tokens if one.token_id == token_id)


async def read_token(connection: Connection, token_id: UUID) -> Token:
    """Return a token of the connection's tenant. Raises ScimTokenNotFound."""
    token = next((one for one in await store.list_tokens(connection) if one.token_id == token_id), None)
    if token is None:
        raise _no_token(token_id)
    return token


async def _find_tenant(database: Database, token_id: UUID) -> UUID:
    tenant_id = await database.find(lambda connection: store.identify_token(connection, token_id))
    if tenant_id is None:
        raise _no_token(token_id)
    return tenant_id


def _no_token(token_id: UUID) -> ScimTokenNotFound:
    detail = phrase("There is no SCIM token {token_id}: list the tokens to see their ids.", token_id=token_id)
    return ScimTokenNotFound(detail)
