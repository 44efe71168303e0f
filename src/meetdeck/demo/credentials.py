"""The demo tenants' keys and clients: stored hashed, and written once to `dev-credentials.json` for the developer."""

import secrets
from datetime import datetime
from pathlib import Path
from uuid import UUID, uuid4

import msgspec

from meetdeck.administration.clients import store as clients
from meetdeck.administration.clients.schemas import NewClient
from meetdeck.administration.keys import store as keys
from meetdeck.administration.keys.schemas import NewKey
from meetdeck.administration.keys.service import make_secret
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import SetupError
from meetdeck.platform.identity import hash_secret
from meetdeck.platform.secrets import write_secret_file

FILE_NAME = "dev-credentials.json"
_SECRET_BYTES = 32
_KEY_NAME = "Demo"


class ClientCredentials(msgspec.Struct, rename="camel"):
    """A client of the built-in token issuer."""

    client_id: str
    client_secret: str
    roles: list[str]


class UserCredentials(msgspec.Struct, rename="camel"):
    """A person who can sign in at the built-in token issuer, without a password."""

    user_name: str
    name: str
    email: str
    roles: list[str]


class PortalCredentials(msgspec.Struct, rename="camel"):
    """A portal, whose page is at `/p/{address}`, or at `/p/{id}`; it needs no credentials."""

    id: UUID
    name: str
    address: str | None


class TenantCredentials(msgspec.Struct, rename="camel"):
    """A demo tenant's key, a client without roles and one with the elevated role, and users."""

    tenant_id: UUID
    name: str
    subscription_key: str
    clients: list[ClientCredentials]
    users: list[UserCredentials] = []
    """The staff, one for each role."""
    customers: list[UserCredentials] = []
    portals: list[PortalCredentials] = []


class Credentials(msgspec.Struct, rename="camel"):
    """The contents of `dev-credentials.json`."""

    base_url: str
    token_url: str | None
    """None if another issuer issues the tokens, which does not know the clients below."""
    tenants: list[TenantCredentials]
    console_url: str = ""


def make_tenant_credentials(tenant_id: UUID, name: str, elevated_role: str) -> TenantCredentials:
    """Return new credentials of a tenant, with random secrets."""
    slug = name.split(maxsplit=1)[0].lower()
    return TenantCredentials(
        tenant_id=tenant_id,
        name=name,
        subscription_key=make_secret(),
        clients=[
            ClientCredentials(f"{slug}-app", secrets.token_urlsafe(_SECRET_BYTES), []),
            ClientCredentials(f"{slug}-admin", secrets.token_urlsafe(_SECRET_BYTES), [elevated_role]),
        ],
    )


async def store_tenant_credentials(connection: Connection, credentials: TenantCredentials, now: datetime) -> None:
    """Store the hashes in place of the demo's earlier ones; other keys and clients stay.

    `connection` is in the tenant's transaction.
    """
    digest, ids = hash_secret(credentials.subscription_key), [one.client_id for one in credentials.clients]
    await connection.execute("delete from subscription_key where name = $1 or digest = $2", _KEY_NAME, digest)
    await connection.execute("delete from oauth_client where client_id = any ($1)", ids)
    key = NewKey(key_id=uuid4(), name=_KEY_NAME, subscription_key=credentials.subscription_key)
    await keys.add_key(connection, key, now)
    for one in credentials.clients:
        client = NewClient(client_id=one.client_id, client_secret=one.client_secret)
        await clients.add_client(connection, client, one.client_id, one.roles, now)


async def are_stored(connection: Connection, credentials: TenantCredentials) -> bool:
    """Return whether the key and all clients are those of the tenant: they may have been revoked at the console."""
    digests = [hash_secret(one.client_secret) for one in credentials.clients]
    stored: bool = await connection.fetchval(
        "select exists (select from subscription_key where digest = $1 and revoked_at is null) and not exists ("
        " select from unnest($2::text[], $3::bytea[]) as known (client_id, secret_digest)"
        " where not exists (select from oauth_client as one"
        " where one.client_id = known.client_id and one.secret_digest = known.secret_digest))",
        hash_secret(credentials.subscription_key),
        [one.client_id for one in credentials.clients],
        digests,
    )
    return stored


def read_credentials(data_dir: Path) -> Credentials | None:
    """Return the file's credentials, None without a file. Raises SetupError for a file that was changed."""
    path = data_dir / FILE_NAME
    try:
        return msgspec.json.decode(path.read_bytes(), type=Credentials)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise SetupError(f"{path} cannot be read ({error}). Delete it, and new credentials are created.") from error


def write_credentials(data_dir: Path, credentials: Credentials) -> None:
    """Write the file, readable only by its owner."""
    content = msgspec.json.format(msgspec.json.encode(credentials), indent=2)
    write_secret_file(data_dir / FILE_NAME, content.decode() + "\n")
