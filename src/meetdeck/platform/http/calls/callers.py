"""The caller of a request, remembered until it is answered, and the headers that they sent."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from litestar.types import Scope

_CALLER: Final = "caller"
_HEADERS: Final = "headers"


def note_caller(scope: Scope, tenant_id: UUID, key_digest: bytes) -> None:
    """Remember the firm and the subscription key of a request until it is answered."""
    scope["state"][_CALLER] = tenant_id, key_digest


def read_headers(scope: Scope, *names: bytes) -> list[str | None]:
    """Return the first line of each header, None for one that was not sent. Names are in small letters."""
    first: dict[bytes, bytes] | None = scope["state"].get(_HEADERS)
    if first is None:
        first = scope["state"][_HEADERS] = dict(reversed([*scope["headers"]]))
    return [None if (line := first.get(name)) is None else line.decode("latin-1") for name in names]


def find_caller(state: Mapping[str, Any]) -> tuple[UUID, bytes] | None:
    """Return the firm and key that `note_caller` remembered, if any."""
    return state.get(_CALLER)
