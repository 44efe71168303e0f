"""Files by key."""

from meetdeck.platform.storage.files import (
    RESERVE_BYTES,
    FileMissing,
    FileStream,
    Storage,
    StorageUnavailable,
    StoredFile,
    digest_of,
    new_file_key,
)
from meetdeck.platform.storage.held_files import are_files_held, hold_files
from meetdeck.platform.storage.seals import seal, unseal

__all__ = [
    "RESERVE_BYTES",
    "FileMissing",
    "FileStream",
    "Storage",
    "StorageUnavailable",
    "StoredFile",
    "are_files_held",
    "digest_of",
    "hold_files",
    "new_file_key",
    "seal",
    "unseal",
]
