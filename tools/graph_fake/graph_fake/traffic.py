"""The steps around each answer to a request: token, faults, limits, latency, record."""

import asyncio
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from litestar.types import ASGIApp, HTTPScope, Message, Receive

from graph_fake.directory import Caller
from graph_fake.faults import Fault
from graph_fake.problems import GraphProblem, to_json
from graph_fake.world import RecordedRequest, World


class Reply(NamedTuple):
    """An answer: its status, headers and body."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


class Traffic:
    """An application around the addresses of Graph; those of sign-in and control pass through it untouched."""

    def __init__(self, app: ASGIApp, world: World) -> None:
        self._app = app
        self._world = world

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - each library has its names
        """Answer a request."""
        if scope["type"] != "http" or not scope["path"].startswith("/v1.0/"):
            await self._app(scope, receive, send)
            return
        body = await _read(receive)
        asked = self._record(scope, body)
        began = time.monotonic()
        fault = self._world.faults.take(scope["method"], scope["path"])
        reply = await self._reply(scope, body, asked, fault)
        asked.seconds = time.monotonic() - began
        if reply is None:
            while (await receive())["type"] != "http.disconnect":
                pass
            return
        asked.status = reply.status
        is_cut = fault is not None and fault.kind == "Cut"
        await send({"type": "http.response.start", "status": reply.status, "headers": reply.headers})
        await send(
            {"type": "http.response.body", "body": reply.body[:1] if is_cut else reply.body, "more_body": is_cut}
        )

    async def _reply(self, scope: HTTPScope, body: bytes, asked: RecordedRequest, fault: Fault | None) -> Reply | None:
        """Return the answer; None: there is none."""
        world, kind = self._world, fault.kind if fault is not None else None
        if kind == "Hang":
            return None
        try:
            caller = self._identify(scope)
            asked.application = caller.application.client_id
            if fault is not None and kind == "Refuse":
                raise fault.to_problem()
            key = world.throttle.enter(asked.application, _find_mailbox(asked.path), time.monotonic())
        except GraphProblem as problem:
            return _write_problem(problem)
        try:
            await asyncio.sleep(world.latency_seconds)
            reply = await self._call(scope, body, caller)
            if kind == "Twice":
                reply = await self._call(scope, body, caller)
            if fault is not None and kind == "Late":
                await asyncio.sleep(fault.seconds)
        finally:
            world.throttle.leave(key)
        if fault is not None and kind == "Lose":
            return _write_problem(fault.to_problem())
        return None if kind == "HangAfter" else reply

    def _identify(self, scope: HTTPScope) -> Caller:
        """Return the caller of a request. Raises GraphProblem."""
        given = dict(scope["headers"]).get(b"authorization", b"").decode("latin-1")
        name, _, token = given.partition(" ")
        if name.lower() != "bearer" or not token:
            raise GraphProblem(401, "InvalidAuthenticationToken", "Access token is empty.")
        return self._world.tokens.identify(token, self._world.tenants, self._world.clock.now())

    async def _call(self, scope: HTTPScope, body: bytes, caller: Caller) -> Reply:
        """Return the answer of the addresses behind."""
        status, headers, parts = 500, list[tuple[bytes, bytes]](), list[bytes]()

        async def receive() -> Any:  # noqa: ANN401 - a message of ASGI
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            nonlocal status, headers
            if message["type"] == "http.response.start":
                status, headers = message["status"], [*message["headers"]]
            elif message["type"] == "http.response.body":
                parts.append(message["body"])

        given: dict[str, Any] = {**scope}
        own: Any = given | {"state": given.get("state", {}) | {"caller": caller}}
        await self._app(own, receive, send)
        return Reply(status, headers, b"".join(parts))

    def _record(self, scope: HTTPScope, body: bytes) -> RecordedRequest:
        asked = RecordedRequest(
            number=len(self._world.asked) + 1,
            at=self._world.clock.now(),
            method=scope["method"],
            path=scope["path"],
            query=scope["query_string"].decode("latin-1"),
            application="",
            body=_read_json(body),
        )
        self._world.asked.append(asked)
        return asked


def _find_mailbox(path: str) -> str:
    """Return the mailbox that an address names: `/v1.0/users/{mailbox}/events`."""
    parts = path.split("/")
    return parts[3].lower() if len(parts) > 3 and parts[2] == "users" else ""  # noqa: PLR2004 - as in the docstring


def _write_problem(problem: GraphProblem) -> Reply:
    body = to_json(problem.to_body())
    headers: Mapping[str, str] = {
        "content-type": "application/json",
        "content-length": str(len(body)),
        **{name.lower(): value for name, value in problem.headers.items()},
    }
    return Reply(problem.status, [(name.encode(), value.encode()) for name, value in headers.items()], body)


def _read_json(body: bytes) -> object:
    try:
        return msgspec.json.decode(body) if body else None
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


async def _read(receive: Receive) -> bytes:
    """Return the whole body of a request."""
    parts = list[bytes]()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b"".join(parts)
        parts.append(message["body"])
        if not message["more_body"]:
            return b"".join(parts)
