"""The messages of the Model Context Protocol over HTTP, for both revisions that we speak; pure.

A client of revision 2026-07-28 names it in every request. One of 2025-06-18 agrees on it by `initialize`. Neither has
sessions: each request is answered by itself, as JSON.
"""

import base64
import binascii
import re
from collections.abc import Mapping
from enum import IntEnum
from http import HTTPStatus
from typing import Any, Final, NamedTuple, cast

import msgspec

STATELESS: Final = "2026-07-28"
HANDSHAKE: Final = "2025-06-18"
VERSIONS: Final = (STATELESS, HANDSHAKE)
_ASSUMED: Final = "2025-03-26"
"""The revision of a request without the header, as 2025-06-18 has it."""

_META: Final = "io.modelcontextprotocol/"
_VERSION_KEY: Final = f"{_META}protocolVersion"
_CAPABILITIES_KEY: Final = f"{_META}clientCapabilities"
_VERSION_HEADER: Final = "mcp-protocol-version"
_METHOD_HEADER: Final = "mcp-method"
_NAME_HEADER: Final = "mcp-name"
_ENCODED: Final = re.compile(r"=\?base64\?(?P<text>.*)\?=")

CALL_TOOL: Final = "tools/call"
LIST_TOOLS: Final = "tools/list"
DISCOVER: Final = "server/discover"
INITIALIZE: Final = "initialize"
PING: Final = "ping"


class Code(IntEnum):
    """The codes of JSON-RPC's errors."""

    PARSE_ERROR = -32700
    INVALID_REQUEST = -32600
    METHOD_NOT_FOUND = -32601
    INVALID_PARAMS = -32602
    HEADER_MISMATCH = -32020
    UNSUPPORTED_VERSION = -32022


