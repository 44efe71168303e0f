"""Calls of our own API inside the process, for a caller who is known already: console and assistants make them."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypedDict, TypeVar, Unpack, cast
from urllib.parse import urlencode

import msgspec
from litestar.types import HTTPScope, Message

from meetdeck.platform.http.answers import AnyRequest, InvalidMember
from meetdeck.platform.http.around import read_path
from meetdeck.platform.http.requests import act_as
from meetdeck.platform.identity import Principal
from meetdeck.platform.values import write_json

T = TypeVar("T")
Query = Mapping[str, str | int | bool | Sequence[str] | None]


class CallDetails(TypedDict, total=False):
    """The query, the headers and the media type of a call; without one its body is JSON."""

    query: Query
    headers: Mapping[str, str]
    media_type: str


class ApiAnswer(msgspec.Struct, frozen=True):
    """An answer of the API; the names of `headers` are in lower case."""

    status: int
    headers: dict[str, str]
    content: bytes

    @property
    def tag(self) -> str:
        """Return the entity tag, empty for none."""
        return self.headers.get("etag", "")

    def read(self, kind: type[T]) -> T:
        """Return the content as one of our types."""
        return msgspec.json.decode(self.content, type=kind)


class ToldProblem(msgspec.Struct, frozen=True):
    """A refusal as the API answers it."""

    code: str = "error"
    detail: str = ""
    errors: tuple[InvalidMember, ...] = ()


def read_problem(answer: ApiAnswer) -> ToldProblem:
    """Return the refusal in an answer; an empty one if it is none of the API's."""
    try:
        return answer.read(ToldProblem)
    except msgspec.DecodeError:
        return ToldProblem()


class OwnApi(NamedTuple):
    """Our own API for a caller, inside a request to another address."""

    request: AnyRequest
    principal: Principal

    async def call(self, method: str, path: str, body: object = None, **details: Unpack[CallDetails]) -> ApiAnswer:
        """Return the answer to a call of version 3; the path begins after `/api/v3/`, with percent-encoded steps.

        A body of bytes is sent unchanged, any other as JSON.
        """
        content = body if isinstance(body, bytes) else b"" if body is None else write_json(body)
        media_type = details.get("media_type", "application/json")
        headers = {"content-type": media_type, "content-length": str(len(content))} if content else {}
        headers |= details.get("headers", {})
        scope = self._make_scope(method, f"/api/v3/{path}".encode(), _write_query(details.get("query", {})), headers)
        received = _AnswerMessages()
        sent = iter([{"type": "http.request", "body": content, "more_body": False}])

        async def receive() -> Any:  # noqa: ANN401 - an ASGI event
            for event in sent:
                return event
            await received.is_whole.wait()
            return {"type": "http.disconnect"}

        await self.request.app(scope, receive, received.take)
        return received.answer

    def _make_scope(self, method: str, raw_path: bytes, query: bytes, headers: Mapping[str, str]) -> HTTPScope:
        outer = self.request.scope
        scope = {
            **{key: outer[key] for key in ("type", "asgi", "http_version", "scheme", "server", "client")},
            "method": method,
            "path": read_path(raw_path),
            "raw_path": raw_path,
            "root_path": "",
            "query_string": query,
            "headers": [(name.lower().encode(), value.encode("latin-1", "replace")) for name, value in headers.items()],
            "extensions": {},
            "state": act_as(self.principal, outer),
        }
        return cast("HTTPScope", scope)


class _AnswerMessages:
    """The messages of an answer."""

    def __init__(self) -> None:
        self._status, self._headers, self._parts = 0, dict[str, str](), list[bytes]()
        self.is_whole = asyncio.Event()

    async def take(self, message: Message) -> None:
        """Take a message."""
        if message["type"] == "http.response.start":
            self._status = message["status"]
            self._headers = {name.decode().lower(): value.decode("latin-1") for name, value in message["headers"]}
        elif message["type"] == "http.response.body":
            self._parts.append(message.get("body", b""))
            if not message.get("more_body", False):
                self.is_whole.set()

    @property
    def answer(self) -> ApiAnswer:
        """Return the answer."""
        return ApiAnswer(self._status, self._headers, b"".join(self._parts))


def _write_query(query: Query) -> bytes:
    """Return a query string; booleans are written as the API reads them, and None is left out."""
    texts = {name: str(value).lower() if isinstance(value, bool) else value for name, value in query.items()}
    return urlencode({name: value for name, value in texts.items() if value is not None}, doseq=True).encode()
