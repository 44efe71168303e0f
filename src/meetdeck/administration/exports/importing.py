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
from meetdeck.administration.archives.packing import Rewrite
from meetdeck.administration.archives.reading import BrokenArchive, Member, open_members, shorten
from meetdeck.administration.archives.schemas import ArchiveKind, ArchiveReport, Manifest
from meetdeck.administration.exports.checks.checking import Check, require_sound
from meetdeck.administration.exports.checks.lines import require_sound_lines
from meetdeck.administration.exports.checks.subjects import list_checks, require_no_circles, require_own_files
from meetdeck.administration.exports.export import SCHEMAS
from meetdeck.administration.exports.line_schemas import describe_lines
from meetdeck.administration.exports.sealed import SealedColumns
from meetdeck.administration.exports.tables import TABLES
from meetdeck.platform.database import Address, Connection, speak_json
from meetdeck.platform.errors import SetupError, Unavailable
from meetdeck.platform.outgoing import AllowedHosts, OutgoingClient
from meetdeck.platform.process.progress import ProgressReport
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.storage import Storage

_FORGET_OUTGOING_HOSTS: Final = "update tenant set outgoing_hosts = null where tenant_id = $1"
"""This installation decides which hosts a firm may name, not the export."""
_MOST_AHEAD: Final = 10_000_000
"""The most by which the numbers of an import may be ahead of the installation's own."""


def read_export(path: Path, progress: ProgressReport) -> Manifest:
    """Read a whole export; return its manifest. Raises SetupError if it is incomplete."""
    progress.begin("checked bytes", path.stat().st_size if path.exists() else 0)
    return reading.verify(path, ArchiveKind.EXPORT, progress.advance)


async def import_tenant(  # noqa: PLR0913 - where to, where from, and how
    owner: Address,
    storage: Storage,
    encryption: Encryption,
    path: Path,
    manifest: Manifest,
    progress: ProgressReport,
    *,
    checks: Sequence[Check[Any]] | None = None,
) -> ArchiveReport:
    """Load an export that `read_export` has read, all or nothing; return the report.

    Raises SetupError if the tenant exists already, and for a row that the `checks` refuse, with its table, key and
    member. Without `checks`, those of a default installation are used. `owner` must own the tables: sequences of other
    tenants are advanced past the imported numbers.
    """
    (tenant_id,) = manifest.tenants
    connection = await owner.connect()
    progress.begin("rows", manifest.rows)
    loader: Loader | None = None
    try:
        await speak_json(connection)  # the services that check expect this
        tables = await read_tables(connection)
        await _require_room(connection, tenant_id, manifest)
        async with connection.transaction():
            loader = Loader(connection, tables, manifest, rewrite=_check_and_seal(encryption), only=TABLES)
            with open_members(path, lambda _: None) as members:
                checked = _check_schemas(members, tables, manifest, await read_revision(connection))
                await load_members(loader, checked, storage, progress.advance)
            await connection.execute(_FORGET_OUTGOING_HOSTS, tenant_id)
            await _require_sound(connection, tenant_id, checks or _list_default_checks(manifest))
            await advance_sequences(connection, tables, await _list_reached(connection, tables), most_ahead=_MOST_AHEAD)
    except BaseException as error:
        if loader is not None:
            with suppress(Unavailable):
                await storage.delete(loader.stored)
        if (refusal := _explain_failure(error)) is not None:
            raise refusal from error
        raise
    finally:
        await connection.close()
    return reading.describe(path, manifest)


def _explain_failure(error: BaseException) -> SetupError | None:
    """Return the error for the operator; None for a defect, which is raised unchanged."""
    if isinstance(error, BrokenArchive):
        return SetupError(f"Nothing was imported: {error}.")
    if isinstance(error, Unavailable):
        return SetupError(f"Nothing was imported: {error.detail}")
    if isinstance(error, asyncpg.PostgresError | asyncpg.InterfaceError):
        return SetupError(f"Nothing was imported: {error}")
    return None


def _check_and_seal(encryption: Encryption) -> Rewrite:
    seal = SealedColumns(encryption).seal

    def rewrite(table: str, tenant_id: UUID, lines: bytes) -> bytes:
        return seal(table, tenant_id, require_sound_lines(table, tenant_id, lines))

    return rewrite


def _list_default_checks(manifest: Manifest) -> list[Check[Any]]:
    (tenant_id,) = manifest.tenants
    return list_checks(tenant_id, OutgoingClient(AllowedHosts()), manifest.moment, logo_by_https=False)


async def _require_sound(connection: Connection, tenant_id: UUID, checks: Sequence[Check[Any]]) -> None:
    """Raise BrokenArchive unless the API would accept everything that was loaded, and it belongs to the firm."""
    if not await connection.fetchval("select exists (select from tenant)"):
        raise BrokenArchive("it has no row for the firm itself")
    await require_own_files(connection, tenant_id)
    await require_no_circles(connection)
    await require_sound(connection, checks)


async def _list_reached(connection: Connection, tables: Sequence[Table]) -> dict[str, int]:
    """Return the highest number of each `table.column` in the tenant's rows, whatever an export says."""
    reached: dict[str, int] = {}
    for table in tables:
        for column in table.columns:
            if column.sequence is not None and table.name in TABLES:
                last = await connection.fetchval(f'select max("{column.name}") from "{table.name}"')  # noqa: S608 - names of the catalog
                reached[f"{table.name}.{column.name}"] = last or 0
    return reached


async def _require_room(connection: Connection, tenant_id: UUID, manifest: Manifest) -> None:
    """Raise SetupError if the tenant exists here, or we are not the owner of the tables."""
    async with connection.transaction():
        await connection.execute(f"select set_config('meetdeck.tenant', '{tenant_id}', true)")
        name = await connection.fetchval("select name from tenant where tenant_id = $1", tenant_id)
    if name is not None:
        raise SetupError(
            f"The tenant {tenant_id} ({name}) already exists here, and {manifest.tenants[tenant_id]} in the export has "
            "the same id. To replace it, delete it first: `meetdeck tenant delete`."
        )
    owner = "select pg_has_role(relowner, 'member') from pg_class where oid = 'tenant'::regclass"
    if not await connection.fetchval(owner):
        raise SetupError("Importing needs the owner of the tables: name it in MEETDECK_DATABASE_OWNER_URL.")


def _check_schemas(
    members: Iterable[Member], tables: Sequence[Table], manifest: Manifest, revision: str
) -> Generator[Member]:
    """Yield the members. Raises SetupError if the tables here differ from those of the export."""
    known = {table.name: table for table in tables}
    for member in members:
        if member.name.startswith(SCHEMAS):
            name = member.name.removeprefix(SCHEMAS).removesuffix(".json")
            if name not in TABLES or name not in known or not _is_same(known[name], member.read()):
                raise SetupError(
                    f"Nothing was imported: the export is at schema {shorten(manifest.schema_revision)} and this "
                    f"installation at {revision}, where {shorten(name)} is different. Import it into an "
                    f"installation of Meetdeck {shorten(manifest.meetdeck_version)}, migrate that, and export "
                    "again."
                )
        yield member


def _is_same(table: Table, content: bytes) -> bool:
    """Return whether the schema of an export's lines is that of a table here."""
    try:
        schema = msgspec.json.decode(content, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError):
        return False
    return describe_lines(table)["properties"] == schema.get("properties")
