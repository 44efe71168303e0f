"""Reading an archive from its first member to its last, and checking that it is complete."""

import hashlib
import io
import re
import tarfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, Protocol, cast
from uuid import UUID

import msgspec
from isal import igzip, isal_zlib

from meetdeck.administration.archives.schemas import (
    FORMAT_VERSION,
    MANIFEST,
    ArchiveKind,
    ArchiveReport,
    Manifest,
    TableRows,
)
from meetdeck.administration.archives.sealing import ReadableFile, opened
from meetdeck.administration.archives.writing import forget_members
from meetdeck.platform.errors import SetupError

_BLOCK_BYTES: Final = 256 * 1024
MOST_IN_MEMORY: Final = 64 * 1024 * 1024
"""The largest part of an archive that is read as a whole (rows, the manifest); ours are below 10 MiB."""
UUID_PATTERN: Final = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_ROWS: Final = re.compile(rf"rows/(?P<tenant>{UUID_PATTERN})/(?P<table>[a-z_][a-z0-9_]*)(?:-\d+)?\.jsonl")

# A bomb unpacks to a thousand times its size; rows to some ten times. No file is refused only for its content.
_MOST_UNPACKED: Final = 1024 * 1024 * 1024
_MOST_TIMES: Final = 200
_LARGEST_HEADER: Final = 64 * 1024
_LONGEST_NAME: Final = 500
_MOST_MEMBERS: Final = 5_000_000
_MOST_TABLES: Final = 500_000  # of all firms together
_SHOWN: Final = 100

# isal's stubs call the exception class an instance.
_ISAL_ERROR: Final = cast("type[Exception]", cast("object", isal_zlib.error))


def shorten(text: str, most: int = _SHOWN) -> str:
    """Return a text of an archive for use in a sentence: shortened, without characters that control a terminal."""
    shown = text if len(text) <= most else f"{text[:most]}…"
    return "".join(each if each.isprintable() else "�" for each in shown)


class _Hash(Protocol):
    def update(self, data: bytes, /) -> None: ...
    def hexdigest(self) -> str: ...


OnRead = Callable[[int], None]
"""Called with the number of further bytes of the file that have been read."""


NAMES: Final = {ArchiveKind.BACKUP: "backup", ArchiveKind.EXPORT: "export"}


class _ManifestHead(msgspec.Struct, rename="camel"):
    """The part of a manifest that every version has."""

    format: str
    format_version: int
    meetdeck_version: str


class BrokenArchive(Exception):  # noqa: N818 - as a sentence: it is raised when an archive is
    """An archive is incomplete, or not one of ours; the text says how."""


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an archive while it is read: `key` is that of a stored file, empty for anything else."""

    name: str
    size: int
    sha256: str
    key: str
    file: IO[bytes]

    @property
    def rows_of(self) -> tuple[UUID, str] | None:
        """Return the tenant and table of its rows, None if it holds no rows."""
        found = _ROWS.fullmatch(self.name)
        return (UUID(found["tenant"]), found["table"]) if found else None

    @property
    def title(self) -> str:
        """Return its name for use in a sentence."""
        return shorten(self.name)

    @property
    def line(self) -> bytes:
        """Return its line in the list of members; the manifest has the list's SHA-256."""
        return f"{self.sha256} {self.size} {self.name}\n".encode()

    def read(self) -> bytes:
        """Read it as a whole. Raises BrokenArchive if it was changed, or is too large to be ours."""
        if self.size > MOST_IN_MEMORY:
            raise BrokenArchive(f"{self.title} is {self.size:,} bytes long; at most {MOST_IN_MEMORY:,} are accepted")
        content = self.file.read()
        self._require(hashlib.sha256(content).hexdigest(), len(content))
        return content

    def copy(self, write: Callable[[bytes], object]) -> None:
        """Read it in pieces. Raises BrokenArchive at its end if it was changed."""
        sha256, size = hashlib.sha256(), 0
        while piece := self.file.read(_BLOCK_BYTES):
            sha256.update(piece)
            size += len(piece)
            write(piece)
        self._require(sha256.hexdigest(), size)

    def _require(self, sha256: str, size: int) -> None:
        if (sha256, size) != (self.sha256, self.size):
            raise BrokenArchive(f"{self.title} was altered")


