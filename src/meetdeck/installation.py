"""The database and the storage that the settings name, for the server and for commands, without the application."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from meetdeck.embedded_postgres import EmbeddedPostgres
from meetdeck.platform.database import Address, Database
from meetdeck.platform.errors import SetupError
from meetdeck.platform.process import NO_DEADLINE, deadline_of_requests
from meetdeck.platform.settings import Settings
from meetdeck.platform.settings.server_addresses import read_database_url
from meetdeck.platform.storage import Storage

_PORTS: Final = {"https": 443, "http": 80}


@contextmanager
def database_addresses(settings: Settings) -> Generator[tuple[Address, Address]]:
    """Yield the addresses of the owner's and the application's role; an embedded PostgreSQL runs meanwhile."""
    if settings.database_url is not None:
        application = read_application_address(settings)
        yield read_owner_address(settings) or application, application
        return
    with EmbeddedPostgres(settings.data_dir / "postgres", bin_dir=settings.pg_bin, supervised=True) as endpoint:
        yield endpoint.owner, endpoint.app


def read_application_address(settings: Settings) -> Address:
    """Return the address of the application's role. Raises SetupError if the settings name no database."""
    if settings.database_url is None:
        raise SetupError("MEETDECK_DATABASE_URL is missing.")
    return read_database_url(settings.database_url, "MEETDECK_DATABASE_URL", default_sslmode=settings.default_sslmode)


def read_owner_address(settings: Settings) -> Address | None:
    """Return the address of the owner's role, None if the settings name none. Raises SetupError."""
    url, mode = settings.database_owner_url, settings.default_sslmode
    return None if url is None else read_database_url(url, "MEETDECK_DATABASE_OWNER_URL", default_sslmode=mode)


def read_standby_address(settings: Settings) -> Address | None:
    """Return the address of the standby, None if the settings name none. Raises SetupError."""
    url, mode = settings.database_read_url, settings.default_sslmode
    return None if url is None else read_database_url(url, "MEETDECK_DATABASE_READ_URL", default_sslmode=mode)


def list_own_ports(settings: Settings) -> frozenset[int]:
    """Return Meetdeck's own ports and those of its databases. Raises SetupError.

    The embedded PostgreSQL has none: it listens on a socket in a private folder.
    """
    bases = map(urlsplit, (settings.listening_url, settings.base_url))
    urls = {
        "MEETDECK_DATABASE_URL": settings.database_url,
        "MEETDECK_DATABASE_OWNER_URL": settings.database_owner_url,
        "MEETDECK_DATABASE_READ_URL": settings.database_read_url,
    }
    addresses = [read_database_url(url, name) for name, url in urls.items() if url is not None]
    databases = {server.port for address in addresses for server in address.servers}
    return frozenset(base.port or _PORTS[base.scheme] for base in bases) | databases


def open_database(settings: Settings, address: Address, *, connections: int | None = None) -> Database:
    """Return the database, as a context manager: with `connections` connections and no standby, or as the settings say.

    The owner of the tables may use a test installation. Commands, which pass `connections`, have no deadline.
    """
    return Database(
        address,
        connections=connections or settings.database_connections,
        owner_may_serve=settings.environment == "test",
        standby=read_standby_address(settings) if connections is None else None,
        standby_lag_seconds=settings.database_read_lag,
        deadline=(
            deadline_of_requests(settings.database_deadline.total_seconds()) if connections is None else NO_DEADLINE
        ),
    )


def find_storage_folder(settings: Settings) -> Path:
    """Return the folder of files for installations without a configured storage."""
    return settings.data_dir / "storage"


def find_storage(settings: Settings) -> Storage:
    """Return the storage that the settings name, whether or not it is usable. Raises SetupError."""
    folder = find_storage_folder(settings)
    return Storage.open(url=settings.storage_url, folder=folder, allow_http=settings.storage_allow_http)


async def open_storage(settings: Settings) -> Storage:
    """Return the storage after writing to it and reading from it. Raises SetupError."""
    storage = find_storage(settings)
    await storage.require_usable()
    return storage
