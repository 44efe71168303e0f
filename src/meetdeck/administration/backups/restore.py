"""Restoring a backup into an empty installation."""

from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final
from uuid import UUID

import asyncpg

from meetdeck.administration.archives import reading
from meetdeck.administration.archives.catalog import list_tenants, read_revision, read_tables
from meetdeck.administration.archives.loading import Loader, advance_sequences, load_members
from meetdeck.administration.archives.reading import BrokenArchive, Member, open_members
from meetdeck.administration.archives.schemas import ArchiveKind, ArchiveReport, Manifest
from meetdeck.administration.backups.keys import FOLDER, KEY_FILES, require_room_for_keys, write_keys
from meetdeck.migrations import Schema, check_schema, is_before_base, known_revisions, migrate
from meetdeck.platform.database import Address
from meetdeck.platform.errors import SetupError, Unavailable
from meetdeck.platform.process import RESTORING
from meetdeck.platform.process.progress import ProgressReport
from meetdeck.platform.settings import Settings
from meetdeck.platform.settings.sending_hold import hold_sending
from meetdeck.platform.storage import Storage

_LARGEST_KEY: Final = 64 * 1024
_Opener = Callable[[], AbstractContextManager[Iterable[Member]]]


@dataclass(frozen=True, slots=True)
class Target:
    """The installation to restore into; `owner` is the role that owns the tables.

    Since `held_since` it sends nothing out; None: it sends normally. `is_cell`: it is one of several databases, whose
    storage has other tenants' files.
    """

    settings: Settings
    owner: Address
    storage: Storage
    held_since: datetime | None = None
    is_cell: bool = False


def read_backup(path: Path, progress: ProgressReport, identity: Path | None = None) -> Manifest:
    """Read a whole backup; return its manifest. Raises SetupError if it is incomplete, too new or too old.

    `identity`: a file with the private key of an encrypted one.
    """
    progress.begin("checked bytes", path.stat().st_size if path.exists() else 0)
    manifest = reading.verify(path, ArchiveKind.BACKUP, progress.advance, identity)
    if is_before_base(manifest.schema_revision):
        raise SetupError(
            f"{path} was made by Meetdeck {manifest.meetdeck_version} at schema {manifest.schema_revision}, but "
            f"this Meetdeck restores only backups from {known_revisions()[0]} on. Restore it with the last "
            "version before 1.0 (commit 64ee17b5), which migrates it, and back that up."
        )
    if manifest.schema_revision not in known_revisions():
        raise SetupError(
            f"{path} was made by Meetdeck {manifest.meetdeck_version} at schema {manifest.schema_revision}, but "
            f"this Meetdeck knows schemas only up to {known_revisions()[-1]}. Restore it with that version or a "
            "newer one."
        )
    return manifest


async def restore(
    target: Target, path: Path, manifest: Manifest, progress: ProgressReport, identity: Path | None = None
) -> ArchiveReport:
    """Load a backup that was read, all rows or none, and migrate it to this version's schema; return the report.

    Raises SetupError if the installation is not empty, before anything is changed.
    """
    marker = _Marker(target.settings.data_dir / RESTORING, path, manifest)
    open_file = partial(open_members, path, lambda _: None, identity)
    keys = _read_keys(open_file, manifest)
    require_room_for_keys(target.settings, keys)
    are_rows_here = await _require_empty_database(target.owner, manifest, are_ours=marker.is_of_this_backup())
    if not marker.is_there():
        await _require_empty_storage(target.storage, manifest.tenants if target.is_cell else None)
    was_begun = marker.is_there()
    marker.write()
    if not are_rows_here:
        await migrate(target.owner, to=manifest.schema_revision)
        try:
            await _load(target, open_file, manifest, keys, progress)
        except SetupError:
            if not was_begun and await _is_empty(target.storage):
                marker.delete()  # everything was rolled back
            raise
    await migrate(target.owner)
    await _hold(target)
    marker.delete()
    return reading.describe(path, manifest)


@dataclass(frozen=True, slots=True)
class _Marker:
    """The file that records that a restore was begun: the backup's path, and the SHA-256 of its content."""

    file: Path
    path: Path
    manifest: Manifest

    def is_there(self) -> bool:
        return self.file.exists()

    def is_of_this_backup(self) -> bool:
        return self.is_there() and self.file.read_text(encoding="utf-8").splitlines()[1:] == [self.manifest.sha256]

    def write(self) -> None:
        self.file.write_text(f"{self.path.absolute()}\n{self.manifest.sha256}\n", encoding="utf-8")

    def delete(self) -> None:
        self.file.unlink()