class _ReadDigests:
    """The number and digests of an archive's members as read, for comparison with its manifest."""

    def __init__(self) -> None:
        self._list = hashlib.sha256()
        self._lines: dict[tuple[UUID, str], tuple[int, _Hash]] = {}
        self._names: set[bytes] = set()
        self.members = 0
        self.files = 0
        self.file_bytes = 0

    def add(self, member: Member) -> None:
        self._require_new(member)
        if (rows_of := member.rows_of) is not None:
            lines = member.read()
            rows, sha256 = self._lines.get(rows_of, (0, hashlib.sha256()))
            sha256.update(lines)
            self._lines[rows_of] = (rows + lines.count(b"\n"), sha256)
            if len(self._lines) > _MOST_TABLES:
                raise BrokenArchive(f"it has rows of more than {_MOST_TABLES:,} firms' tables")
        else:
            member.copy(lambda _: None)
        self.members += 1
        self.files += bool(member.key)
        self.file_bytes += member.size if member.key else 0
        self._list.update(member.line)

    def _require_new(self, member: Member) -> None:
        """Raise BrokenArchive for a duplicate name or file, which would overwrite the first."""
        for kind, text in ((b"name", member.name), (b"key", member.key)):
            digest = hashlib.blake2b(text.encode(errors="surrogateescape"), digest_size=16, person=kind).digest()
            if text and digest in self._names:
                raise BrokenArchive(f"{shorten(text)} is in it twice")
            self._names.add(digest)
        if self.members >= _MOST_MEMBERS:
            raise BrokenArchive(f"it has more than {_MOST_MEMBERS:,} members")

    def require(self, manifest: Manifest) -> None:
        tables = [TableRows(*of, rows, sha256.hexdigest()) for of, (rows, sha256) in self._lines.items()]
        if (manifest.members, manifest.sha256) != (self.members, self._list.hexdigest()) or manifest.tables != tables:
            raise BrokenArchive("its members are not those of its manifest")
        if (manifest.files.files, manifest.files.bytes) != (self.files, self.file_bytes):
            raise BrokenArchive("its files are not those of its manifest")


@contextmanager
def open_members(path: Path, on_read: OnRead, identity: Path | None = None) -> Generator[Generator[Member]]:
    """Yield the members of an archive in their order; each must be read before the next is requested.

    `identity`: a file with the private key of an encrypted one. Raises BrokenArchive, also from the generator and from
    reading a member.
    """
    with (
        _naming_faults(path),
        opened(path, identity) as raw,
        igzip.IGzipFile(fileobj=raw, mode="rb") as packed,
    ):
        stream = _UnpackedStream(packed, raw)
        with tarfile.open(fileobj=stream, mode="r|", bufsize=_BLOCK_BYTES, tarinfo=_Header) as tar:
            yield _iterate(tar, stream, raw, on_read)


class _UnpackedStream(io.RawIOBase):
    """The unpacked bytes of an archive. Raises BrokenArchive for a bomb: many bytes from few."""

    def __init__(self, packed: igzip.IGzipFile, raw: ReadableFile) -> None:
        self._packed = packed
        self._raw = raw
        self._unpacked = 0

    def read(self, size: int = -1, /) -> bytes:
        piece: bytes = self._packed.read(size)
        self._unpacked += len(piece)
        if self._unpacked > max(_MOST_UNPACKED, _MOST_TIMES * self._raw.tell()):
            raise BrokenArchive(
                f"it unpacks to more than {_MOST_TIMES} times its size, which no archive of Meetdeck does"
            )
        return piece


class _Header(tarfile.TarInfo):
    """A tar header with small extensions, since tarfile reads them as a whole."""

    def _proc_member(self, tar: tarfile.TarFile) -> tarfile.TarInfo:
        if self.size < 0 or (self.type in _EXTENSIONS and self.size > _LARGEST_HEADER):
            raise BrokenArchive(f"it has a header of {self.size:,} bytes")
        base: Any = super()
        return base._proc_member(tar)  # noqa: SLF001 - tarfile's own way to read what a header is


_EXTENSIONS: Final = frozenset(
    {
        tarfile.XHDTYPE,
        tarfile.XGLTYPE,
        tarfile.SOLARIS_XHDTYPE,
        tarfile.GNUTYPE_LONGNAME,
        tarfile.GNUTYPE_LONGLINK,
    }
)


