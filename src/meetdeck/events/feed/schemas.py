"""The feed's query, cursors and answer (docs/events.md#feed)."""

import base64
import binascii
import hashlib
from fnmatch import fnmatchcase
from typing import Annotated, Final
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.events.schemas import ShownEvent
from meetdeck.platform.changes import EventType
from meetdeck.platform.errors import Fault
from meetdeck.platform.values import InvalidInput

LATEST: Final = "latest"
LONGEST_WAIT_SECONDS: Final = 30
_POSITION_BYTES: Final = 8
_CHECK_BYTES: Final = 8


class FeedQuery(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """GET /events."""

    after: Annotated[
        str | None,
        Meta(description="The `next` of the previous answer; `latest` starts at the end. Default: all kept events."),
    ] = None
    types: Annotated[
        list[str],
        Meta(description="Only these types; `meeting.*` is every type of meetings."),
    ] = []
    limit: Annotated[int, Meta(ge=1, le=1_000, description="The maximum number of events.")] = 100
    wait: Annotated[
        int,
        Meta(
            ge=0,
            le=LONGEST_WAIT_SECONDS,
            description="Seconds to wait for an event if there is none yet.",
        ),
    ] = 0


class FeedPage(msgspec.Struct, frozen=True, kw_only=True):
    """Events in the feed's order."""

    items: list[ShownEvent]
    """The events; empty if there are none yet."""
    next: str
    """The `after` of the next request; also in an answer without events."""


def list_types(patterns: list[str], pointer: str) -> list[str] | None:
    """Return the types that patterns name, None for all types. Raises InvalidInput."""
    if not patterns:
        return None
    known = [one.value for one in EventType]
    found: list[str] = []
    for pattern in patterns:
        named = [one for one in known if fnmatchcase(one, pattern)] if pattern.endswith(".*") else [pattern]
        if not named or not {*named} <= {*known}:
            detail = f"There is no type {pattern}. There are: {', '.join(known)}; and meeting.* for all of meetings."
            raise InvalidInput(detail, faults=(Fault(pointer, "No such type."),))
        found += named
    return list(dict.fromkeys(found))


def write_cursor(tenant_id: UUID, position: int) -> str:
    """Return the cursor behind a position in a tenant's feed."""
    raw = position.to_bytes(_POSITION_BYTES)
    return base64.urlsafe_b64encode(raw + _check(tenant_id, raw)).rstrip(b"=").decode()


def read_cursor(tenant_id: UUID, cursor: str) -> int:
    """Return the position of a cursor of this tenant. Raises InvalidInput for any other text."""
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raw = b""
    position, check = raw[:_POSITION_BYTES], raw[_POSITION_BYTES:]
    if check != _check(tenant_id, position):
        detail = (
            "This is not a position in the feed: send the `next` of a response unchanged, or `latest`, or leave it out."
        )
        raise InvalidInput(f"after: {detail}", faults=(Fault("/query/after", detail),))
    return int.from_bytes(position)


def _check(tenant_id: UUID, position: bytes) -> bytes:
    """Return a check value that distinguishes the cursors of different feeds; it is not secret and protects nothing."""
    return hashlib.blake2b(position, key=tenant_id.bytes, digest_size=_CHECK_BYTES).digest()
