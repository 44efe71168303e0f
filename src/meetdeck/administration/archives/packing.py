"""Filling an archive from a snapshot: rows tenant by tenant, then files."""

import hashlib
import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Final, Protocol
from uuid import UUID

import msgspec

from meetdeck import __version__
from meetdeck.administration.archives.catalog import Table
from meetdeck.administration.archives.schemas import (
    FILE_LIST,
    FORMAT_VERSION,
    ArchiveKind,
    FileEntry,
    FileTotals,
    Manifest,
    TableRows,
)
from meetdeck.administration.archives.snapshots import NamedFile, Snapshot
from meetdeck.administration.archives.writing import ArchiveWriter
from meetdeck.platform.errors import SetupError, Unavailable
from meetdeck.platform.process.progress import ProgressReport
from meetdeck.platform.process.threads import run_in_thread
from meetdeck.platform.storage import FileMissing, Storage

PART_BYTES: Final = 8 * 1024 * 1024
_IN_MEMORY_BYTES: Final = 4 * 1024 * 1024


class Rewrite(Protocol):
    """Protocol of functions that change the lines of a table while they are copied."""

    def __call__(self, table: str, tenant_id: UUID, lines: bytes, /) -> bytes:
        """Return the changed whole lines, in the same number."""
        ...


def keep(table: str, tenant_id: UUID, lines: bytes) -> bytes:
    """Return the lines unchanged; a `Rewrite`."""
    del table, tenant_id
    return lines


class _RowParts:
    """Collects the lines of one table, and adds them to the archive in parts of whole lines."""

    def __init__(self, writer: ArchiveWriter, path: str, rewrite: Callable[[bytes], bytes]) -> None:
        self._writer = writer
        self._path = path
        self._rewrite = rewrite
        self._waiting = bytearray()
        self._parts = 0
        self._sha256 = hashlib.sha256()
        self.rows = 0

    async def take(self, piece: bytes) -> None:
        self._waiting += piece
        if len(self._waiting) >= PART_BYTES:
            await run_in_thread(self._add_whole_lines)

    async def finish(self) -> str:
        """Add the remaining lines; return the SHA-256 of all lines."""
        await run_in_thread(self._add_whole_lines)
        return self._sha256.hexdigest()

    def _add_whole_lines(self) -> None:
        end = self._waiting.rfind(b"\n") + 1
        if not end:
            return
        lines = self._rewrite(bytes(self._waiting[:end]))
        del self._waiting[:end]
        self._parts += 1
        self.rows += lines.count(b"\n")
        self._sha256.update(lines)
        self._writer.add(f"{self._path}{f'-{self._parts}' if self._parts > 1 else ''}.jsonl", lines)


class Packer:
    """Fills one archive with rows and files, and makes its manifest."""

    def __init__(self, writer: ArchiveWriter, snapshot: Snapshot, storage: Storage, progress: ProgressReport) -> None:
        self._writer = writer
        self._snapshot = snapshot
        self._storage = storage
        self._progress = progress
        self._tables: list[TableRows] = []
        self._files = FileTotals()

    async def fill(self, tables: Mapping[UUID, Sequence[Table]], *, rewrite: Rewrite = keep) -> None:
        """Add the tenants' rows in the tables, and then their files. Raises SetupError without the storage."""
        self._progress.begin("rows", 0)
        for tenant_id, its_tables in tables.items():
            await self._add_rows(its_tables, tenant_id, rewrite)
        self._progress.begin("files", 0)
        try:
            await self._add_files(list(tables))
        except Unavailable as error:
            raise SetupError(f"Not all files could be read, so nothing was kept: {error.detail}") from error

    async def _add_rows(self, tables: Sequence[Table], tenant_id: UUID, rewrite: Rewrite) -> None:
        """Add a tenant's rows of some tables; tables without rows get no member."""
        for table in tables:
            parts = _RowParts(
                self._writer,
                f"rows/{tenant_id}/{table.name}",
                lambda lines, name=table.name: rewrite(name, tenant_id, lines),
            )
            await self._snapshot.copy_rows(table, tenant_id, parts.take)
            sha256 = await parts.finish()
            if parts.rows:
                self._tables.append(TableRows(tenant_id, table.name, parts.rows, sha256))
            self._progress.advance(parts.rows)

    async def _add_files(self, tenant_ids: Sequence[UUID]) -> None:
        """Add the tenants' files and the list of them; missing files are listed and do not stop it."""
        with tempfile.TemporaryFile() as listed:
            for tenant_id in tenant_ids:
                async for file in self._snapshot.list_files(tenant_id):
                    entry = await self._add_file(file)
                    listed.write(msgspec.json.encode(entry) + b"\n")
                    self._progress.advance(1)
            sha256, size = _measure(listed)
            await run_in_thread(self._writer.add_file, FILE_LIST, listed, size, sha256)

    def describe(self, kind: ArchiveKind, tenants: dict[UUID, str], keys: Sequence[str] = ()) -> Manifest:
        """Return the manifest of the added members."""
        return Manifest(
            kind,
            FORMAT_VERSION,
            __version__,
            self._snapshot.revision,
            self._snapshot.moment,
            tenants,
            list(keys),
            self._snapshot.sequences if kind is ArchiveKind.BACKUP else {},  # of the installation, not of a firm
            self._tables,
            self._files,
            self._writer.members,
            self._writer.listed_sha256,
        )

    async def _add_file(self, file: NamedFile) -> FileEntry:
        """Add one file, which is read completely before its member begins."""
        with tempfile.SpooledTemporaryFile(_IN_MEMORY_BYTES) as spool:
            try:
                await copy_stored_file(self._storage, file.key, spool.write)
            except FileMissing:
                entry = FileEntry(file.path, file.key, 0, "", "missing")
            else:
                sha256, size = await run_in_thread(_measure, spool)
                await run_in_thread(self._writer.add_file, file.path, spool, size, sha256, key=file.key)
                entry = FileEntry(file.path, file.key, size, sha256, None if sha256 == file.digest.hex() else "changed")
        self._files = FileTotals(
            self._files.files + (entry.problem != "missing"),
            self._files.bytes + entry.bytes,
            self._files.missing + (entry.problem == "missing"),
            self._files.changed + (entry.problem == "changed"),
        )
        return entry


async def copy_stored_file(storage: Storage, key: str, write: Callable[[bytes], object]) -> None:
    """Read a file from storage in pieces. Raises FileMissing and StorageUnavailable."""
    stream = await storage.open_stream(key)
    async for chunk in stream.chunks:
        write(chunk)


def _measure(file: IO[bytes]) -> tuple[str, int]:
    """Return the SHA-256 and size of a file, and rewind it."""
    file.seek(0)
    sha256 = hashlib.sha256()
    while piece := file.read(PART_BYTES):
        sha256.update(piece)
    size = file.tell()
    file.seek(0)
    return sha256.hexdigest(), size
