"""A connection: uvicorn's protocol with limits to the head of a request, and to slow and idle peers."""

import fcntl
import struct
import sys
import termios
from asyncio import AbstractEventLoop, Transport
from dataclasses import dataclass
from enum import Enum, auto
from http import HTTPStatus
from typing import Any, ClassVar, Final, cast

import httptools
from uvicorn import Config
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from meetdeck.platform.http.middleware import complete_headers, note, read_request_id
from meetdeck.platform.http.problems import PROBLEM_JSON, write_problem


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a connection. None of them ends a large upload or download that goes on, however slowly."""

    head_bytes: int = 64 * 1024
    """Of a request's line and headers, and of whatever else is not its content."""
    headers: int = 256
    head_seconds: float = 20
    window_seconds: float = 20
    window_bytes: int = 10_000
    """At least so much of a body comes in each window in which it is waited for: 500 bytes a second."""
    stalled_seconds: float = 60
    """A caller that takes not one byte of an answer for so long is gone."""
    linger_seconds: float = 2
    """For reading what is still sent after a refusal, so that the refusal is not lost with the connection."""
    connections: int = 1000
    fresh_seconds: float = 1
    """A connection that is younger is not closed to make room: its request may be on its way."""


class DrainableState(ServerState):
    """The state that all connections of a server share."""

    is_draining = False
    """Whether each answer says that it is the last of its connection (`Connection: close`)."""


class _Phase(Enum):
    IDLE = auto()
    """Between two requests; uvicorn closes the connection after some seconds."""
    HEAD = auto()
    BODY = auto()
    REFUSED = auto()
    """Nothing that comes is looked at any more."""


@dataclass(frozen=True, slots=True)
class _Refusal:
    status: HTTPStatus
    code: str
    detail: str
    retry_after_seconds: int | None = None


_MALFORMED: Final = _Refusal(
    HTTPStatus.BAD_REQUEST,
    "bad_request",
    "This is no HTTP request, or one whose line, headers or length are malformed.",
)
_ADDRESS_TOO_LONG: Final = _Refusal(
    HTTPStatus.REQUEST_URI_TOO_LONG, "uri_too_long", "The address of the request is too long."
)
_TOO_MANY_CONNECTIONS: Final = _Refusal(
    HTTPStatus.SERVICE_UNAVAILABLE,
    "too_many_connections",
    "The service has as many connections as it takes, all of them busy. Try again in a moment.",
    retry_after_seconds=5,
)


