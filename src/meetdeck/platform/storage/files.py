"""Files by key: a local folder by default, S3 and others by URL; nothing else knows the difference."""

import errno
import hashlib
import os
import re
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, NamedTuple
from uuid import UUID, uuid4

import obstore
import structlog
from obstore.exceptions import BaseError
from obstore.store import LocalStore, ObjectStore, from_url
from prometheus_client import Counter

from meetdeck.platform.errors import SetupError, Unavailable
from meetdeck.platform.process import count_free_bytes
from meetdeck.platform.process.threads import run_in_thread
from meetdeck.platform.process.tracing import WorkKind, measure, measured

if TYPE_CHECKING:  # obstore has these for type checkers alone
    from obstore import GetOptions, GetResult
    from obstore.store import ClientConfig, RetryConfig

_ERRORS: Final = Counter("meetdeck_storage_errors", "Failures of the file storage.", ["operation"])
_STORAGE: Final = WorkKind("storage", calls_out=True)

_PART_BYTES: Final = 5 * 1024 * 1024  # the smallest that S3 takes
_PART_BYTES_OF_FOLDER: Final = 1024 * 1024
_PARTS_AT_ONCE: Final = 2  # an upload holds some more in memory

# An unreachable storage is noticed within seconds; a slow one is waited for as long as bytes move.
_CLIENT: Final["ClientConfig"] = {
    "connect_timeout": timedelta(seconds=3),
    "timeout": timedelta(hours=1),  # of a whole download, which is as slow as the caller's line
}
_SILENCE: Final = timedelta(seconds=8)
_RETRY: Final["RetryConfig"] = {
    "max_retries": 3,
    "retry_timeout": timedelta(seconds=5),
    "backoff": {"init_backoff": timedelta(milliseconds=100), "max_backoff": timedelta(seconds=1), "base": 2},
}
RESERVE_BYTES: Final = 32 * 1024 * 1024
"""The room that uploads leave free on the disk of a local folder: with less, bookings would be refused, too."""
_CHUNK_BYTES: Final = 256 * 1024
_PAGE: Final = 1_000  # as S3 lists, and as it deletes

# Written at each start and read by each readiness check: a storage without it is not the one that we started with.
_MARKER: Final = "meetdeck-storage"
_MARKER_TEXT: Final = b"Meetdeck keeps its files here. This one shows that they can be written and read.\n"

_UNFINISHED: Final = re.compile(r"#\d+$")  # what an upload into a folder is called until it is whole
_S3_REFUSAL: Final = re.compile(r"<Code>(?P<code>\w+)</Code>(?:\s*<Message>(?P<message>[^<]*)</Message>)?")

log = structlog.stdlib.get_logger()


def new_file_key(tenant_id: UUID) -> str:
    """Return the key of a new file of a tenant, for one row alone: no later row ever names it.

    So a file that no row names, some time after it was written, is needed by nobody and never will be.
    """
    return f"{tenant_id}/files/{uuid4()}"


def digest_of(content: bytes) -> bytes:
    """Return the SHA-256 of a file, by which equal files are recognized."""
    return hashlib.sha256(content).digest()


class StorageUnavailable(Unavailable):
    """The storage does not answer, or refuses us."""

    code = "storage_unavailable"


class FileMissing(StorageUnavailable):
    """The storage answers, but lacks a file that it should have."""

    code = "file_missing"

    def __init__(self) -> None:
        super().__init__("The file is not in storage: it was just deleted, or lost when a backup was restored.")


class StoredFile(NamedTuple):
    """A file as the storage lists it; `modified_at` is aware UTC, by the storage's clock."""

    key: str
    size_bytes: int
    modified_at: datetime


class FileStream(NamedTuple):
    """A file, or a range of one, that is read while it is sent: `size_bytes` are read.

    Iterating over `chunks` may raise StorageUnavailable.
    """

    size_bytes: int
    chunks: AsyncGenerator[bytes]


