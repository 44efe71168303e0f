"""The version of a resource, which is its ETag."""

import hashlib
from typing import Final

import msgspec

_LENGTH: Final = 32


def make_version(state: object) -> str:
    """Return the weak ETag of a resource's state, which is any JSON value."""
    written = msgspec.json.encode(state, order="deterministic")
    return f'W/"{hashlib.sha256(written).hexdigest()[:_LENGTH]}"'
