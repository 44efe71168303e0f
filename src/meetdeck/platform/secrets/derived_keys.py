"""Keys of one purpose, derived from the installation's encryption keys: one reveals nothing about another's."""

from collections.abc import Sequence
from typing import Final

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

_KEY_BYTES: Final = 32


def derive_keys(keys: Sequence[bytes], purpose: bytes) -> tuple[bytes, ...]:
    """Return the key of a purpose for each of the installation's keys: the first one writes, all of them read."""
    return tuple(HKDF(SHA256(), _KEY_BYTES, salt=None, info=purpose).derive(key) for key in keys)