async def _require_empty_database(owner: Address, manifest: Manifest, *, are_ours: bool) -> bool:
    """Return whether an unfinished restore of the same backup has committed all rows, so that the rows are ours.

    Raises SetupError if there are other rows.
    """
    if await check_schema(owner) is Schema.EMPTY:
        return False
    connection = await owner.connect()
    try:
        tenants, revision = await list_tenants(connection), await read_revision(connection)
    finally:
        await connection.close()
    if tenants and are_ours:
        return True
    if tenants:
        raise SetupError(
            f"The database {owner} has {len(tenants)} tenants already, but a backup can be restored only into an "
            "empty installation. Name an empty database in MEETDECK_DATABASE_URL and "
            "MEETDECK_DATABASE_OWNER_URL, or without them another MEETDECK_DATA_DIR."
        )
    if revision != manifest.schema_revision:
        raise SetupError(
            f"The database {owner} is at schema {revision} and the backup at {manifest.schema_revision}. Create "
            "an empty database: restoring creates its tables."
        )
    return False


async def _is_empty(storage: Storage) -> bool:
    try:
        await _require_empty_storage(storage)
    except (SetupError, Unavailable):
        return False
    return True


async def _require_empty_storage(storage: Storage, among: Container[UUID] | None = None) -> None:
    folders = [folder for folder in await storage.list_folders() if _is_uuid(folder)]
    tenants = [folder for folder in folders if among is None or UUID(folder) in among]
    if tenants and among is not None:
        raise SetupError(
            f"The storage has files of {len(tenants)} of the backup's tenants already. Move their folders away "
            f"({', '.join(tenants[:3])}…), so that the backup's can be written."
        )
    if tenants:
        raise SetupError(
            f"The storage has files of {len(tenants)} tenants already, but a backup can be restored only into an "
            "empty installation. Name an empty one in MEETDECK_STORAGE_URL, or without it another "
            "MEETDECK_DATA_DIR."
        )


async def _load(
    target: Target, open_file: _Opener, manifest: Manifest, keys: Mapping[str, str], progress: ProgressReport
) -> None:
    connection = await target.owner.connect()
    progress.begin("rows", manifest.rows)
    loader: Loader | None = None
    try:
        tables = await read_tables(connection)
        async with connection.transaction():
            loader = Loader(connection, tables, manifest)
            with open_file() as members:
                await load_members(loader, members, target.storage, progress.advance)
            await advance_sequences(connection, tables, manifest.sequences)
            if target.held_since is not None:
                await hold_sending(connection, target.held_since)
            write_keys(target.settings, keys)
    except BaseException as error:
        if loader is not None:
            with suppress(Unavailable):
                await target.storage.delete(loader.stored)
        if isinstance(error, BrokenArchive):
            raise SetupError(f"Nothing was restored: the file is not a complete backup: {error}.") from error
        if isinstance(error, SetupError):
            raise SetupError(f"Nothing was restored: {error}") from error
        if isinstance(error, Unavailable):
            raise SetupError(f"Nothing was restored: {error.detail} Then run the command again.") from error
        if isinstance(error, asyncpg.PostgresError | asyncpg.InterfaceError):
            raise SetupError(f"Nothing was restored: {error}. Fix this and run the command again.") from error
        raise
    finally:
        await connection.close()


async def _hold(target: Target) -> None:
    """Hold sending if the backup's schema has no hold, before the marker is removed and anything may serve."""
    if target.held_since is not None:
        connection = await target.owner.connect()
        try:
            await hold_sending(connection, target.held_since)
        finally:
            await connection.close()


def _read_keys(open_file: _Opener, manifest: Manifest) -> dict[str, str]:
    """Return the keys at the beginning of a verified backup."""
    keys: dict[str, str] = {}
    if manifest.keys:
        with open_file() as members:
            for member in members:
                if not member.name.startswith(FOLDER):
                    break
                name = member.name.removeprefix(FOLDER)
                if name not in KEY_FILES or member.size > _LARGEST_KEY:
                    raise SetupError(f"The file is not a complete backup: {member.title} is not a key.")
                keys[name] = member.read().decode(errors="replace")
    return keys


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
