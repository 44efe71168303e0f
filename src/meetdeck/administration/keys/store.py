"""Keys' SQL; the connection is in the tenant's transaction."""

from datetime import datetime
from uuid import UUID

from meetdeck.administration.keys.schemas import Key, NewKey
from meetdeck.platform.database import Connection, load_queries
from meetdeck.platform.identity import hash_secret

queries = load_queries(__file__)

_ENDING = 4


async def identify_key(connection: Connection, key_id: UUID) -> UUID | None:
    """Return the tenant of a key; the connection needs no tenant."""
    return await queries.identify_key(connection, key_id=key_id)


async def list_keys(connection: Connection) -> list[Key]:
    """Return the tenant's keys, live ones first, by name."""
    return [Key(**row) async for row in queries.list_keys(connection)]


async def add_key(connection: Connection, key: NewKey, now: datetime) -> None:
    """Insert a key: its hash and its last characters."""
    await queries.add_key(
        connection,
        key_id=key.key_id,
        digest=hash_secret(key.subscription_key),
        name=key.name,
        ending=key.subscription_key[-_ENDING:],
        now=now,
    )


async def find_key(connection: Connection, subscription_key: str) -> UUID | None:
    """Return the id of one of the tenant's keys, by the key itself."""
    return await queries.find_key(connection, digest=hash_secret(subscription_key))


async def revoke_key(connection: Connection, key_id: UUID, now: datetime) -> None:
    """Revoke a key; without effect if it was revoked before."""
    await queries.revoke_key(connection, key_id=key_id, now=now)
