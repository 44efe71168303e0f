"""Importing an exported tenant into an installation, while it serves."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import asyncpg
import msgspec

from meetdeck.administration.archives import reading
from meetdeck.administration.archives.catalog import Table, read_revision, read_tables
from meetdeck.administration.archives.loading import Loader, advance_sequences, load_members
from meetdeck.administration.archives.reading import Broken, Member, open_members
from meetdeck.administration.archives.schemas import Archived, Kind, Manifest
from meetdeck.administration.exports.export import SCHEMAS
from meetdeck.administration.exports.line_schemas import describe_lines
from meetdeck.administration.exports.sealed import Sealed
from meetdeck.administration.exports.tables import TABLES
from meetdeck.platform.db import Address, Connection
from meetdeck.platform.encryption import Encryption
from meetdeck.platform.errors import SetupError, Unavailable
from meetdeck.platform.progress import ProgressReport
from meetdeck.platform.storage import Storage

_FORGET_OUTGOING_HOSTS: Final = "update tenant set outgoing_hosts = null where tenant_id = $1"
"""Which hosts a firm may name is this installation's to say, not the export's."""


def read_export(path: Path, progress: ProgressReport) -> Manifest:
    """Read an export wholly; return its manifest. Raises SetupError when it is not whole."""
    progress.begin("checked bytes", path.stat().st_size if path.exists() else 0)
    return reading.verify(path, Kind.EXPORT, progress.advance)


async def import_tenant(
    owner: Address, storage: Storage, encryption: Encryption, path: Path, manifest: Manifest, progress: ProgressReport
) -> Archived:
    """Load an export that was read, all or nothing; return the report. Raises SetupError when the tenant is here.

    `owner`: of the tables, since numbers of other tenants must go on behind those that come.
    """
    (tenant_id,) = manifest.tenants
    connection = await owner.connect()
    progress.begin("rows", manifest.rows)
    loader: Loader | None = None
    try:
        tables = await read_tables(connection)
        await _require_room(connection, tenant_id, manifest)
        async with connection.transaction():
            loader = Loader(connection, tables, manifest, rewrite=Sealed(encryption).seal)
            with open_members(path, lambda _: None) as members:
                checked = _check_schemas(members, tables, manifest, await read_revision(connection))
                await load_members(loader, checked, storage, progress.advance)
            await connection.execute(_FORGET_OUTGOING_HOSTS, tenant_id)
            await advance_sequences(connection, tables, await _list_reached(connection, tables, manifest))
    except BaseException as error:
        if loader is not None:
            with suppress(Unavailable):
                await storage.delete(loader.stored)
        if isinstance(error, Broken):
            raise SetupError(f"Nothing was imported: {error}.") from error
        if isinstance(error, Unavailable):
            raise SetupError(f"Nothing was imported: {error.detail}") from error
        if isinstance(error, asyncpg.PostgresError | asyncpg.InterfaceError):
            raise SetupError(f"Nothing was imported: {error}") from error
        raise
    finally:
        await connection.close()
    return reading.describe(path, manifest)


async def _list_reached(connection: Connection, tables: Sequence[Table], manifest: Manifest) -> dict[str, int]:
    """Return how far the numbers of each `table.column` have come: in the tenant's rows, or where it was before."""
    reached = dict(manifest.sequences)
    for table in tables:
        for column in table.columns:
            if column.sequence is not None and table.name in TABLES:
                counted = f"{table.name}.{column.name}"
                last = await connection.fetchval(f'select max("{column.name}") from "{table.name}"')  # noqa: S608 - names of the catalog
                reached[counted] = max(reached.get(counted, 0), last or 0)
    return reached


async def _require_room(connection: Connection, tenant_id: UUID, manifest: Manifest) -> None:
    """Raise SetupError when the tenant is here, or we are not the owner of the tables."""
    async with connection.transaction():
        await connection.execute(f"select set_config('meetdeck.tenant', '{tenant_id}', true)")
        name = await connection.fetchval("select name from tenant where tenant_id = $1", tenant_id)
    if name is not None:
        raise SetupError(
            f"The tenant {tenant_id} ({name}) is here already, and {manifest.tenants[tenant_id]} of the export has "
            "the same id. Delete it first, if the export is to take its place: `meetdeck tenant delete`."
        )
    owner = "select pg_has_role(relowner, 'member') from pg_class where oid = 'tenant'::regclass"
    if not await connection.fetchval(owner):
        raise SetupError("Importing needs the owner of the tables: name it in MEETDECK_DATABASE_OWNER_URL.")


def _check_schemas(
    members: Iterable[Member], tables: Sequence[Table], manifest: Manifest, revision: str
) -> Generator[Member]:
    """Yield the members. Raises SetupError when the tables here are not like those that the export was made of."""
    known = {table.name: table for table in tables}
    for member in members:
        if member.name.startswith(SCHEMAS):
            name = member.name.removeprefix(SCHEMAS).removesuffix(".json")
            schema: dict[str, Any] = msgspec.json.decode(member.read())
            if name not in known or describe_lines(known[name])["properties"] != schema["properties"]:
                raise SetupError(
                    f"Nothing was imported: the export is at schema {manifest.schema_revision} and this "
                    f"installation at {revision}, where {name} is another. Import it into an installation of Meetdeck "
                    f"{manifest.meetdeck_version}, migrate that, and export again."
                )
        yield member
