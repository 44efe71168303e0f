"""Headers of an answer about its request: unknown names in the query, and the use of deprecated parts.

The rules: docs/api/index.md#unknown-names and docs/api/versions.md#deprecated.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, time
from email.utils import format_datetime
from typing import Any, Final
from urllib.parse import quote

from litestar import Request
from litestar.types import Scope

from meetdeck.platform.http.answers import AnyRequest
from meetdeck.platform.http.calls.callers import read_headers
from meetdeck.platform.http.calls.services import get_services
from meetdeck.platform.values import (
    Deprecation,
    Version,
    find_deprecated_parameters,
    find_empty_parameters,
    find_unknown_parameters,
    has_deprecated,
    refuse,
)

_IGNORED: Final = "ignored"
_STRICT: Final = "strict"
_DEPRECATED: Final = "deprecated"
_BELOW_V2: Final = f"/api/{Version.V2}/"
_POLICY: Final = "/docs/api/versions#deprecated"
_STRICT_HANDLING: Final = re.compile(rb'(?:^|,)\s*handling\s*=\s*"?strict"?\s*(?=[,;]|$)', re.IGNORECASE)


def wants_strict(scope: Scope) -> bool:
    """Return whether the caller wants unknown names and empty values refused (`Prefer: handling=strict`, RFC 7240)."""
    if read_headers(scope, b"prefer") == [None]:
        return False
    return any(name == b"prefer" and _STRICT_HANDLING.search(line) for name, line in scope["headers"])


def find_version(scope: Scope) -> Version:
    """Return the version of a request's address; v3 of an address without one."""
    return Version.V2 if scope["path"].startswith(_BELOW_V2) else Version.V3


def handle_unknown_parameters(scope: Scope) -> None:
    """Remember for the answer which parameters of the query are unknown.

    Raises InvalidInput for them, and for empty values that are not read, if the caller wants that.
    """
    strict = wants_strict(scope)
    if strict:
        scope["state"][_STRICT] = True
    if not scope["query_string"]:
        return
    request: AnyRequest = Request(scope)
    kind = request.route_handler.opt.get("query")
    unknown = find_unknown_parameters(request.query_params, kind, find_version(scope))
    if strict:
        refuse([*unknown, *(find_empty_parameters(request.query_params.dict(), kind) if kind else ())])
    scope["state"][_IGNORED] = [fault.pointer.removeprefix("/query/") for fault in unknown]


def note_deprecated(scope: Scope) -> None:
    """Remember for the answer whether the operation is deprecated, or a parameter of its query."""
    opt: Mapping[str, Any] = scope["route_handler"].opt
    if (deprecation := opt.get("deprecation")) is not None:
        note_deprecations(scope, [deprecation])
    if scope["query_string"] and (kind := opt.get("query")) is not None and has_deprecated(kind):
        request: AnyRequest = Request(scope)
        note_deprecations(scope, find_deprecated_parameters(request.query_params, kind))


def note_deprecations(scope: Scope, found: Iterable[Deprecation]) -> None:
    """Remember for the answer what a request used."""
    if used := [*found]:
        address = f"{get_services(scope).settings.base_url}{_POLICY}"
        before: tuple[str, list[Deprecation]] = scope["state"].get(_DEPRECATED, (address, []))
        scope["state"][_DEPRECATED] = (address, [*before[1], *used])


def _list_deprecation(address: str, used: list[Deprecation]) -> list[tuple[bytes, bytes]]:
    """Return the headers of RFC 9745 and RFC 8594: since the first date, gone from the first date on."""
    since = datetime.combine(min(one.since for one in used), time(), UTC)
    headers = [(b"deprecation", f"@{since.timestamp():.0f}".encode())]
    if ends := [one.gone for one in used if one.gone is not None]:
        end = format_datetime(datetime.combine(min(ends), time(), UTC), usegmt=True)
        headers.append((b"sunset", end.encode()))
    headers.append((b"link", f'<{address}>; rel="deprecation"; type="text/html"'.encode()))
    return headers


def list_handling(state: Mapping[str, Any]) -> list[tuple[bytes, bytes]]:
    """Return the headers that tell what was ignored or deprecated in a request, by its state."""
    headers = _list_deprecation(*state[_DEPRECATED]) if _DEPRECATED in state else []
    if ignored := state.get(_IGNORED):
        names = ", ".join(quote(name, safe="[]") for name in ignored)
        headers.append((b"meetdeck-ignored", names.encode()))
    if state.get(_STRICT):
        headers.append((b"preference-applied", b"handling=strict"))
    return headers
