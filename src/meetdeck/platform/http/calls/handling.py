"""Unknown names: the answer tells of those in the query, and callers who ask for it are refused.

The rules: docs/api/index.md#unknown-names.
"""

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from litestar import Request
from litestar.types import Scope

from meetdeck.platform.http.answers import AnyRequest
from meetdeck.platform.values import Version, find_unknown_parameters, refuse

_IGNORED: Final = "ignored"
_STRICT: Final = "strict"
_STRICT_HANDLING: Final = re.compile(rb'(?:^|,)\s*handling\s*=\s*"?strict"?\s*(?=[,;]|$)', re.IGNORECASE)


def wants_strict(scope: Scope) -> bool:
    """Return whether the caller wants unknown names refused (`Prefer: handling=strict`, RFC 7240)."""
    return any(name == b"prefer" and _STRICT_HANDLING.search(line) for name, line in scope["headers"])


def find_version(request: AnyRequest) -> Version:
    """Return the version of a request's address; v3 of an address without one."""
    return Version.V2 if request.scope["path"].startswith(f"/api/{Version.V2}/") else Version.V3


def handle_unknown_parameters(scope: Scope) -> None:
    """Remember for the answer which parameters of the query are not read. Raises InvalidInput if that is wanted."""
    strict = wants_strict(scope)
    if strict:
        scope["state"][_STRICT] = True
    if not scope["query_string"]:
        return
    request: AnyRequest = Request(scope)
    kind = request.route_handler.opt.get("query")
    unknown = find_unknown_parameters(request.query_params, kind, find_version(request))
    if strict:
        refuse(unknown)
    scope["state"][_IGNORED] = [fault.pointer.removeprefix("/query/") for fault in unknown]


def list_handling(state: Mapping[str, Any]) -> list[tuple[bytes, bytes]]:
    """Return the headers that tell which parameters were ignored, or that none would be, by a request's state."""
    headers: list[tuple[bytes, bytes]] = []
    if ignored := state.get(_IGNORED):
        names = ", ".join(quote(name, safe="[]") for name in ignored)
        headers.append((b"meetdeck-ignored", names.encode()))
    if state.get(_STRICT):
        headers.append((b"preference-applied", b"handling=strict"))
    return headers
