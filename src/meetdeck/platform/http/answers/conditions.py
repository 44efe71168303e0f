"""Conditional requests (RFC 9110, section 13): entity tags, `If-Match` and `If-None-Match`.

The rules: docs/api/changes.md.
"""

import re
from collections.abc import Collection
from hashlib import sha256

import msgspec

from meetdeck.platform.errors import PreconditionFailed

_TAG = re.compile(r'(W/)?("[\x21\x23-\x7e\x80-\xff]*")')
_OBSERVED = re.compile(r'(?<=^")[0-9a-f]{32}\.(?=[0-9a-f]{32}"$)')  # before the digest of what callers can change
_CODING = re.compile(r'(?<=[0-9a-f]{32})-(?:br|gzip)(?="$)')  # behind one of our own tags


class Stale(PreconditionFailed):
    """The resource is not in the state that the caller has seen."""

    code = "stale"

    def __init__(self, current: str) -> None:
        super().__init__("This was changed since you read it. Read it again, and repeat the change with its new ETag.")
        self.current = current
        """The entity tag of the resource as it is now."""


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
        return self.if_none_match is not None and _names(self.if_none_match, tag)

    def require_match(self, *tags: str) -> None:
        """Raise Stale when `If-Match` is given and names none of these representations (strong comparison).

        The first is the one that the change would answer.
        Members that only the service observes are left out of the comparison: see `entity_tag`.
        """
        if self.if_match is not None and not any(_names_state(self.if_match, tag) for tag in tags):
            raise Stale(tags[0])


def entity_tag(representation: bytes, observed: Collection[str] = ()) -> str:
    """Return the strong entity tag of a representation in JSON, or of any file.

    `observed` are the members that change without a caller's doing, such as a status. With them the tag has two
    digests, of the whole and of the rest: `If-None-Match` compares both, and `If-Match` that of the rest.
    """
    tag = entity_tag_of(sha256(representation).digest())
    if not observed:
        return tag
    members: dict[str, msgspec.Raw] = msgspec.json.decode(representation, type=dict[str, msgspec.Raw])
    rest = msgspec.json.encode({name: value for name, value in members.items() if name not in observed})
    return f"{tag[:-1]}.{entity_tag_of(sha256(rest).digest())[1:]}"


def entity_tag_of(digest: bytes) -> str:
    """Return the strong entity tag of a representation with this SHA-256."""
    return f'"{digest.hex()[:32]}"'


def tag_in_coding(tag: str, coding: str) -> str:
    """Return the tag of a representation in a content coding, which has other bytes (RFC 9110, section 8.8.3.3)."""
    return f'{tag[:-1]}-{coding}"' if tag.endswith('"') else tag


def _names(header: str, tag: str) -> bool:
    """Return whether a header names a tag (weak comparison), in any coding."""
    return header.strip() == "*" or tag in (_CODING.sub("", opaque) for _, opaque in _TAG.findall(header))


def _names_state(header: str, tag: str) -> bool:
    """Return whether a header names a tag (strong comparison), in any coding and with any observed members."""
    state = _OBSERVED.sub("", tag)
    named = (_OBSERVED.sub("", _CODING.sub("", opaque)) for mark, opaque in _TAG.findall(header) if not mark)
    return header.strip() == "*" or state in named
