"""Copies of the installation and of one firm: `meetdeck backup | restore | export | import-tenant`."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

from cyclopts import Parameter

from meetdeck.administration.archives.schemas import ArchiveKind
from meetdeck.cli.installation import prepare
from meetdeck.cli.output import print_facts, print_json, show_bytes, show_moment, warn
from meetdeck.cli.parameters import TENANT_MISSING, Flag, UsageError
from meetdeck.migrations import require_schema
from meetdeck.platform.changes import name_operator
from meetdeck.platform.database import Address, DatabaseFull, DatabaseUnavailable
from meetdeck.platform.errors import MeetdeckError, SetupError
from meetdeck.platform.process import clock, signals, take_data_folder
from meetdeck.platform.process.progress import show_progress
from meetdeck.platform.settings import Settings, find_outgoing_proxy

if TYPE_CHECKING:
    from meetdeck.administration.archives.schemas import ArchiveReport
    from meetdeck.administration.exports.checks.checking import Check
    from meetdeck.platform.outgoing import OutgoingClient

_STDOUT = Path("-")

Output = Annotated[Path, Parameter(allow_leading_hyphen=True)]
"""A file to write, or - for stdout."""


def backup(  # noqa: PLR0913 - the options of a command
    file: Output,
    *,
    cell: str | None = None,
    keep: int | None = None,
    recipient: list[str] | None = None,
    identity: Path | None = None,
    without_keys: Flag = False,
    check: Flag = False,
    json: Flag = False,
) -> None:
    """Back up the database and all files as a consistent snapshot; safe while the server runs.

    `meetdeck backup /backups/monday.tar.gz`; encrypted: `meetdeck backup /backups/monday.age --recipient age1…`

    The file contains the installation's keys and every customer's data. Only this account can read it; store it
    encrypted.

    Parameters
    ----------
    file
        The file to write, which gets its name when it is complete; - for stdout.
    cell
        The cell to back up: a name of MEETDECK_CELLS. Default: the first database.
    keep
        The number of backups to keep, including this one. Older ones, whose names differ only in date or number, are
        deleted when this one is complete.
    recipient
        A public key (age1… or ssh-ed25519 …) that the backup is encrypted to; repeat it for several. Default:
        MEETDECK_BACKUP_RECIPIENTS. Needs the program age.
    identity
        With --check, the file with the private key of an encrypted backup.
    without_keys
        Leave out the installation's keys; keep MEETDECK_ENCRYPTION_KEY elsewhere.
    check
        Verify an existing backup without writing anything.
    json
        Print the report as JSON.
    """
    from meetdeck.administration.backups.backup import back_up
    from meetdeck.administration.backups.backup import check as check_file
    from meetdeck.installation import choose_cell, database_addresses, open_storage

    _require_keepable(file, keep, check=check)
    settings = prepare()
    if recipient:
        settings = settings.model_copy(update={"backup_recipients": tuple(recipient)})
    with show_progress(lines=True) as progress:
        if check:
            progress.begin("checked bytes", file.stat().st_size if file.exists() else 0)
            archived = check_file(file, progress.advance, identity)
        else:
            take_data_folder(settings.data_dir)

            async def run() -> "ArchiveReport":
                storage = await open_storage(settings)
                address = choose_cell(settings, addresses, cell).application
                await _record(address, ArchiveKind.BACKUP, file, "backup")
                archived = await back_up(settings, address, storage, file, progress, with_keys=not without_keys)
                await _record_success(address)
                return archived

            with database_addresses(settings) as addresses:
                archived = signals.run(run())
    if file != _STDOUT:
        _report(archived, json=json)
    if keep is not None:
        _thin_out(file, keep)


def restore(
    file: Path, *, cell: str | None = None, identity: Path | None = None, held: Flag = False, json: Flag = False
) -> None:
    """Load a backup into an empty installation, or an empty cell of one: a new database, new storage, new data folder.

    `MEETDECK_DATA_DIR=/srv/meetdeck meetdeck restore /backups/monday.tar.gz`

    The whole backup is checked before anything is changed. A backup of an older version is upgraded.

    Parameters
    ----------
    file
        A file that `meetdeck backup` wrote.
    cell
        The cell to restore into, whose database must be empty: a name of MEETDECK_CELLS. Default: the first database.
    identity
        The file with the private key, if the backup is encrypted.
    held
        Send nothing until `meetdeck release`: no mail, text messages, webhooks or calls to data services. For a copy of
        an installation that is still running.
    json
        Print the report as JSON.
    """
    from meetdeck.administration.backups.restore import Target, read_backup
    from meetdeck.administration.backups.restore import restore as load
    from meetdeck.installation import choose_cell, database_addresses, open_storage, read_cells

    settings = prepare()
    with show_progress(lines=True) as progress:
        manifest = read_backup(file, progress, identity)
        take_data_folder(settings.data_dir, restoring=True)

        async def run() -> "ArchiveReport":
            home = choose_cell(settings, addresses, cell)
            target = Target(
                settings,
                home.owner,
                await open_storage(settings),
                clock.now() if held else None,
                is_cell=home.owner != addresses[0],
            )
            archived = await load(target, file, manifest, progress, identity)
            await _record(home.owner, ArchiveKind.BACKUP, file, "restore", is_loaded=True)
            cells = read_cells(settings, addresses[1]).others
            await _register(settings, addresses, [each.name for each in cells] if cell is None else [cell])
            return archived

        with database_addresses(settings) as addresses:
            archived = signals.run(run())
    _report(archived, json=json)
    if held:
        warn("The installation is held: it sends nothing out until `meetdeck release`.")


def export(file: Output, *, tenant: UUID | None = None, json: Flag = False) -> None:
    """Export a firm's data to a file in an open format; safe while the server runs (docs/export.md).

    `meetdeck export nordlys.tar.gz --tenant ffc04e6d-f320-5559-8ffd-2635b9b6f03f`

    The file contains every customer's data, with `cpr` in clear text. Only this account can read it; store it
    encrypted.

    Parameters
    ----------
    file
        The file to write, which gets its name when it is complete; - for stdout.
    tenant
        The firm's id.
    json
        Print the report as JSON.
    """
    from meetdeck.administration.exports.export import export_tenant
    from meetdeck.installation import database_addresses, find_home, open_storage
    from meetdeck.platform.secrets import Encryption, find_encryption_keys

    if tenant is None:
        raise UsageError(TENANT_MISSING)
    settings = prepare()
    take_data_folder(settings.data_dir)
    encryption = Encryption(*find_encryption_keys(settings.encryption_key, settings.data_dir))
    with show_progress(lines=True) as progress, database_addresses(settings) as addresses:

        async def run() -> "ArchiveReport":
            storage = await open_storage(settings)
            address = (await find_home(settings, addresses, tenant)).application
            await _record(address, ArchiveKind.EXPORT, file, "export", tenant_id=tenant)
            return await export_tenant(address, storage, tenant, encryption, file, progress)

        archived = signals.run(run())
    if file != _STDOUT:
        _report(archived, json=json)


def import_tenant(file: Path, *, cell: str | None = None, json: Flag = False) -> None:
    """Import an exported firm, keeping its ids: all or nothing; safe while the server runs.

    `meetdeck import-tenant nordlys.tar.gz`

    Parameters
    ----------
    file
        A file that `meetdeck export` wrote.
    cell
        The cell in which the firm is to live: a name of MEETDECK_CELLS. Default: the first database.
    json
        Print the report as JSON.
    """
    from meetdeck.administration.exports.importing import import_tenant as load
    from meetdeck.administration.exports.importing import read_export
    from meetdeck.installation import choose_cell, database_addresses, open_storage
    from meetdeck.platform.outgoing import AllowedHosts, OutgoingClient
    from meetdeck.platform.secrets import Encryption, find_encryption_keys

    settings = prepare()
    take_data_folder(settings.data_dir)
    encryption = Encryption(*find_encryption_keys(settings.encryption_key, settings.data_dir))
    with show_progress(lines=True) as progress, database_addresses(settings) as addresses:
        manifest = read_export(file, progress)

        client = OutgoingClient(
            AllowedHosts(settings.outgoing_allow), named=settings.outgoing_hosts, proxy=find_outgoing_proxy(settings)
        )

        async def run() -> "ArchiveReport":
            owner = choose_cell(settings, addresses, cell).owner
            await require_schema(owner)
            await _require_unknown(settings, addresses, cell, *manifest.tenants)
            storage, checks = await open_storage(settings), _list_checks(settings, client, *manifest.tenants)
            archived = await load(owner, storage, encryption, file, manifest, progress, checks=checks)
            for tenant_id in manifest.tenants:
                await _record(owner, ArchiveKind.EXPORT, file, "import-tenant", tenant_id=tenant_id, is_loaded=True)
            if cell is not None:
                await _register(settings, addresses, [cell])
            return archived

        archived = signals.run(run())
    _report(archived, json=json)


async def _register(settings: Settings, addresses: tuple[Address, Address], cells: Iterable[str]) -> None:
    """Write the cells' firms into the directory, after a command has loaded some into cells, or removed some."""
    from meetdeck.administration.tenants.service.tenants import register_tenants
    from meetdeck.installation import open_database

    async with open_database(settings, addresses[1], connections=1) as database:
        for cell in cells:
            try:
                await register_tenants(database, cell)
            except DatabaseUnavailable:
                warn(f"The directory does not know which firms live in the cell {cell}, which does not answer.")


