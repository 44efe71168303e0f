"""Seals of files that can be made again: a damaged one is noticed, and made anew."""

import hashlib
from typing import Final

_SEAL_BYTES: Final = hashlib.sha256().digest_size


def seal(made: bytes) -> bytes:
    """Return the content followed by its hash, which does not keep a viewer from opening the file."""
    return made + hashlib.sha256(made).digest()


def unseal(kept: bytes) -> bytes | None:
    """Return the content of a sealed file; None for one that is damaged or cut short."""
    made, mark = kept[:-_SEAL_BYTES], kept[-_SEAL_BYTES:]
    return made if hashlib.sha256(made).digest() == mark else None