class Storage:
    """Immutable files by key: a key is written once, or again with the same content."""

    def __init__(self, store: ObjectStore, *, name: str) -> None:
        self._store = store
        self._name = name
        self._folder = store.prefix if isinstance(store, LocalStore) else None
        self.refused_writes = 0
        """The number of times that a file could not be written."""
        self._part_bytes = _PART_BYTES if self._folder is None else _PART_BYTES_OF_FOLDER

    @classmethod
    def open(
        cls, *, url: str | None, folder: Path, allow_http: bool = False, silence: timedelta = _SILENCE
    ) -> "Storage":
        """Return the storage at `url` (`s3://bucket/prefix` …), or the local `folder`, which is created if missing.

        `allow_http`: the storage's address may be plain `http://`. A storage that sends nothing for as long as
        `silence` is unavailable. Raises SetupError for an invalid `url`.
        """
        try:
            if url is not None:
                client: ClientConfig = {**_CLIENT, "read_timeout": silence, "allow_http": allow_http}
                return cls(from_url(url, client_options=client, retry_config=_RETRY), name=url)
            folder.mkdir(parents=True, exist_ok=True)
            return cls(LocalStore(prefix=folder, automatic_cleanup=True), name=str(folder))
        except (OSError, ValueError, BaseError) as error:
            raise SetupError(f"The storage {url or folder} cannot be used: {_explain(error)}") from error

    async def require_usable(self) -> None:
        """Write a file and read it. Raises SetupError with the storage's message on failure."""
        with self._explaining():
            await self.put(_MARKER, _MARKER_TEXT)
            await self.check()

    async def try_out(self) -> bool:
        """Write, read and delete a file of another name; return whether this storage was ever served from.

        Files of a running service stay unchanged. Raises SetupError as above.
        """
        key = f"{_MARKER}-{uuid4()}"
        with self._explaining():
            await self.put(key, _MARKER_TEXT)
            await self.get(key)
            await self.delete([key])
            return await self.find(_MARKER) is not None

    @contextmanager
    def _explaining(self) -> Generator[None]:
        """Raise StorageUnavailable as SetupError with the storage's message."""
        try:
            yield
        except StorageUnavailable as error:
            raise SetupError(
                f"The storage {self._name} cannot be used: {_explain(error.__cause__ or error)}"
            ) from error

    async def check(self) -> None:
        """Raise StorageUnavailable unless the storage that `require_usable` wrote to answers."""
        await self.get(_MARKER)

    async def put(self, key: str, content: bytes | IO[bytes]) -> None:
        """Store a file, whole or not at all; when this returns it is durable.

        A file object is read from its position, in parts and in another thread; memory stays flat.
        """
        with measure("storage write", _STORAGE), self._counting_refusals():
            self._keep_reserve(content)
            await obstore.put_async(
                self._store, key, content, chunk_size=self._part_bytes, max_concurrency=_PARTS_AT_ONCE
            )
            if self._folder is not None:
                await run_in_thread(_make_durable, self._folder / key)

    @contextmanager
    def _counting_refusals(self) -> Generator[None]:
        try:
            with _refusals("written"):
                yield
        except StorageUnavailable:
            self.refused_writes += 1
            raise

    def _keep_reserve(self, content: bytes | IO[bytes]) -> None:
        """Raise OSError if a folder's disk would be left without a reserve: a database may be on it."""
        if self._folder is not None and count_free_bytes(self._folder) < _count_bytes(content) + RESERVE_BYTES:
            raise OSError(errno.ENOSPC, f"the disk would have less than {RESERVE_BYTES >> 20} MiB left")

    async def require_writable(self) -> None:
        """Raise StorageUnavailable unless a file can be written."""
        with self._counting_refusals():
            await obstore.put_async(self._store, _MARKER, _MARKER_TEXT)

    async def get(self, key: str) -> bytes:
        """Return a whole file. Raises FileMissing."""
        content = await self.find(key)
        if content is None:
            raise FileMissing
        return content

    async def find(self, key: str) -> bytes | None:
        """Return a whole file; None without one."""
        with measure("storage read", _STORAGE), _refusals("read"):
            found = await self._find(key)
            return None if found is None else bytes(await found.bytes_async())

    async def open_stream(self, key: str, part: range | None = None) -> FileStream:
        """Return a file, or its bytes `part`, as a stream of chunks.

        Raises FileMissing and StorageUnavailable, before the first chunk.
        """
        options: GetOptions = {} if part is None else {"range": (part.start, part.stop)}
        found = await measured(self._find(key, options), "storage open", _STORAGE)
        if found is None:
            raise FileMissing
        begin, end = found.range
        return FileStream(end - begin, _read_chunks(found))

    async def _find(self, key: str, options: "GetOptions | None" = None) -> "GetResult | None":
        with _refusals("read"):
            try:
                return await obstore.get_async(self._store, key, options=options)
            except FileNotFoundError as error:
                _require_bucket(error)
                return None

    async def list_folders(self) -> list[str]:
        """Return the first segments of all keys."""
        with _refusals("listed"):
            found = await obstore.list_with_delimiter_async(self._store)
            return [folder.rstrip("/") for folder in found["common_prefixes"]]

    async def list_pages(self, folder: str) -> AsyncGenerator[list[StoredFile]]:
        """Yield the files below a folder, at most a thousand at a time, in no reliable order."""
        pages = aiter(obstore.list(self._store, folder, chunk_size=_PAGE))
        while True:
            with _refusals("listed"):
                page = await anext(pages, None)
            if page is None:
                return
            yield [StoredFile(file["path"], file["size"], file["last_modified"]) for file in page]

    async def delete(self, keys: Sequence[str]) -> None:
        """Delete files; a missing one is not an error."""
        with _refusals("written"):
            try:
                await measured(obstore.delete_async(self._store, keys), "storage delete", _STORAGE)
            except FileNotFoundError as error:  # a folder says so, a bucket does not
                _require_bucket(error)
                if len(keys) > 1:
                    for key in keys:
                        await self.delete([key])

    async def delete_unfinished(self, folder: str, before: datetime) -> int:
        """Delete the remains of killed uploads below a local `folder`; return how many.

        A bucket has a lifecycle rule for these, and no list shows them.
        """
        if self._folder is None:
            return 0
        with _refusals("written"):
            return await run_in_thread(_delete_unfinished, self._folder / folder, before)


