"""Answers of handlers beside plain Structs: files, new resources with their address."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any
from unicodedata import combining, normalize
from urllib.parse import quote

from litestar import Litestar, Request, Response
from litestar.response import Stream
from litestar.response.base import ASGIResponse

from meetdeck.platform.changes import REPLAYED_HEADER, Answer
from meetdeck.platform.http.answers.conditions import Conditions, entity_tag

PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
PDF = "application/pdf"
JSON = "application/json"
PNG = "image/png"
WEBP = "image/webp"
TEXT = "text/plain"
CALENDAR = "text/calendar"

# Letters of our customers' languages that are not a plain letter with an accent.
_PLAIN_LETTERS = str.maketrans({"æ": "ae", "Æ": "Ae", "ø": "oe", "Ø": "Oe", "å": "aa", "Å": "Aa", "ß": "ss"})
ASK_AGAIN = {"Cache-Control": "private, no-cache"}
"""The headers of an answer that its caller may keep, but must revalidate."""


def answer_file(
    content: bytes, *, media_type: str, file_name: str, headers: Mapping[str, str] | None = None, inline: bool = False
) -> Response[bytes]:
    """Answer a file for download, or `inline` for display, with a name for every browser (RFC 6266, RFC 8187)."""
    disposition = _name("inline" if inline else "attachment", file_name)
    return Response(
        content, status_code=200, media_type=media_type, headers={"Content-Disposition": disposition, **(headers or {})}
    )


def answer_file_stream(
    chunks: AsyncIterator[bytes], *, size_bytes: int, part: range | None, media_type: str, file_name: str, tag: str
) -> Response[Any]:
    """Answer a file, or a `part` of its bytes, for download while it is read: memory stays flat.

    `size_bytes` is that of the file. When reading fails midway, the answer breaks off.
    """
    headers = {
        "Content-Type": media_type,  # as a header: in a stream, Litestar prefers the handler's to the answer's own
        "Content-Disposition": _name("attachment", file_name),
        "Content-Length": str(size_bytes if part is None else len(part)),
        "Accept-Ranges": "bytes",
        "ETag": tag,
        **ASK_AGAIN,
    }
    if part is not None:
        headers["Content-Range"] = f"bytes {part.start}-{part.stop - 1}/{size_bytes}"
    return Stream(chunks, status_code=200 if part is None else 206, headers=headers)


def _name(kind: str, file_name: str) -> str:
    """Return a Content-Disposition: a plain name for clients like curl, and the exact name for all others."""
    letters = normalize("NFKD", file_name.translate(_PLAIN_LETTERS))
    kept = (sign for sign in letters if not combining(sign))
    plain = "".join(sign if sign.isascii() and sign.isprintable() and sign not in '"\\/' else "_" for sign in kept)
    return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(file_name, safe='', errors='replace')}"


class WrittenJson(Response[bytes]):
    """An answer with JSON that is written already; it is made without the checks of Litestar's own."""

    def __init__(self, content: bytes, *, status_code: int, headers: dict[str, Any]) -> None:  # pyright: ignore[reportMissingSuperCall] - it would look at each argument's type
        self.content = content
        self.status_code = status_code
        self.headers = headers
        self.media_type = JSON
        self.encoding = "utf-8"
        self.background = None
        self.cookies = []
        self.response_type_encoders = {}


def answer_with_tag(representation: bytes, tag: str) -> Response[Any]:
    """Answer the JSON of a single resource with its entity tag; caches must revalidate it."""
    return WrittenJson(representation, status_code=200, headers={"ETag": tag, **ASK_AGAIN})


def answer_unchanged(tag: str) -> Response[Any]:
    """Answer that the caller has the current representation (RFC 9110, section 15.4.5)."""
    return Response(b"", status_code=304, headers={"ETag": tag, "Vary": "Accept-Encoding", **ASK_AGAIN})


class WholeAnswer(Response[Any]):
    """Answers a handler's result in one piece, such as a list: to GET with its entity tag, or 304 when it is known.

    It is the `response_class` of the API's routers; handlers that return a Response themselves are unaffected.
    """

    def to_asgi_response(self, app: Litestar | None, request: Request[Any, Any, Any], **arguments: Any) -> ASGIResponse:  # noqa: ANN401 - as Litestar has it
        """Return the answer; its tag is that of the sent bytes."""
        answer: ASGIResponse = super().to_asgi_response(app, request, **arguments)  # pyright: ignore[reportUnknownMemberType] - its types are partial
        if request.scope["method"] != "GET":
            return answer
        tag = entity_tag(answer.body)
        if Conditions(if_none_match=request.headers.get("If-None-Match")).is_known(tag):
            return answer_unchanged(tag).to_asgi_response(app, request)  # pyright: ignore[reportUnknownMemberType] - the same
        for name, value in {"ETag": tag, **ASK_AGAIN}.items():
            answer.headers[name] = value
        return answer


def answer_saved(answer: Answer, tag: str) -> Response[Any]:
    """Answer a resource that was created (201) or replaced (200), with its address and its entity tag.

    A header tells whether the answer repeats that of an earlier request.
    """
    headers = {"Location": answer.location, "ETag": tag}
    if answer.is_repeat:
        headers[REPLAYED_HEADER] = "true"
    return WrittenJson(answer.body, status_code=answer.status, headers=headers)


def answer_json_stream(pieces: Iterator[bytes]) -> Stream:
    """Answer JSON that is rendered piece by piece, so that memory stays flat for any size.

    Pieces are rendered on the event loop, so each must be quicker than handing it to a thread.
    """
    return Stream(_take_turns(pieces), media_type=JSON)


async def _take_turns(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the pieces, and let other tasks run after each."""
    for piece in pieces:
        yield piece
        await asyncio.sleep(0)
