"""The database and the storage that the settings name, for the server and for commands, without the application."""

import asyncio
from collections.abc import Collection, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

import structlog
from asyncpg import exceptions
from pydantic import SecretStr

from meetdeck.embedded_postgres import EmbeddedPostgres
from meetdeck.migrations import known_revisions, migrate, require_schema
from meetdeck.platform.database import FIRST, Address, Cell, CellDatabase, Connection, Database, UnknownCellError
from meetdeck.platform.errors import MeetdeckError, SetupError
from meetdeck.platform.process import NO_DEADLINE, deadline_of_requests
from meetdeck.platform.settings import Settings
from meetdeck.platform.settings.server_addresses import read_cell_urls, read_database_url
from meetdeck.platform.storage import Storage

_PORTS: Final = {"https": 443, "http": 80}


_CELLS: Final = "MEETDECK_CELLS"
_CELLS_OWNER: Final = "MEETDECK_CELLS_OWNER"
_CELLS_READ: Final = "MEETDECK_CELLS_READ"
_IDENTITY: Final = """
select concat_ws(' ', system_identifier, oid) from pg_control_system(), pg_database where datname = current_database()
"""

log = structlog.stdlib.get_logger()


class Cells(NamedTuple):
    """The name of the first database as a cell, and the other cells."""

    first: str
    others: list[Cell]


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


def read_cells(settings: Settings, first: Address) -> Cells:
    """Return the cells that the settings name; `first` is the first database's address. Raises SetupError."""
    mode, own_name = settings.default_sslmode, FIRST
    urls, owners, standbys = _read_lists(settings, needs_tls=mode is not None)
    cells, known = list[Cell](), dict[tuple[object, ...], str]()
    for name, url in urls.items():
        application = read_database_url(url, f"{_CELLS} ({name})", default_sslmode=mode)
        owner = read_database_url(owners.get(name, url), f"{_CELLS_OWNER} ({name})", default_sslmode=mode)
        if (same := known.setdefault(_identify(application), name)) != name:
            raise SetupError(f"{_CELLS} names one database twice: {same} and {name} are both {application}.")
        if _identify(application) == _identify(first):
            own_name = name
            if name in standbys:
                raise SetupError(
                    f"{_CELLS_READ} names {name}, the first database: its standby is in MEETDECK_DATABASE_READ_URL."
                )
            continue
        read = standbys.get(name)
        standby = None if read is None else read_database_url(read, f"{_CELLS_READ} ({name})", default_sslmode=mode)
        cells.append(Cell(name, application, owner, standby))
    if any(cell.name == own_name for cell in cells):
        raise SetupError(
            f"{_CELLS} gives another database the name {FIRST}, which is that of MEETDECK_DATABASE_URL unless "
            f"{_CELLS} lists it under another name."
        )
    return Cells(own_name, cells)


def _read_lists(settings: Settings, *, needs_tls: bool) -> list[dict[str, SecretStr]]:
    """Return the addresses of cells, of their owners and of their standbys, by name. Raises SetupError."""
    lists = {_CELLS: settings.cells, _CELLS_OWNER: settings.cells_owner, _CELLS_READ: settings.cells_read}
    read = {setting: read_cell_urls(urls, setting, needs_tls=needs_tls) for setting, urls in lists.items()}
    for setting, named in read.items():
        if unknown := named.keys() - read[_CELLS].keys():
            raise SetupError(f"{setting} names {', '.join(sorted(unknown))}, which {_CELLS} does not.")
    return [*read.values()]


def _identify(address: Address) -> tuple[object, ...]:
    return (*address.servers, address.database)


def choose_cell(settings: Settings, addresses: tuple[Address, Address], name: str | None) -> Cell:
    """Return a cell by its name, by default the first database, which has the addresses (its owner, the application).

    Raises SetupError.
    """
    owner, application = addresses
    cells = read_cells(settings, application)
    known = {cells.first: Cell(cells.first, application, owner)} | {cell.name: cell for cell in cells.others}
    if (cell := known.get(name or cells.first)) is None:
        raise UnknownCellError(str(name), known)
    return cell


async def find_home(settings: Settings, addresses: tuple[Address, Address], tenant_id: UUID) -> Cell:
    """Return the cell of a tenant; of an unknown one the first database. Raises SetupError."""
    async with open_database(settings, addresses[1], connections=1) as database:
        try:
            home = await database.find_cell(tenant_id)
        except MeetdeckError as error:
            raise SetupError(error.detail) from error
        return choose_cell(settings, addresses, home.name)


