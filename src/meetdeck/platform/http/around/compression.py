"""Compressed answers (docs/api/index.md#compression): by `Accept-Encoding`, streamed ones piece by piece.

Which answers, with which tags, and why their secrets are safe: docs/decisions/0082.
"""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Final

from litestar.types import ASGIApp, HTTPResponseBodyEvent, HTTPResponseStartEvent, Message, Receive, Scope, Send

from meetdeck.platform.http.answers import tag_in_coding
from meetdeck.platform.http.around.codings import CODINGS, Encoder, choose_coding, make_encoder
from meetdeck.platform.process.threads import Threads

LEAST_BYTES: Final = 1024
"""The size from which an answer is compressed; one of unknown length always is."""

# Up to this size the event loop compresses, in at most 0.2 ms; larger answers go to a thread, 0.1 ms of waiting.
_MOST_IN_LOOP: Final = 32 * 1024
_ANSWERS: Final = Threads("answers", size=1, waiting=100_000)
"""A single thread: otherwise one caller's large answers would take all processors from the others."""

_COMPRESSIBLE: Final = frozenset({b"application/json", b"application/xml", b"application/javascript", b"image/svg+xml"})
_WHOLE_OR_PART: Final = frozenset({HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT})
_BODILESS: Final = frozenset({HTTPStatus.NO_CONTENT, HTTPStatus.PARTIAL_CONTENT, HTTPStatus.NOT_MODIFIED})

_VARY: Final = (b"vary", b"Accept-Encoding")

Headers = Iterable[tuple[bytes, bytes]]


class Compression:
    """The layer of the application that compresses answers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif scope["method"] == "GET" and _read(scope["headers"], b"if-none-match").strip() == "*":
            # The tag of such a 304 depends on the length of the answer that it replaces.
            asked = [each for each in scope["headers"] if each[0] != b"if-none-match"]
            whole: Scope = {**scope, "headers": asked}
            await self._app(whole, receive, _Answer(_NotModifiedSender(send).send, asked).send)
        else:
            await self._app(scope, receive, _Answer(send, scope["headers"]).send)


class _NotModifiedSender:
    """Sends an answer that has a tag without its body, as unchanged (304); any other unchanged."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._is_unchanged = False

    async def send(self, message: Message) -> None:
        """Send a message of the answer."""
        if message["type"] == "http.response.start":
            headers = dict(message["headers"])
            self._is_unchanged = message["status"] in _WHOLE_OR_PART and b"etag" in headers
            if self._is_unchanged:
                message["status"] = HTTPStatus.NOT_MODIFIED
                message["headers"] = [each for each in message["headers"] if not each[0].startswith(b"content-")]
        elif message["type"] == "http.response.body" and self._is_unchanged:
            if message.get("more_body", False):
                return
            message["body"] = b""
        await self._send(message)


class _Answer:
    """An answer on its way: uncompressed, or compressed whole, or piece by piece."""

    def __init__(self, send: Send, asked: Headers) -> None:
        self._send = send
        self._asked = asked
        self._held: HTTPResponseStartEvent | None = None
        """The head of an answer whose length is only known when its body is compressed."""
        self._coding = ""
        self._encoder: Encoder | None = None

    async def send(self, message: Message) -> None:
        """Send a message of the answer."""
        if message["type"] == "http.response.start":
            await self._begin(message)
        elif message["type"] == "http.response.body" and self._encoder is not None:
            await self._go_on(message, self._encoder)
        else:
            await self._send(message)

    async def _begin(self, start: HTTPResponseStartEvent) -> None:
        headers = dict(start["headers"])
        if start["status"] == HTTPStatus.NOT_MODIFIED:
            start["headers"] = _keep_callers_tag(headers, _read(self._asked, b"if-none-match"))
        elif start["status"] not in _BODILESS and _is_compressible(headers):
            start["headers"] = _vary(start["headers"]) if b"vary" in headers else [*start["headers"], _VARY]
            self._choose(headers)
        if self._encoder is None:
            await self._send(start)
        elif b"content-length" in headers:
            self._held = start
        else:
            await self._send(_mark(start, self._coding, None))

    def _choose(self, headers: dict[bytes, bytes]) -> None:
        coding = choose_coding(_read(self._asked, b"accept-encoding"))
        if coding is not None and int(headers.get(b"content-length", LEAST_BYTES)) >= LEAST_BYTES:
            self._coding, self._encoder = coding, make_encoder(coding)

    async def _go_on(self, message: HTTPResponseBodyEvent, encoder: Encoder) -> None:
        piece, is_last = message["body"], not message.get("more_body", False)
        if not piece and not is_last and self._held is None:
            return
        if len(piece) > _MOST_IN_LOOP:
            packed = await _ANSWERS.run(None, lambda _: encoder.encode(piece, is_last=is_last))
        else:
            packed = encoder.encode(piece, is_last=is_last)
        if self._held is not None:
            held, self._held = self._held, None
            await self._send(_mark(held, self._coding, len(packed) if is_last else None))
        await self._send({"type": "http.response.body", "body": packed, "more_body": not is_last})


def _is_compressible(headers: dict[bytes, bytes]) -> bool:
    """Return whether an answer is text of some kind, is not compressed yet, and is not answered in parts."""
    media_type = headers.get(b"content-type", b"").split(b";", 1)[0].strip().lower()
    is_text = media_type in _COMPRESSIBLE or media_type.startswith(b"text/") or media_type.endswith(b"+json")
    return is_text and b"accept-ranges" not in headers and b"content-encoding" not in headers


def _read(headers: Headers, name: bytes) -> str:
    """Return a header whose lines are one list (RFC 9110, section 5.3)."""
    return ",".join(value.decode("latin-1") for each, value in headers if each == name)


def _mark(start: HTTPResponseStartEvent, coding: str, size_bytes: int | None) -> HTTPResponseStartEvent:
    """Return the head of an answer for its compressed form."""
    headers = [(name, value) for name, value in start["headers"] if name not in {b"content-length", b"etag"}]
    headers += [
        (name, tag_in_coding(value.decode("latin-1"), coding).encode("latin-1"))
        for name, value in start["headers"]
        if name == b"etag"
    ]
    headers.append((b"content-encoding", coding.encode()))
    if size_bytes is not None:
        headers.append((b"content-length", str(size_bytes).encode()))
    return {"type": "http.response.start", "status": start["status"], "headers": headers}


def _vary(headers: Headers) -> list[tuple[bytes, bytes]]:
    """Return the headers with Accept-Encoding added to `Vary`."""
    named = _read(headers, b"vary")
    if "accept-encoding" in named.lower():
        return [*headers]
    value = f"{named}, Accept-Encoding" if named else "Accept-Encoding"
    return [*(each for each in headers if each[0] != b"vary"), (b"vary", value.encode("latin-1"))]


def _keep_callers_tag(headers: dict[bytes, bytes], known: str) -> list[tuple[bytes, bytes]]:
    """Return the headers of a 304, with the tag under which the caller stored the answer, perhaps that of a coding."""
    tag = headers.get(b"etag", b"").decode("latin-1")
    kept = next((each for each in (tag_in_coding(tag, coding) for coding in CODINGS) if tag and each in known), None)
    if kept is None or tag in known:
        return [*headers.items()]
    return [*(headers | {b"etag": kept.encode("latin-1")}).items()]
