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
from meetdeck.platform.secrets import write_secret_file

FILE_NAME = "dev-credentials.json"
_SECRET_BYTES = 32


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
    """Replace the stored hashes; `connection` is in the tenant's transaction."""
    await connection.execute("delete from subscription_key")
    await connection.execute("delete from oauth_client")
    key = NewKey(key_id=uuid4(), name="Demo", subscription_key=credentials.subscription_key)
    await keys.add_key(connection, key, now)
    for one in credentials.clients:
        client = NewClient(client_id=one.client_id, client_secret=one.client_secret)
        await clients.add_client(connection, client, one.client_id, one.roles, now)


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