class ProtocolError(Exception):
    """A message that the protocol does not allow; `message` says the remedy."""

    def __init__(self, code: Code, message: str, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
        self.request_id: str | int | None = None

    @property
    def status(self) -> HTTPStatus:
        """Return the HTTP status of the answer."""
        return HTTPStatus.NOT_FOUND if self.code is Code.METHOD_NOT_FOUND else HTTPStatus.BAD_REQUEST


class Message(NamedTuple):
    """A request; a notification has no id."""

    request_id: str | int | None
    method: str
    params: dict[str, Any]
    is_stateless: bool
    """True if it is of revision 2026-07-28."""

    @property
    def is_notification(self) -> bool:
        """Return whether no answer is expected."""
        return self.request_id is None

    def refuse(self, text: str) -> ProtocolError:
        """Return the error for parameters that cannot be used."""
        error = ProtocolError(Code.INVALID_PARAMS, text)
        error.request_id = self.request_id
        return error


def read_message(body: bytes, headers: Mapping[str, str]) -> Message:
    """Return the message of a body; the names of headers are in lower case. Raises ProtocolError."""
    envelope = _read_envelope(body)
    request_id, params = envelope.get("id"), envelope.get("params", {})
    message = Message(request_id, envelope["method"], params, _is_stateless(headers, params))
    try:
        if message.is_stateless:
            _check_stateless(message, headers)
        else:
            _check_version_header(headers)
    except ProtocolError as error:
        error.request_id = request_id
        raise
    return message


def _read_envelope(body: bytes) -> dict[str, Any]:
    try:
        sent = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise ProtocolError(Code.PARSE_ERROR, "The body is not JSON.") from None
    if not isinstance(sent, dict):
        raise ProtocolError(
            Code.INVALID_REQUEST, "Send one JSON-RPC request or notification; batches are not accepted."
        )
    envelope = cast("dict[str, Any]", sent)
    has_id = "id" in envelope
    valid = (
        envelope.get("jsonrpc") == "2.0"
        and isinstance(envelope.get("method"), str)
        and isinstance(envelope.get("params", {}), dict)
        and (not has_id or (isinstance(envelope["id"], str | int) and not isinstance(envelope["id"], bool)))
    )
    if not valid:
        raise ProtocolError(
            Code.INVALID_REQUEST,
            'Send {"jsonrpc": "2.0", "id": …, "method": "…", "params": {…}}; a notification has no id.',
        )
    return envelope


def _is_stateless(headers: Mapping[str, str], params: Mapping[str, Any]) -> bool:
    """Return whether a request is of revision 2026-07-28: its body or its header says so."""
    return headers.get(_VERSION_HEADER) == STATELESS or _VERSION_KEY in _read_meta(params)


def _read_meta(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a request says of itself; an empty object for none."""
    meta = params.get("_meta")
    return cast("dict[str, Any]", meta) if isinstance(meta, dict) else {}


def _check_version_header(headers: Mapping[str, str]) -> None:
    requested = headers.get(_VERSION_HEADER, _ASSUMED)
    if requested not in {HANDSHAKE, _ASSUMED}:
        raise _refuse_version(requested)


def _check_stateless(message: Message, headers: Mapping[str, str]) -> None:
    """Raise ProtocolError unless the request names its revision, and its headers repeat its body."""
    if message.is_notification:
        return
    meta = _read_meta(message.params)
    missing = [key for key in (_VERSION_KEY, _CAPABILITIES_KEY) if key not in meta]
    if missing:
        raise ProtocolError(Code.INVALID_PARAMS, f"params._meta must be an object with {' and '.join(missing)}.")
    expected = {_VERSION_HEADER: meta[_VERSION_KEY], _METHOD_HEADER: message.method}
    if message.method == CALL_TOOL and message.params.get("name") is not None:
        expected[_NAME_HEADER] = message.params["name"]
    for name, value in expected.items():
        if _decode(headers.get(name)) != value:
            raise ProtocolError(Code.HEADER_MISMATCH, f"The header {name} does not repeat the body's {value!r}.")
    if meta[_VERSION_KEY] != STATELESS:
        raise _refuse_version(meta[_VERSION_KEY])


def _decode(value: str | None) -> str | None:
    """Return the text of a header, which is in Base64 where a header cannot carry it; None for a broken one."""
    encoded = _ENCODED.fullmatch(value) if value is not None else None
    if encoded is None:
        return value
    try:
        return base64.b64decode(encoded["text"], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def _refuse_version(requested: str) -> ProtocolError:
    return ProtocolError(
        Code.UNSUPPORTED_VERSION,
        f"This service speaks {' and '.join(VERSIONS)}, not {requested}.",
        {"supported": list(VERSIONS), "requested": requested},
    )


class Described(NamedTuple):
    """The server as it introduces itself: `info` has its name and version."""

    info: Mapping[str, Any]
    instructions: str
    tools: list[dict[str, Any]]


_CAPABILITIES: Final[Mapping[str, Any]] = {"tools": {"listChanged": False}}
_LASTS_MS: Final = 3_600_000


def answer_protocol(message: Message, server: Described) -> dict[str, Any]:
    """Return the result of each method but the call of a tool. Raises ProtocolError."""
    cached = {"ttlMs": _LASTS_MS, "cacheScope": "private"} if message.is_stateless else {}
    if message.method == LIST_TOOLS:
        return {"tools": server.tools, **cached}
    if message.is_stateless and message.method == DISCOVER:
        return {
            "supportedVersions": [STATELESS],
            "capabilities": _CAPABILITIES,
            "instructions": server.instructions,
            **cached,
        }
    if not message.is_stateless and message.method == INITIALIZE:
        return {
            "protocolVersion": HANDSHAKE,
            "capabilities": _CAPABILITIES,
            "serverInfo": server.info,
            "instructions": server.instructions,
        }
    if not message.is_stateless and message.method == PING:
        return {}
    raise ProtocolError(Code.METHOD_NOT_FOUND, f"There is no method {message.method} here.")


def write_result(message: Message, result: Mapping[str, Any], server: Described) -> bytes:
    """Return the body of an answer."""
    told = {"resultType": "complete", "_meta": {f"{_META}serverInfo": server.info}} if message.is_stateless else {}
    return msgspec.json.encode({"jsonrpc": "2.0", "id": message.request_id, "result": {**result, **told}})


def write_error(error: ProtocolError) -> bytes:
    """Return the body of an answer to a message that the protocol does not allow."""
    told: dict[str, Any] = {"code": int(error.code), "message": error.message}
    if error.data is not None:
        told["data"] = error.data
    return msgspec.json.encode({"jsonrpc": "2.0", "id": error.request_id, "error": told})
