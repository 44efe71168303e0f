"""Creating, rotating and revoking subscription keys: at most two with one name are live at a time."""

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID, uuid4

from meetdeck.administration.errors import KeyInUse, KeyNotFound, KeyRefused
from meetdeck.administration.keys import store
from meetdeck.administration.keys.schemas import KIND, Key, NewKey
from meetdeck.administration.names import read_name
from meetdeck.administration.tenants.service import tenants
from meetdeck.platform.changes import Actor, AuditAction, Difference, Entry, write_entries
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.phrases import phrase

MOST_LIVE: Final = 2
_BYTES: Final = 32


async def list_keys(database: Database, tenant_id: UUID | None) -> list[Key]:
    """Return the keys of a tenant, or of all tenants by name. Raises TenantNotFound."""
    found: list[Key] = []
    for tenant in await tenants.choose_tenants(database, tenant_id):
        async with database.transaction(tenant.tenant_id) as connection:
            found += await store.list_keys(connection)
    return found


async def get_key(database: Database, key_id: UUID) -> Key:
    """Return a key of any tenant. Raises KeyNotFound."""
    async with database.transaction(await _find_tenant(database, key_id)) as connection:
        return _choose(await store.list_keys(connection), key_id)


async def create_key(database: Database, tenant_id: UUID, name: str, actor: Actor, now: datetime) -> NewKey:
    """Create a key for a tenant. Raises TenantNotFound, InvalidName, KeyRefused."""
    return await database.run(tenant_id, lambda connection: add_key(connection, tenant_id, name, actor, now))


async def rotate_key(database: Database, key_id: UUID, actor: Actor, now: datetime) -> NewKey:
    """Create the successor of a key, which stays live until it is revoked. Raises KeyNotFound, KeyRefused."""
    tenant_id = await _find_tenant(database, key_id)
    return await database.run(tenant_id, lambda connection: add_successor(connection, tenant_id, key_id, actor, now))


async def revoke_key(database: Database, key_id: UUID, actor: Actor, now: datetime) -> Key:
    """Revoke a key, everywhere within a minute; without effect if it was revoked before. Raises KeyNotFound."""
    tenant_id = await _find_tenant(database, key_id)
    return await database.run(tenant_id, lambda connection: end_key(connection, tenant_id, key_id, actor, now))


async def add_key(connection: Connection, tenant_id: UUID, name: str, actor: Actor, now: datetime) -> NewKey:
    """Create a key in the tenant's transaction. Raises TenantNotFound, InvalidName, KeyRefused."""
    name = read_name(name)
    await tenants.get_tenant(connection, tenant_id, for_update=True)
    return await _add(connection, name, await store.list_keys(connection), actor, now)


async def add_successor(connection: Connection, tenant_id: UUID, key_id: UUID, actor: Actor, now: datetime) -> NewKey:
    """Create the successor of a key in the tenant's transaction. Raises KeyNotFound, KeyRefused."""
    await tenants.get_tenant(connection, tenant_id, for_update=True)
    keys = await store.list_keys(connection)
    key = _choose(keys, key_id)
    if key.revoked_at is not None:
        raise KeyRefused(phrase("The key {key_id} was revoked: create a new one.", key_id=key_id))
    return await _add(connection, key.name, keys, actor, now)


async def end_key(connection: Connection, tenant_id: UUID, key_id: UUID, actor: Actor, now: datetime) -> Key:
    """Revoke a key in the tenant's transaction; without effect if it was revoked before. Raises KeyNotFound."""
    await tenants.get_tenant(connection, tenant_id, for_update=True)
    key = _choose(await store.list_keys(connection), key_id)
    if key.revoked_at is None:
        await store.revoke_key(connection, key_id, now)
        change = Difference("status", "live", "revoked")
        await write_entries(connection, actor, now, [Entry(AuditAction.CHANGED, KIND, str(key_id), key.name, [change])])
    return _choose(await store.list_keys(connection), key_id)


async def read_key(connection: Connection, key_id: UUID) -> Key:
    """Return a key of the connection's tenant. Raises KeyNotFound."""
    return _choose(await store.list_keys(connection), key_id)


async def require_other(connection: Connection, key_id: UUID, subscription_key: str) -> None:
    """Raise KeyInUse if a call would revoke the key that it uses."""
    if subscription_key and await store.find_key(connection, subscription_key) == key_id:
        raise KeyInUse(key_id)


def make_secret() -> str:
    """Return a new subscription key: 256 random bits."""
    return secrets.token_hex(_BYTES)


async def _add(connection: Connection, name: str, keys: Sequence[Key], actor: Actor, now: datetime) -> NewKey:
    live = [key for key in keys if key.name == name and key.revoked_at is None]
    if len(live) >= MOST_LIVE:
        raise KeyRefused(
            phrase(
                "'{name}' has {count} live keys already. Revoke the one that is no longer used "
                "(the older is {key_id}), or choose another name.",
                name=name,
                count=len(live),
                key_id=live[0].key_id,
            )
        )
    key = NewKey(key_id=uuid4(), name=name, subscription_key=make_secret())
    await store.add_key(connection, key, now)
    await write_entries(connection, actor, now, [Entry(AuditAction.CREATED, KIND, str(key.key_id), name)])
    return key


async def _find_tenant(database: Database, key_id: UUID) -> UUID:
    tenant_id = await database.find(lambda connection: store.identify_key(connection, key_id))
    if tenant_id is None:
        raise _no_key(key_id)
    return tenant_id


def _choose(keys: Sequence[Key], key_id: UUID) -> Key:
    key = next((key for key in keys if key.key_id == key_id), None)
    if key is None:
        raise _no_key(key_id)
    return key


def _no_key(key_id: UUID) -> KeyNotFound:
    return KeyNotFound(phrase("There is no key {key_id}: list the keys to see their ids.", key_id=key_id))
