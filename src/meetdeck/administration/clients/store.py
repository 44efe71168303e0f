"""Clients' SQL; the connection is in the tenant's transaction."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from meetdeck.administration.clients.schemas import Client, NewClient
from meetdeck.platform.database import Connection, load_queries
from meetdeck.platform.identity import hash_secret

queries = load_queries(__file__)


async def identify_client(connection: Connection, client_id: str) -> UUID | None:
    """Return the tenant of a client; the connection needs no tenant."""
    return await queries.identify_client(connection, client_id=client_id)


async def list_clients(connection: Connection) -> list[Client]:
    """Return the tenant's clients by name."""
    return [Client(**row) async for row in queries.list_clients(connection)]


async def add_client(connection: Connection, client: NewClient, name: str, roles: Sequence[str], now: datetime) -> None:
    """Insert a client with the hash of its secret."""
    await queries.add_client(
        connection,
        client_id=client.client_id,
        secret_digest=hash_secret(client.client_secret),
        name=name,
        roles=list(roles),
        now=now,
    )


async def delete_client(connection: Connection, client_id: str) -> None:
    """Delete a client."""
    await queries.delete_client(connection, client_id=client_id)
