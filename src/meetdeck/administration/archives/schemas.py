"""The manifest of an archive, its list of files, and the report on it."""

from datetime import datetime
from enum import Enum
from uuid import UUID

import msgspec

FORMAT_VERSION = 1
MANIFEST = "manifest.json"
FILE_LIST = "files.jsonl"


class ArchiveKind(Enum):
    """The kind of an archive: a whole installation, or one tenant."""

    BACKUP = "meetdeck-backup"
    EXPORT = "meetdeck-export"


class TableRows(msgspec.Struct, rename="camel", frozen=True):
    """The number of an archive's rows of a table, and the SHA-256 of their lines."""

    tenant_id: UUID
    table: str
    rows: int
    sha256: str


class FileEntry(msgspec.Struct, rename="camel", frozen=True):
    """A stored file: its place in the archive and in storage. A line of `files.jsonl`."""

    path: str
    key: str
    bytes: int
    sha256: str
    problem: str | None = None
    """None, `missing` if the storage did not have it, or `changed` if it differs from its row."""


class FileTotals(msgspec.Struct, rename="camel", frozen=True):
    """The number of an archive's files, of missing ones, and of those that differ from their rows."""

    files: int = 0
    bytes: int = 0
    missing: int = 0
    changed: int = 0


class Manifest(msgspec.Struct, rename="camel", frozen=True):
    """The last member of an archive: its kind, and everything it contains."""

    format: ArchiveKind
    format_version: int
    meetdeck_version: str
    schema_revision: str
    moment: datetime
    tenants: dict[UUID, str]
    """Names by id."""
    keys: list[str]
    """The installation's keys in the archive."""
    sequences: dict[str, int]
    """The last number of each `table.column` in a whole installation; empty in an export."""
    tables: list[TableRows]
    files: FileTotals
    members: int
    """The number of members before this one."""
    sha256: str
    """Of the list of members: for each a line with SHA-256, size and name, separated by blanks."""

    @property
    def rows(self) -> int:
        """Return the number of rows."""
        return sum(each.rows for each in self.tables)


class ArchiveReport(msgspec.Struct, rename="camel", frozen=True):
    """The report on an archive that a command wrote, checked or loaded."""

    file: str
    bytes: int
    sha256: str
    """Of the whole file."""
    moment: datetime
    schema_revision: str
    tenants: int
    rows: int
    files: int
    missing_files: int
    changed_files: int
    keys: list[str]