async def _require_unknown(
    settings: Settings, addresses: tuple[Address, Address], cell: str | None, tenant_id: UUID
) -> None:
    """Raise SetupError when a firm that a cell is to get lives already, whichever database it lives in."""
    from meetdeck.administration.tenants.service.tenants import find_in_directory
    from meetdeck.installation import open_database

    if cell is not None:
        async with open_database(settings, addresses[1], connections=1) as database:
            if (name := await find_in_directory(database, tenant_id)) is not None:
                raise SetupError(
                    f"The tenant {tenant_id} ({name}) already exists here: `meetdeck tenant show` says where."
                )


def _list_checks(settings: Settings, client: "OutgoingClient", tenant_id: UUID) -> list["Check[Any]"]:
    """Return the checks of an export's content."""
    from meetdeck.administration.exports.checks.subjects import list_checks
    from meetdeck.messages.import_checks import MESSAGE_TEXTS

    logo_by_https = settings.environment == "production"
    return [*list_checks(tenant_id, client, clock.now(), logo_by_https=logo_by_https), MESSAGE_TEXTS]


async def _record(
    address: Address,
    kind: ArchiveKind,
    file: Path,
    command: str,
    *,
    tenant_id: UUID | None = None,
    is_loaded: bool = False,
) -> None:
    """Write an audit entry, or warn that none could be written: a read-only database is copied anyway.

    Raises SetupError.
    """
    from meetdeck.administration.archives.recording import record_copying, record_loading

    note = record_loading if is_loaded else record_copying
    try:
        await note(address, kind, file, name_operator(command), clock.now(), tenant_id=tenant_id)
    except DatabaseUnavailable as error:
        if not (is_loaded or isinstance(error, DatabaseFull)):
            raise SetupError(error.detail) from error
        warn(f"The audit log does not record this: {error.detail}")
    except MeetdeckError as error:
        raise SetupError(error.detail) from error