def _iterate(tar: tarfile.TarFile, stream: _UnpackedStream, raw: ReadableFile, on_read: OnRead) -> Generator[Member]:
    read = 0
    while (info := tar.next()) is not None:
        forget_members(tar)
        if len(info.name) > _LONGEST_NAME:
            raise BrokenArchive(f"{shorten(info.name)} has a name of {len(info.name):,} characters")
        is_plain = info.type in {tarfile.REGTYPE, tarfile.AREGTYPE} and not info.issparse()
        file = tar.extractfile(info) if is_plain else None
        if file is None:
            raise BrokenArchive(f"{shorten(info.name)} is not a plain file")
        sha256, _, key = info.pax_headers.get("comment", "").partition(" ")
        yield Member(info.name, info.size, sha256, key, file)
        on_read(raw.tell() - read)
        read = raw.tell()
    while stream.read(_BLOCK_BYTES):  # to the checksum at the end
        pass


@contextmanager
def _naming_faults(path: Path) -> Generator[None]:
    """Raise errors that damaged bytes cause as BrokenArchive. Raises SetupError if the file cannot be read."""
    try:
        yield
    except (EOFError, tarfile.TarError, igzip.BadGzipFile, _ISAL_ERROR) as error:
        raise BrokenArchive("it was cut off or altered") from error
    except (RecursionError, OverflowError) as error:
        raise BrokenArchive("its headers are nested, or have numbers that are too large") from error
    except OSError as error:
        if error.filename is None:  # raised by the caller while a member was read
            raise
        raise SetupError(f"{path} cannot be read ({error.strerror}).") from error


def verify(path: Path, kind: ArchiveKind, on_read: OnRead, identity: Path | None = None) -> Manifest:
    """Read a whole archive; return its manifest. Raises SetupError if it is of another kind, incomplete or altered."""
    try:
        return _verify(path, kind, on_read, identity)
    except BrokenArchive as fault:
        raise SetupError(
            f"{path} is not a complete {NAMES[kind]}: {fault}. Use another one, or copy it again."
        ) from fault


def _verify(path: Path, kind: ArchiveKind, on_read: OnRead, identity: Path | None) -> Manifest:
    seen, manifest = _ReadDigests(), None
    with open_members(path, on_read, identity) as members:
        for member in members:
            if manifest is not None:
                raise BrokenArchive("data follows its manifest")
            if member.name == MANIFEST:
                manifest = _read_manifest(member.read(), kind)
            else:
                seen.add(member)
    if manifest is None:
        raise BrokenArchive("it ends without its manifest")
    seen.require(manifest)
    return manifest


def _read_manifest(content: bytes, kind: ArchiveKind) -> Manifest:
    try:
        about = msgspec.json.decode(content, type=_ManifestHead)
    except (msgspec.DecodeError, RecursionError):
        raise BrokenArchive("its manifest cannot be read") from None
    if about.format != kind.value:
        other = next((NAMES[each] for each in ArchiveKind if each.value == about.format), None)
        raise BrokenArchive(
            f"it is a{f'n {other}' if other == 'export' else f' {other}'}" if other else "it was not made by Meetdeck"
        )
    if about.format_version > FORMAT_VERSION:
        raise BrokenArchive(
            f"a newer Meetdeck made it ({shorten(about.meetdeck_version)}), in a format that this one does not know"
        )
    try:
        manifest = msgspec.json.decode(content, type=Manifest)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BrokenArchive(f"its manifest is wrong ({error})") from None
    if kind is ArchiveKind.EXPORT and len(manifest.tenants) != 1:
        raise BrokenArchive(f"it has {len(manifest.tenants)} firms, but an export has one")
    return manifest


def describe(path: Path, manifest: Manifest) -> ArchiveReport:
    """Return the report on a file with this manifest."""
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        size = file.tell()
    return report(str(path), size, sha256, manifest)


def report(file: str, size: int, sha256: str, manifest: Manifest) -> ArchiveReport:
    """Return a command's report on an archive."""
    return ArchiveReport(
        file,
        size,
        sha256,
        manifest.moment,
        manifest.schema_revision,
        len(manifest.tenants),
        manifest.rows,
        manifest.files.files,
        manifest.files.missing,
        manifest.files.changed,
        manifest.keys,
    )