async def _read_chunks(found: "GetResult") -> AsyncGenerator[bytes]:
    chunks = aiter(found.stream(_CHUNK_BYTES))
    while True:
        with _refusals("read"):
            chunk = await anext(chunks, None)
        if chunk is None:
            return
        yield chunk


@contextmanager
def _refusals(done: str) -> Generator[None]:
    """Raise the storage's errors as StorageUnavailable, and log them."""
    try:
        yield
    except (OSError, BaseError) as error:
        _ERRORS.labels(done).inc()
        log.warning("storage unavailable", error=_explain(error))
        raise StorageUnavailable(
            f"The file storage cannot be {done} at the moment. Try again shortly.", retry_after_seconds=5
        ) from error


def _require_bucket(error: FileNotFoundError) -> None:
    """Raise the error again if it is about a missing bucket."""
    if "NoSuchBucket" in str(error):
        raise error


def _explain(error: BaseException) -> str:
    """Return a storage's error of many lines in one."""
    text = str(error)
    if refusal := _S3_REFUSAL.search(text):
        return f"{refusal['code']}. {refusal['message'] or ''}".rstrip()
    if "builder error" in text:
        return "its address is plain http://; if that is meant, set MEETDECK_STORAGE_ALLOW_HTTP=true"
    return text.partition("\n")[0]  # the rest is obstore's debugging


def _count_bytes(content: bytes | IO[bytes]) -> int:
    if isinstance(content, bytes):
        return len(content)
    begin = content.tell()
    size = content.seek(0, os.SEEK_END) - begin
    content.seek(begin)
    return size


def _make_durable(path: Path) -> None:
    """Flush a file and its name to the disk: a committed row must not outlive its file."""
    for durable in (path, path.parent):
        handle = os.open(durable, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _delete_unfinished(folder: Path, before: datetime) -> int:
    deleted = 0
    for parent, _, names in os.walk(folder):
        for path in (Path(parent, name) for name in names if _UNFINISHED.search(name)):
            with suppress(FileNotFoundError):  # finished meanwhile
                if datetime.fromtimestamp(path.stat().st_mtime, UTC) < before:
                    path.unlink()
                    deleted += 1
    return deleted
