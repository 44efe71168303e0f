"""A connection: uvicorn's protocol with limits on the head of a request, and on slow and idle peers."""

import fcntl
import struct
import sys
import termios
from asyncio import AbstractEventLoop, Transport
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from http import HTTPStatus
from typing import Any, ClassVar, cast

import httptools
from uvicorn import Config
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from meetdeck.platform.http.answers import PROBLEM_JSON, write_problem
from meetdeck.platform.http.around import complete_headers, read_request_id, record_answer
from meetdeck.platform.http.limits import name_network
from meetdeck.platform.http.server.connection_refusals import (
    ADDRESS_TOO_LONG,
    MALFORMED,
    TOO_ELABORATE,
    TOO_MANY_CONNECTIONS,
    TOO_MANY_OF_ADDRESS,
    Refusal,
)
from meetdeck.platform.process import for_caller


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a connection. None of them ends a large upload or download that advances, however slowly."""

    head_bytes: int = 64 * 1024
    """The limit of a request's line and headers, and of whatever else is not its content."""
    headers: int = 256
    parameters: int = 1000
    """The limit of a query: reading many takes longer than their bytes do."""
    escapes: int = 6000
    """The limit of an address, `%41`: 2,000 letters of any script."""
    slashes: int = 100
    """The limit of an address: each link of a page has one step back to our root for each slash of its address."""
    head_seconds: float = 20
    window_seconds: float = 20
    window_bytes: int = 10_000
    """The least bytes of a body in each window in which it is waited for: 500 bytes a second."""
    stalled_seconds: float = 60
    """A caller that reads no byte of an answer for this long is gone."""
    linger_seconds: float = 2
    """The time for which the rest of a refused request is read, so that the refusal is not lost with the connection."""
    connections: int = 1000
    connections_of_address: int = 500
    """The limit of a network address that is not a trusted proxy's: nobody can take the places of all others."""
    fresh_seconds: float = 1
    """A younger connection or request is not closed to make room: the rest may be on its way."""


class DrainableState(ServerState):
    """The state that all connections of a server share."""

    is_draining = False
    """True if each answer announces that it is the last of its connection (`Connection: close`)."""


class _Phase(Enum):
    IDLE = auto()
    """Between two requests; uvicorn closes the connection after some seconds."""
    HEAD = auto()
    BODY = auto()
    REFUSED = auto()
    """Incoming data is ignored."""


