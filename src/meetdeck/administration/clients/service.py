"""Creating and deleting clients of the built-in token issuer."""

import re
import secrets
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from meetdeck.administration.clients import store
from meetdeck.administration.clients.schemas import KIND, Client, NewClient
from meetdeck.administration.errors import ClientNotFound, ClientRefused
from meetdeck.administration.names import read_name
from meetdeck.administration.tenants.service import tenants
from meetdeck.platform.changes import Actor, AuditAction, Entry, write_entries
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.settings import RoleNames

_SECRET_BYTES: Final = 32
_MORE_BYTES: Final = 4  # of the id, so that two clients may have one name
_NO_LETTER: Final = re.compile(r"[^a-z0-9]+")


def read_roles(given: Sequence[str], names: RoleNames) -> list[str]:
    """Return roles as tokens contain them; `admin` is short for the value in the settings.

    Raises ClientRefused for an unknown role.
    """
    known = names.by_role
    values = {value.lower(): value for value in known.values()} | {role.lower(): value for role, value in known.items()}
    unknown = [(place, role) for place, role in enumerate(given) if role.lower() not in values]
    if unknown:
        there_are = phrase("there are {values}.", values=", ".join(known.values()))
        faults = tuple(
            Fault(f"/roles/{place}", phrase("There is no role {role!r}.", role=role)) for place, role in unknown
        )
        raise ClientRefused(
            phrase("There is no role {unknown!r}; {there_are}", unknown=unknown[0][1], there_are=there_are),
            faults=faults,
        )
    return list(dict.fromkeys(values[role.lower()] for role in given))


async def list_clients(database: Database, tenant_id: UUID | None) -> list[Client]:
    """Return the clients of a tenant, or of all tenants by name. Raises TenantNotFound."""
    found: list[Client] = []
    for tenant in await tenants.choose_tenants(database, tenant_id):
        async with database.transaction(tenant.tenant_id) as connection:
            found += await store.list_clients(connection)
    return found


async def create_client(
    database: Database, tenant_id: UUID, name: str, roles: Sequence[str], actor: Actor, now: datetime
) -> NewClient:
    """Create a client for a tenant. Raises TenantNotFound, InvalidName."""
    return await database.run(tenant_id, lambda connection: add_client(connection, tenant_id, name, roles, actor, now))


async def add_client(
    connection: Connection, tenant_id: UUID, name: str, roles: Sequence[str], actor: Actor, now: datetime
) -> NewClient:
    """Create a client in the tenant's transaction. Raises TenantNotFound, InvalidName."""
    name = read_name(name)
    client = NewClient(client_id=_make_id(name), client_secret=secrets.token_urlsafe(_SECRET_BYTES))
    await tenants.get_tenant(connection, tenant_id)
    await store.add_client(connection, client, name, roles, now)
    await write_entries(connection, actor, now, [Entry(AuditAction.CREATED, KIND, client.client_id, name)])
    return client


async def delete_client(database: Database, client_id: str, actor: Actor, now: datetime) -> Client:
    """Delete a client and return it; its last token is valid for an hour. Raises ClientNotFound."""
    tenant_id = await database.find(lambda connection: store.identify_client(connection, client_id))
    if tenant_id is None:
        raise _no_client(client_id)
    return await database.run(tenant_id, lambda connection: remove_client(connection, client_id, actor, now))


async def remove_client(connection: Connection, client_id: str, actor: Actor, now: datetime) -> Client:
    """Delete a client in the tenant's transaction and return it. Raises ClientNotFound."""
    client = await read_client(connection, client_id)
    await store.delete_client(connection, client_id)
    await write_entries(connection, actor, now, [Entry(AuditAction.DELETED, KIND, client_id, client.name)])
    return client


async def read_client(connection: Connection, client_id: str) -> Client:
    """Return a client of the connection's tenant. Raises ClientNotFound."""
    client = next((one for one in await store.list_clients(connection) if one.client_id == client_id), None)
    if client is None:
        raise _no_client(client_id)
    return client


def _make_id(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name.lower()).encode("ascii", "ignore").decode()
    return f"{_NO_LETTER.sub('-', plain).strip('-') or 'client'}-{secrets.token_hex(_MORE_BYTES)}"


def _no_client(client_id: str) -> ClientNotFound:
    return ClientNotFound(
        phrase("There is no client {client_id!r}: list the clients to see their ids.", client_id=client_id)
    )
