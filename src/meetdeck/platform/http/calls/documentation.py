"""Documents the parts of a handler that are in neither its signature nor `accepts`.

Requests do not use it: Litestar stores it in the handler's `opt`, for `openapi/operations.py`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from meetdeck.platform.values import Deprecation


def documents(
    *, repeatable: bool = False, replaces: bool = False, deprecated: Deprecation | None = None
) -> dict[str, Any]:
    """Return documentation of a request that its Structs do not show.

    `repeatable`: an `Idempotency-Key` counts, as always for 201. `replaces`: a POST replaces (200) an existing resource
    of the name, unless `If-None-Match: *` forbids it. `deprecated`: the operation will go, as every answer says.
    """
    return {"repeatable": repeatable, "replaces": replaces, "deprecation": deprecated}


def answers(
    *,
    stream_of: type[msgspec.Struct] | None = None,
    files: Sequence[str] = (),
    in_parts: bool = False,
    headers: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return an answer's documentation, beside the type that the handler returns.

    `stream_of` is the item of a streamed array, `files` the media types that may be answered instead, `headers` the
    answer's own, each with its meaning. `in_parts`: a file is answered in parts to `Range`, and has an `ETag`.
    """
    return {"stream_of": stream_of, "files": files, "in_parts": in_parts, "headers": headers or {}}