class BoundedProtocol(HttpToolsProtocol):
    """Answers faults of HTTP itself as problem+json, and enforces `limits` on connections.

    The parser joins pieces, so that an endless header would cost the square of its length: bytes are counted before it
    gets them. `check` is called each second, which costs less than timers for each request.
    """

    limits: ClassVar[Limits] = Limits()

    @staticmethod
    def trusts(host: str) -> bool:  # noqa: ARG004 - see `behind`
        """Return whether a host is a trusted proxy, whose connections are those of many callers."""
        return False

    @classmethod
    def behind(cls, trusts: Callable[[str], bool]) -> "type[BoundedProtocol]":
        """Return the protocol for an installation that trusts these proxies."""
        return cast("type[BoundedProtocol]", type(cls.__name__, (cls,), {"trusts": staticmethod(trusts)}))

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.url, self.headers = b"", []  # a refusal includes it, even before there is a request
        self._phase = _Phase.HEAD
        self.since = self.loop.time()
        """When the head, or the window of the body, began, by the loop's time."""
        self.network = ""
        self._begun = self.since  # when the body began
        self._silent_bytes = 0  # bytes parsed without a result: a head, a trailer
        self._came_to_something = False
        self._window_bytes = 0
        self._unsent_bytes = 0
        self._unsent_since = self.since
        self._refusal = MALFORMED  # for data that the parser does not take
        self._served: RequestResponseCycle | None = None
        self._is_finishing = False

    # ------------------------------------------------------------------------------------------- what asyncio calls

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Accept the connection, if need be by closing another."""
        super().connection_made(transport)
        self._is_finishing = isinstance(self.server_state, DrainableState) and self.server_state.is_draining
        host = self.client[0] if self.client else ""
        self.network = name_network(host)
        if len(self.connections) > self.limits.connections:
            if not self._make_room(self._list_connections()):
                self._refuse(TOO_MANY_CONNECTIONS)
        elif len(self.connections) > self.limits.connections_of_address and not self.trusts(host):
            own = [one for one in self._list_connections() if one.network == self.network]
            if len(own) > self.limits.connections_of_address and not self._make_room(own):
                self._refuse(TOO_MANY_OF_ADDRESS)

    def connection_lost(self, exc: Exception | None) -> None:
        """End; the request being served is notified, not only the newest after it."""
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

        The parser reads what follows as that protocol, including the request's own body.
        """
        earlier = cast("httptools.HttpRequestParser", self.parser)
        line = b"%b %b HTTP/%b\r\n" % (earlier.get_method(), self.url, earlier.get_http_version().encode())
        headers = [b"%b: %b\r\n" % header for header in self.headers if header[0] != b"upgrade"]
        self.parser = httptools.HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn does
        self.parser.feed_data(b"".join([line, *headers, b"\r\n"]))

    def _explain_size(self) -> Refusal:
        if self._phase is _Phase.HEAD and len(self.url) > self.limits.head_bytes // 2:
            return ADDRESS_TOO_LONG
        return self._too_large(f"more than {self.limits.head_bytes // 1024} KiB")

    def _too_large(self, size: str) -> Refusal:
        return Refusal(
            HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
            "headers_too_large",
            f"The request's line and headers are {size}. Send less: cookies, say, are not read here.",
        )

    # ------------------------------------------------------------------------------------------ what the parser calls

    def on_message_begin(self) -> None:
        """Reset the state of a request."""
        self._refusal = MALFORMED
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
        if self._is_elaborate():
            self._refusal = TOO_ELABORATE
            raise ValueError(self._refusal.detail)
        super().on_headers_complete()
        if self._is_finishing:
            self.cycle.keep_alive = False
        self._phase, self.since, self._window_bytes = _Phase.BODY, self.loop.time(), 0
        self._begun = self.since

    def _is_elaborate(self) -> bool:
        """Return whether the address takes long to read, or multiplies the size of the answer."""
        path, limits = self.url.partition(b"?")[0], self.limits
        return (
            self.url.count(b"&") > limits.parameters
            or self.url.count(b"%") > limits.escapes
            or path.count(b"/") > limits.slashes
        )

    def on_body(self, body: bytes) -> None:
        """Pass a part of the body to the request."""
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
        self.url, self.headers = b"", []  # they belong to the finished request; the next one has others, or none

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._served = cycle
        with for_caller(lambda: cycle.disconnected):
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
            self.transport.close()  # a caller who sent nothing gets no answer
        else:
            self._refuse(self._too_slow("The request's line and headers", self.limits.head_seconds))

    def _check_body(self, now: float) -> None:
        if self.flow.read_paused or self.cycle.waiting_for_100_continue:
            self.since, self._window_bytes = now, 0  # we are the ones who wait
        elif now - self.since > self.limits.window_seconds:
            if self._window_bytes < self.limits.window_bytes:
                self._refuse(self._too_slow("More of the request's body", self.limits.window_seconds))
            self.since, self._window_bytes = now, 0

    def _too_slow(self, what: str, seconds: float) -> Refusal:
        detail = f"{what} did not arrive within {seconds:.0f} seconds. Send the request again, faster."
        return Refusal(HTTPStatus.REQUEST_TIMEOUT, "request_timeout", detail)

    def _list_connections(self) -> "list[BoundedProtocol]":
        return cast("list[BoundedProtocol]", [*self.connections])

    def _make_room(self, connections: "list[BoundedProtocol]") -> bool:
        """Close one of some connections; return False when each has a request that is being answered.

        It is the one without a request for longest; else, of the network address with the most, the one whose request
        has been incomplete for longest.
        """
        before = self.loop.time() - self.limits.fresh_seconds
        unused = [one for one in connections if one.is_unused() and one.since < before]
        if unused:
            min(unused, key=lambda one: one.since).transport.close()
            return True
        network, _ = Counter(one.network for one in connections).most_common(1)[0]
        waiting = [one for one in connections if one.network == network and one.is_incomplete(before)]
        if waiting:
            min(waiting, key=lambda one: one._begun)._refuse(TOO_MANY_OF_ADDRESS)  # noqa: SLF001 - of its own class
        return bool(waiting)

    def is_incomplete(self, before: float) -> bool:
        """Return whether a request that began before a moment is still waiting for its body."""
        return self._phase is _Phase.BODY and self._begun < before and not self.flow.read_paused

    def finish(self) -> None:
        """Close with the next answer that can announce it (`Connection: close`), or when none is requested."""
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

    def _refuse(self, refusal: Refusal) -> None:
        """Answer a refusal and close the connection, but not between the parts of another answer."""
        is_of_this_request = self._phase is _Phase.BODY
        self._phase, self.since = _Phase.REFUSED, self.loop.time()
        if self._is_answering() and not is_of_this_request:
            self.cycle.keep_alive = False  # the request before it is still being served, and becomes the last one
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

    def _write(self, refusal: Refusal) -> None:
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
        record_answer("none", url.partition(b"?")[0], refusal.status, request_id=request_id, refused=refusal.code)


def _count_unacknowledged(transport: Transport) -> int:
    """Return how many bytes the system still holds for the other side, if it reports them."""
    if sys.platform != "linux":
        return 0
    try:
        answer = fcntl.ioctl(transport.get_extra_info("socket").fileno(), termios.TIOCOUTQ, bytes(4))
    except OSError:
        return 0
    return struct.unpack("i", answer)[0]