def _require_keepable(file: Path, keep: int | None, *, check: bool) -> None:
    """Raise UsageError for a meaningless `--keep`, before anything is written."""
    from meetdeck.administration.backups.thinning import read_series

    if keep is None:
        return
    if check or keep < 1:
        raise UsageError("--keep must be 1 or more, and cannot be combined with --check, which deletes nothing.")
    read_series(file)


def _thin_out(file: Path, keep: int) -> None:
    """Delete older backups, and name them on stderr. Raises SetupError if one cannot be deleted."""
    from meetdeck.administration.backups.thinning import delete_older

    deleted = delete_older(file, keep)
    if deleted:
        warn(f"Deleted, to keep {keep} backups: {', '.join(sorted(each.name for each in deleted))}.")


async def _record_success(address: Address) -> None:
    """Record that the backup succeeded, or warn if the database is read-only."""
    from meetdeck.administration.backups.success import record_success

    try:
        await record_success(address, clock.now())
    except DatabaseUnavailable as error:
        warn(f"The backup is complete, but its time could not be stored for metrics and doctor: {error.detail}")


def _report(archived: "ArchiveReport", *, json: bool) -> None:
    if json:
        print_json(archived)
    else:
        print_facts(
            [
                ("file", archived.file),
                ("size", show_bytes(archived.bytes)),
                ("SHA-256", archived.sha256),
                ("as of", f"{show_moment(archived.moment)} UTC"),
                ("schema", archived.schema_revision),
                ("tenants", archived.tenants),
                ("rows", archived.rows),
                ("files", archived.files),
                ("keys", ", ".join(archived.keys) or "none"),
            ]
        )
    if archived.missing_files:
        warn(
            f"{archived.missing_files:,} files that rows name were not in storage: files.jsonl in the file names them."
        )
    if archived.changed_files:
        warn(f"{archived.changed_files:,} files are not what their rows say: files.jsonl in the file names them.")
