"""The middleware around every request: its services, its id, the address aliases, one log line, and the metrics."""

import asyncio
import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from http import HTTPStatus
from os import urandom
from time import perf_counter
from typing import Any, cast
from urllib.parse import unquote

import structlog
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send
from prometheus_client import Counter, Histogram

from meetdeck.platform.http.answers import PROBLEM_JSON, HeadOnly, list_faults, route_as, write_problem
from meetdeck.platform.http.around.cors import CrossOrigin
from meetdeck.platform.http.calls import find_caller, get_services, list_handling, note_request_id
from meetdeck.platform.http.limits import list_rate_limits
from meetdeck.platform.process import AnsweredRequest
from meetdeck.platform.process.log_facts import begin_log_facts
from meetdeck.platform.process.logging import hide_secrets
from meetdeck.platform.process.tracing import get_traceparent

_SANE_ID = re.compile(rb"[\w.:/+=-]{1,128}")

# Ids that are not zeros; a version after 00 may contain more (section 3.2.2).
_TRACEPARENT = re.compile(
    rb"(?!ff)[0-9a-f]{2}-(?!0{32})(?P<trace_id>[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?P<more>-.*)?"
)

# `/config/…` and `/booking/booking/…` mean the same as the canonical prefix (docs/api/index.md#addresses).
_ALIAS = re.compile(r"^/api/(v[23])/(?:(config)|booking/booking)(?=/|$)")

REQUESTS = Counter("meetdeck_requests", "Requests answered.", ["method", "route", "status"])
DURATION = Histogram("meetdeck_request_seconds", "Time to the first byte of the answer.", ["method", "route"])

_find_requests = cache(REQUESTS.labels)  # `labels` checks and locks, anew at each request
_find_duration = cache(DURATION.labels)

# Any caller may send others, and each would add a time series for every address.
_COUNTED_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

log = structlog.stdlib.get_logger()

Headers = Iterable[tuple[bytes, bytes]]

# Replaces a slash inside a step of a path (`%2F`) while the path is routed; `unescape_step` restores it.
_ESCAPED_SLASH = "\ue02f"


def read_path(raw_path: bytes) -> str:
    """Decode a path step by step (RFC 3986, section 2.2), so that an escaped slash does not split a step."""
    if b"%" not in raw_path:
        return raw_path.decode("latin-1")
    steps = raw_path.split(b"/")
    return "/".join(unquote(step.decode("latin-1")).replace("/", _ESCAPED_SLASH) for step in steps)


def unescape_step(step: str) -> str:
    """Return a step of a path as the caller meant it."""
    return step.replace(_ESCAPED_SLASH, "/")


def canonical_path(path: str) -> str:
    """Return the address of an alias."""
    found = _ALIAS.match(path)
    return path if found is None else f"/api/{found[1]}/booking{'/config' * bool(found[2])}{path[found.end() :]}"


