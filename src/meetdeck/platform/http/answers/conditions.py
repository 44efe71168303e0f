"""Conditional requests (RFC 9110, section 13): entity tags, `If-Match` and `If-None-Match`.

The rules: docs/api.md#entity-tags.
"""

import re
from hashlib import sha256

import msgspec

from meetdeck.platform.errors import PreconditionFailed

_TAG = re.compile(r'(W/)?("[\x21\x23-\x7e\x80-\xff]*")')
_CODING = re.compile(r'(?<=[0-9a-f]{32})-(?:br|gzip)(?="$)')  # behind one of our own tags


class Stale(PreconditionFailed):
    """The resource is not in the state that the caller has seen."""

    code = "stale"

    def __init__(self) -> None:
        super().__init__("This was changed since you read it. Read it again, and repeat the change with its new ETag.")


class Conditions(msgspec.Struct, frozen=True):
    """The request's two headers, as received."""

    if_match: str | None = None
    if_none_match: str | None = None

    @property
    def must_be_new(self) -> bool:
        """Return whether the request is for something that must not exist yet (`If-None-Match: *`)."""
        return (self.if_none_match or "").strip() == "*"

    def is_known(self, tag: str) -> bool:
        """Return whether the caller has this representation already (`If-None-Match`, weak comparison)."""
        return self.if_none_match is not None and _names(self.if_none_match, tag, weak=True)

    def require_match(self, *tags: str) -> None:
        """Raise Stale when `If-Match` is given and names none of these representations (strong comparison)."""
        if self.if_match is not None and not any(_names(self.if_match, tag, weak=False) for tag in tags):
            raise Stale


def entity_tag(representation: bytes) -> str:
    """Return the strong entity tag of a representation."""
    return entity_tag_of(sha256(representation).digest())


def entity_tag_of(digest: bytes) -> str:
    """Return the strong entity tag of a representation with this SHA-256."""
    return f'"{digest.hex()[:32]}"'


def tag_in_coding(tag: str, coding: str) -> str:
    """Return the tag of a representation in a content coding, which has other bytes (RFC 9110, section 8.8.3.3)."""
    return f'{tag[:-1]}-{coding}"' if tag.endswith('"') else tag


def _names(header: str, tag: str, *, weak: bool) -> bool:
    """Return whether a header names a tag, in any coding: the resource's state is the same."""
    if header.strip() == "*":
        return True
    return any(_CODING.sub("", opaque) == tag and (weak or not mark) for mark, opaque in _TAG.findall(header))
