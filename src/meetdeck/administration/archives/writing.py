"""Writing an archive: a compressed tar whose members are complete before they are added, with the manifest last."""

import fcntl
import hashlib
import os
import sys
import tarfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Protocol, Self

import msgspec
from isal import igzip

from meetdeck.administration.archives.schemas import MANIFEST, Manifest
from meetdeck.platform.errors import SetupError

STDOUT: Final = Path("-")
_BLOCK_BYTES: Final = 256 * 1024
_LEVEL: Final = 1
_CLOSED: Final = 0o600


class _Sink(Protocol):
    def write(self, data: bytes, /) -> object: ...


class _DigestingFile:
    """An append-only file that counts its size and its SHA-256."""

    def __init__(self, sink: _Sink) -> None:
        self._sink = sink
        self.bytes = 0
        self.sha256 = hashlib.sha256()
        self.is_given_up = False

    def write(self, data: bytes) -> int:
        if self.is_given_up:
            return len(data)
        self._sink.write(data)
        self.bytes += len(data)
        self.sha256.update(data)
        return len(data)

    def flush(self) -> None:
        """Leave flushing to the file's owner."""


class ArchiveWriter:
    """Adds members to an archive, one after the other, in constant memory; a context manager."""

    def __init__(self, sink: _Sink, *, at: float) -> None:
        """`at` is the time of all members, in seconds since 1970."""
        self._at = at
        self._counting = _DigestingFile(sink)
        self._gzip = igzip.IGzipFile(fileobj=self._counting, mode="wb", compresslevel=_LEVEL, mtime=0)
        self._tar = tarfile.open(  # noqa: SIM115 - closed by `finish`
            fileobj=self._gzip, mode="w|", format=tarfile.PAX_FORMAT, bufsize=_BLOCK_BYTES
        )
        self._list = hashlib.sha256()
        self.members = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._counting.is_given_up = True  # buffered data of an unfinished archive is not written
        self._tar.close()
        self._gzip.close()

    @property
    def listed_sha256(self) -> str:
        """Return the SHA-256 of the list of members so far."""
        return self._list.hexdigest()

    @property
    def size(self) -> int:
        """Return the number of bytes written so far."""
        return self._counting.bytes

    @property
    def sha256(self) -> str:
        """Return the SHA-256 of the bytes written so far."""
        return self._counting.sha256.hexdigest()

    def add(self, name: str, content: bytes) -> None:
        """Add a member that is in memory."""
        self.add_file(name, BytesIO(content), len(content), hashlib.sha256(content).hexdigest())

    def add_file(self, name: str, content: IO[bytes], size: int, sha256: str, *, key: str = "") -> None:
        """Add a member that is read from its beginning; `key` is that of a stored file."""
        member = tarfile.TarInfo(name)
        member.size, member.mtime, member.mode = size, self._at, _CLOSED
        member.pax_headers = {"comment": f"{sha256} {key}"}  # a keyword that no other tar uses
        self._tar.addfile(member, content)
        forget_members(self._tar)
        self._list.update(f"{sha256} {size} {name}\n".encode())
        self.members += 1

    def finish(self, manifest: Manifest) -> None:
        """Add the manifest and end the archive."""
        self.add(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=1))
        self._tar.close()
        self._gzip.close()


def forget_members(tar: tarfile.TarFile) -> None:
    """Empty tarfile's list of members, which grows with the archive."""
    untyped: Any = tar
    untyped.members.clear()


@contextmanager
def open_target(path: Path) -> Generator[IO[bytes]]:
    """Yield a file beside `path` that gets its name when the block succeeds; it is synced, and only we can read it.

    `-` is stdout. Raises SetupError if it cannot be written, or another process is writing it.
    """
    if path == STDOUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    unfinished = path.with_name(f"{path.name}.unfinished")
    try:
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT, _CLOSED)
    except OSError as error:
        raise SetupError(
            f"{path} cannot be written ({error.strerror}). Choose a folder that you can write to."
        ) from error
    with os.fdopen(handle, "wb") as file:
        _take(handle, unfinished)
        try:
            yield file
            file.flush()
            os.fsync(handle)
        except OSError as error:
            unfinished.unlink(missing_ok=True)
            raise SetupError(f"{path} could not be written ({error.strerror or error}); nothing was kept.") from error
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
        unfinished.replace(path)
    _sync_folder(path.parent)


def _take(handle: int, unfinished: Path) -> None:
    """Empty a file that a killed process may have left. Raises SetupError while another process writes it."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise SetupError(f"Another process is writing {unfinished}. Wait for it, or choose another file.") from error
    os.fchmod(handle, _CLOSED)
    os.ftruncate(handle, 0)


def _sync_folder(folder: Path) -> None:
    with suppress(OSError):  # some file systems have no such thing
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