class RequestMiddleware:
    """The outermost layer of the application. Each request gets a copy of `state`."""

    def __init__(self, app: ASGIApp, state: Mapping[str, object], *, cors_origins: Collection[str] = ()) -> None:
        self._app = app
        self._state = state
        self._cross_origin = CrossOrigin(cors_origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; other ASGI events are passed on."""
        if scope["type"] == "http":
            await self._serve(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _serve(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        request_id = read_request_id(scope["headers"])
        begin_log_facts({"request_id": request_id, **_find_trace(scope["headers"])})
        routed: dict[str, Any] = {**scope, "state": note_request_id(self._state, request_id)}
        routed |= {"method": route_as(scope["method"]), "path": canonical_path(read_path(scope["raw_path"]))}
        started, is_answered = perf_counter(), False

        async def send_with_id(message: Message) -> None:
            nonlocal is_answered
            is_answered = True
            if message["type"] == "http.response.start":
                of_state = (*list_rate_limits(routed["state"]), *list_handling(routed["state"]))
                headers = [*complete_headers(message["headers"], request_id), *of_state]
                cross_origin = self._cross_origin.list_headers(scope["method"], scope["headers"], headers)
                message["headers"] = [*headers, *cross_origin]
                seconds = perf_counter() - started
                route = str(routed.get("path_template", "none"))
                scope["path_template"] = route  # for the span of the request, around this layer
                _find_duration(_count_as(scope["method"]), route).observe(seconds)
                ms = round(seconds * 1000, 1)
                record_answer(scope["method"], scope["raw_path"], message["status"], route=route, ms=ms)
                keep_recent(cast("HTTPScope", routed), message["status"], ms, request_id)
            await send(message)

        try:
            if scope["method"] == "HEAD":
                answer = HeadOnly(send_with_id)
                await self._app(cast("HTTPScope", routed), answer.receive, answer.send)
                await answer.end()
            else:
                await self._app(cast("HTTPScope", routed), receive, send_with_id)
        except asyncio.CancelledError:  # this process ends, and has waited long enough
            if is_answered:
                raise
            await _answer_that_we_stop(scope, request_id, send_with_id)


async def _answer_that_we_stop(scope: HTTPScope, request_id: str, send: Send) -> None:
    body = write_problem(
        HTTPStatus.SERVICE_UNAVAILABLE,
        "unavailable",
        "The service is being stopped. Try again in a moment.",
        instance=scope["raw_path"].decode("latin-1"),
        request_id=request_id,
    )
    headers = [(b"content-type", PROBLEM_JSON.encode()), (b"retry-after", b"5")]
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": HTTPStatus.SERVICE_UNAVAILABLE, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def complete_headers(headers: Headers, request_id: str) -> list[tuple[bytes, bytes]]:
    """Add the headers of every answer: its request's id, no sniffing of its media type, no caching.

    An answer that may be kept has its own header.
    """
    complete = [*headers, (b"x-request-id", request_id.encode()), (b"x-content-type-options", b"nosniff")]
    if b"cache-control" not in dict(complete):
        complete.append((b"cache-control", b"no-store"))
    return complete


def read_request_id(headers: Headers) -> str:
    """Return the caller's own id if it is safe to log, else a new one."""
    callers_id = next((value for name, value in headers if name == b"x-request-id"), b"")
    return callers_id.decode() if _SANE_ID.fullmatch(callers_id) else urandom(16).hex()


def _find_trace(headers: Headers) -> dict[str, str]:
    """Return the id of our own trace, for the log, or else the caller's."""
    ours = get_traceparent()
    return {"trace_id": ours.split("-")[1]} if ours else _read_trace(headers)


def _read_trace(headers: Headers) -> dict[str, str]:
    """Return the id of the trace that the request is a part of (W3C Trace Context), for the log, if any."""
    values = [value for name, value in headers if name == b"traceparent"]
    found = _TRACEPARENT.fullmatch(values[0]) if len(values) == 1 else None
    if found is None or (found["more"] and found.string.startswith(b"00")):
        return {}
    return {"trace_id": found["trace_id"].decode()}


def _count_as(method: str) -> str:
    return method if method in _COUNTED_METHODS else "other"


def record_answer(method: str, raw_path: bytes, status: int, *, route: str = "none", **facts: float | str) -> None:
    """Count an answer, and write its log line."""
    _find_requests(_count_as(method), route, str(int(status))).inc()
    log.info("request", method=method, path=hide_secrets(raw_path.decode("latin-1")), status=int(status), **facts)


def keep_recent(scope: HTTPScope, status: int, ms: float, request_id: str) -> None:
    """Keep an authenticated request among the recent ones."""
    state: Mapping[str, Any] = scope["state"]
    caller = find_caller(state)
    if caller is None:
        return
    services = get_services(scope)
    path = scope["raw_path"].decode("latin-1")
    services.recent.add(
        AnsweredRequest(
            *caller, services.clock(), scope["method"], path, int(status), ms, request_id, list_faults(state)
        )
    )
