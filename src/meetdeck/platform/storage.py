"""Files: put, get, delete by key. A local folder by default, S3 and others by URL; nothing else knows which."""

from pathlib import Path

import obstore
from obstore.exceptions import BaseError
from obstore.store import LocalStore, ObjectStore, from_url

from meetdeck.platform.errors import SetupError, Unavailable


class StorageUnavailable(Unavailable):
    """The storage did not answer, or lost a file that a row names."""

    code = "storage_unavailable"


class Storage:
    """Immutable files by key; a key is written once with one content, so that writing it again is harmless."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store

    @classmethod
    def open(cls, *, url: str | None, folder: Path) -> "Storage":
        """Open the storage at `url` (`s3://bucket/prefix` …), or the local `folder`, which is made when missing."""
        try:
            if url is not None:
                return cls(from_url(url))
            folder.mkdir(parents=True, exist_ok=True)
            return cls(LocalStore(prefix=folder))
        except (OSError, BaseError) as error:
            reason = str(error).partition("\n")[0]  # the rest is obstore's debugging
            raise SetupError(f"The storage {url or folder} cannot be used: {reason}") from error

    async def put(self, key: str, content: bytes) -> None:
        """Store a file, whole; when this returns it is there."""
        try:
            await obstore.put_async(self._store, key, content)
        except (OSError, BaseError) as error:
            raise StorageUnavailable("The file storage cannot be written just now. Try again in a moment.") from error

    async def get(self, key: str) -> bytes:
        """Read a file, whole."""
        try:
            found = await obstore.get_async(self._store, key)
            return bytes(await found.bytes_async())
        except (OSError, BaseError) as error:
            raise StorageUnavailable("The file storage cannot be read just now. Try again in a moment.") from error