class BoundedProtocol(HttpToolsProtocol):
    """Answers faults of HTTP itself as problem+json, and holds connections to `limits`.

    The parser joins what comes in pieces, so that an endless header would cost the square of its length: bytes are
    counted before it is given them. `check` is called each second, which costs less than timers for each request.
    """

    limits: ClassVar[Limits] = Limits()

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.url, self.headers = b"", []  # a refusal names them, before there is a request too
        self._phase = _Phase.HEAD
        self.since = self.loop.time()
        """When the head, or the window of the body, began, by the loop's time."""
        self._silent_bytes = 0  # fed without anything coming of it: a head, a trailer
        self._came_to_something = False
        self._window_bytes = 0
        self._unsent_bytes = 0
        self._unsent_since = self.since
        self._refusal = _MALFORMED  # for what the parser does not take
        self._served: RequestResponseCycle | None = None
        self._is_finishing = False

    # ------------------------------------------------------------------------------------------- what asyncio calls

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Accept the connection, if need be by closing an idle one."""
        super().connection_made(transport)
        self._is_finishing = isinstance(self.server_state, DrainableState) and self.server_state.is_draining
        if len(self.connections) > self.limits.connections and not self._close_another():
            self._refuse(_TOO_MANY_CONNECTIONS)

    def connection_lost(self, exc: Exception | None) -> None:
        """End; the request that is being served is told, not only the newest behind it."""
        if self._served is not None:
            self._served.disconnected = True
            self._served.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Pass data to the parser, in pieces no longer than a head may be."""
        if self._phase is _Phase.REFUSED:
            return
        self._unset_keepalive_if_required()
        if self._phase is _Phase.IDLE:
            self._phase, self.since = _Phase.HEAD, self.loop.time()
        rest = memoryview(data)
        while rest:
            rest = self._feed(rest)

    def _feed(self, data: memoryview) -> memoryview:
        """Parse the beginning of `data`; return the rest."""
        piece = data[: self.limits.head_bytes - self._silent_bytes]
        self._came_to_something = False
        try:
            used = self._parse(piece)
        except httptools.HttpParserError:
            self._refuse(self._refusal)
            return data[:0]
        self._silent_bytes = 0 if self._came_to_something else self._silent_bytes + used
        if self._silent_bytes >= self.limits.head_bytes:
            self._refuse(self._explain_size())
            return data[:0]
        return data[used:]

    def _parse(self, piece: memoryview) -> int:
        """Pass a piece to the parser, and return how much of it was used."""
        try:
            self.parser.feed_data(piece)  # pyright: ignore[reportOptionalMemberAccess] - None when the connection is lost
        except httptools.HttpParserUpgrade as upgrade:
            self._parse_without_upgrade()
            return upgrade.args[0]
        return len(piece)

    def _parse_without_upgrade(self) -> None:
        """Parse the request again without its `Upgrade` (RFC 9110, section 7.8).

        The parser takes what follows for that protocol, the request's own body too.
        """
        earlier = cast("httptools.HttpRequestParser", self.parser)
        line = b"%b %b HTTP/%b\r\n" % (earlier.get_method(), self.url, earlier.get_http_version().encode())
        headers = [b"%b: %b\r\n" % header for header in self.headers if header[0] != b"upgrade"]
        self.parser = httptools.HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn does
        self.parser.feed_data(b"".join([line, *headers, b"\r\n"]))

    def _explain_size(self) -> _Refusal:
        if self._phase is _Phase.HEAD and len(self.url) > self.limits.head_bytes // 2:
            return _ADDRESS_TOO_LONG
        return self._too_large(f"more than {self.limits.head_bytes // 1024} KiB")

    def _too_large(self, size: str) -> _Refusal:
        return _Refusal(
            HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
            "headers_too_large",
            f"The request's line and headers are {size}. Send less: cookies, say, are not read here.",
        )

    # ------------------------------------------------------------------------------------------ what the parser calls

    def on_message_begin(self) -> None:
        """Reset the state of a request."""
        self._refusal = _MALFORMED
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header to the request."""
        if len(self.headers) >= self.limits.headers:
            self._refusal = self._too_large(f"more than {self.limits.headers} headers")
            raise ValueError(self._refusal.detail)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Serve the request, its body still to come."""
        self._came_to_something = True
        if self.parser.get_method() == b"CONNECT":  # pyright: ignore[reportOptionalMemberAccess] - it calls us
            raise ValueError("no tunnel leads from here")
        if self.parser.should_upgrade():  # pyright: ignore[reportOptionalMemberAccess] - it calls us
            return
        super().on_headers_complete()
        if self._is_finishing:
            self.cycle.keep_alive = False
        self._phase, self.since, self._window_bytes = _Phase.BODY, self.loop.time(), 0

    def on_body(self, body: bytes) -> None:
        """Hand a part of the body on."""
        self._came_to_something = True
        self._window_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """End the request."""
        self._came_to_something = True
        if self.parser.should_upgrade():  # pyright: ignore[reportOptionalMemberAccess] - it calls us
            return
        self._phase = _Phase.IDLE
        super().on_message_complete()
        self.url, self.headers = b"", []  # they are its own: what comes next has others, or none

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._served = cycle
        super()._start_asgi_task(cycle, app)

    # ------------------------------------------------------------------------------------------- waiting for the caller

    def check(self, now: float) -> None:
        """Close connections that have kept us waiting for too long; `now` is the loop's time."""
        if unsent := self.transport.get_write_buffer_size():
            self._check_reader(now, unsent + _count_unacknowledged(self.transport))
            return
        self._unsent_bytes = 0
        if self._phase is _Phase.REFUSED:
            if now - self.since > self.limits.linger_seconds and not self._is_answering():
                self.transport.close()
        elif self._phase is _Phase.HEAD:
            self._check_head(now)
        elif self._phase is _Phase.BODY:
            self._check_body(now)

    def _check_reader(self, now: float, unsent: int) -> None:
        if not 0 < self._unsent_bytes <= unsent:
            self._unsent_since = now
        self._unsent_bytes = unsent
        if now - self._unsent_since > self.limits.stalled_seconds:
            self.transport.abort()

    def _check_head(self, now: float) -> None:
        if now - self.since <= self.limits.head_seconds:
            return
        if self._silent_bytes == 0:
            self.transport.close()  # who said nothing is told nothing
        else:
            self._refuse(self._too_slow("The request's line and headers", self.limits.head_seconds))

    def _check_body(self, now: float) -> None:
        if self.flow.read_paused or self.cycle.waiting_for_100_continue:
            self.since, self._window_bytes = now, 0  # it is us who wait
        elif now - self.since > self.limits.window_seconds:
            if self._window_bytes < self.limits.window_bytes:
                self._refuse(self._too_slow("More of the request's body", self.limits.window_seconds))
            self.since, self._window_bytes = now, 0

    def _too_slow(self, what: str, seconds: float) -> _Refusal:
        detail = f"{what} did not come within {seconds:.0f} seconds. Send the request again, faster."
        return _Refusal(HTTPStatus.REQUEST_TIMEOUT, "request_timeout", detail)

    def _close_another(self) -> bool:
        """Close the connection that has been without a request for longest; False when all have one."""
        connections = cast("set[BoundedProtocol]", self.connections)
        before = self.loop.time() - self.limits.fresh_seconds
        unused = [one for one in connections if one.is_unused() and one.since < before]
        if unused:
            min(unused, key=lambda one: one.since).transport.close()
        return bool(unused)

    def finish(self) -> None:
        """Close with the next answer that can say so (`Connection: close`), or when none is asked for meanwhile."""
        self._is_finishing = True
        if self._is_answering():
            self.cycle.keep_alive = self.cycle.keep_alive and self.cycle.response_started
        elif self.timeout_keep_alive_task is None and self._silent_bytes == 0:  # it was not used yet
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )

    def is_unused(self) -> bool:
        """Return whether no request would be lost with this connection."""
        is_between = self._phase in {_Phase.IDLE, _Phase.HEAD}
        return is_between and not self._is_answering() and not self.transport.is_closing()

    # ---------------------------------------------------------------------------------------------------- refusing

    def _is_answering(self) -> bool:
        return self.cycle is not None and not (self.cycle.response_complete or self.cycle.disconnected)  # pyright: ignore[reportUnnecessaryComparison] - uvicorn sets it later

    def _refuse(self, refusal: _Refusal) -> None:
        """Answer a refusal and close the connection, but not between the parts of another answer."""
        is_of_this_request = self._phase is _Phase.BODY
        self._phase, self.since = _Phase.REFUSED, self.loop.time()
        if self._is_answering() and not is_of_this_request:
            self.cycle.keep_alive = False  # it was behind a request that is still served: that one is the last
            return
        if is_of_this_request and not self._is_answering():
            self.transport.close()  # it has its answer, which did not wait for the body
            return
        if self._is_answering():
            if self.cycle.response_started or self.pipeline:
                self.transport.abort()
                return
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if not self.transport.is_closing():
            self._write(refusal)

    def _write(self, refusal: _Refusal) -> None:
        url = self.url[:2000]
        request_id = read_request_id(self.headers)
        body = write_problem(
            refusal.status, refusal.code, refusal.detail, instance=url.decode("latin-1"), request_id=request_id
        )
        answered = [
            *self.server_state.default_headers,
            (b"content-type", PROBLEM_JSON.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        if refusal.retry_after_seconds is not None:
            answered.append((b"retry-after", str(refusal.retry_after_seconds).encode()))
        lines = [b"%b: %b\r\n" % header for header in complete_headers(answered, request_id)]
        self.transport.write(b"".join([STATUS_LINE[refusal.status], *lines, b"\r\n", body]))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        note("none", url.partition(b"?")[0], refusal.status, request_id=request_id, refused=refusal.code)


def _count_unacknowledged(transport: Transport) -> int:
    """Return how many bytes the system still holds for the other side, where it tells."""
    if sys.platform != "linux":
        return 0
    try:
        answer = fcntl.ioctl(transport.get_extra_info("socket").fileno(), termios.TIOCOUTQ, bytes(4))
    except OSError:
        return 0
    return struct.unpack("i", answer)[0]