async def migrate_all(settings: Settings, owner: Address, application: Address) -> None:
    """Migrate the first database, then each cell that answers. Raises SetupError."""
    await migrate(owner)
    for cell in await find_cells(settings, application):
        await migrate(cell.owner)


async def require_schemas(settings: Settings, application: Address) -> None:
    """Raise SetupError unless the first database, and each cell that answers, has every step.

    Also when a cell has firms, and the settings do not name it.
    """
    await require_schema(application)
    for cell in await find_cells(settings, application):
        try:
            await require_schema(cell.application)
        except SetupError as error:
            raise SetupError(f"The cell {cell.name} cannot be used: {error}") from error


async def find_cells(settings: Settings, first: Address) -> list[Cell]:
    """Return the other cells that answer. Raises SetupError if the settings do not fit what is found."""
    cells = read_cells(settings, first)
    await _require_named(first, {cells.first, *(cell.name for cell in cells.others)})
    if not cells.others:
        return []
    identities = await asyncio.gather(*(_find_identity(cell.application) for cell in cells.others))
    known = {await _find_identity(first): cells.first}
    for cell, identity in zip(cells.others, identities, strict=True):
        if identity is None:
            log.warning("cell away", cell=cell.name, advice="Its firms get 503 until it answers and has this schema.")
        elif (same := known.setdefault(identity, cell.name)) != cell.name:
            raise SetupError(f"{_CELLS} names one database twice: {same} and {cell.name} are both {cell.application}.")
    return [cell for cell, identity in zip(cells.others, identities, strict=True) if identity is not None]


async def _find_identity(address: Address) -> str | None:
    """Return what tells databases apart, whatever their addresses; None while the database is away."""
    try:
        connection = await address.connect()
    except SetupError:
        return None
    try:
        identity: str = await connection.fetchval(_IDENTITY)
        return identity
    finally:
        await connection.close()


async def _require_named(first: Address, names: Collection[str]) -> None:
    """Raise SetupError if a firm lives in a cell without a name in the settings."""
    connection = await first.connect()
    try:
        if await connection.fetchval("select to_regproc('list_directory') is null"):
            return
        rows = await connection.fetch("select cell, count(*) from list_directory() where cell is not null group by 1")
    finally:
        await connection.close()
    for row in rows:
        if row["cell"] not in names:
            raise SetupError(
                f"{_CELLS} does not name the cell {row['cell']}, in which {_count_firms(row['count'])}: add it, or "
                "move them first (`meetdeck tenant move`)."
            )


def _count_firms(number: int) -> str:
    return "1 firm lives" if number == 1 else f"{number} firms live"


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
    for named in _read_lists(settings, needs_tls=False):
        addresses += [read_database_url(url, _CELLS) for url in named.values()]
    databases = {server.port for address in addresses for server in address.servers}
    return frozenset(base.port or _PORTS[base.scheme] for base in bases) | databases


def open_database(settings: Settings, address: Address, *, connections: int | None = None) -> Database:
    """Return the database, as a context manager: with `connections` connections and no standby, or as the settings say.

    The owner of the tables may use a test installation. Commands, which pass `connections`, have no deadline.
    """
    options: dict[str, Any] = {
        "connections": connections or settings.database_connections,
        "owner_may_serve": settings.environment == "test",
        "standby": read_standby_address(settings) if connections is None else None,
        "standby_lag_seconds": settings.database_read_lag,
        "deadline": (
            deadline_of_requests(settings.database_deadline.total_seconds()) if connections is None else NO_DEADLINE
        ),
    }
    cells = read_cells(settings, address)
    if cells.others:
        others = cells.others if connections is None else [each._replace(standby=None) for each in cells.others]
        return CellDatabase(address, others, name=cells.first, check=_require_current, **options)
    return Database(address, name=cells.first, **options)


async def _require_current(connection: Connection) -> None:
    """Raise ConnectionError for a cell that was away when the others were migrated; a newer schema is fine."""
    try:
        revision = await connection.fetchval("select max(version_num) from alembic_version")
    except exceptions.UndefinedTableError:
        revision = None
    if (revision or "") < known_revisions()[-1]:
        raise ConnectionError(f"its schema is at {revision or 'none'}: run `meetdeck migrate`")


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
