"""Calls to addresses that others chose: webhooks, data services, calendars, logos (docs/decisions/0114).

Only addresses allowed by `destinations.py` are called, and exactly the checked one: a name is looked up once, all of
its addresses are checked, and one of these is connected to. Through the operator's proxy, which looks names up itself,
a name that is unknown here may be called, too (docs/decisions/0212). Redirects are not followed, and no proxy of the
environment is used.
"""

import asyncio
import os
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache
from http import HTTPStatus
from typing import Final, NamedTuple

import h11
import httpx

from meetdeck.platform.outgoing.connections import Connection, IdleConnections
from meetdeck.platform.outgoing.destinations import AllowedHosts, Destination, IpAddress, NamedHosts, read_ip
from meetdeck.platform.outgoing.proxy import Proxy
from meetdeck.platform.process.tracing import WorkKind, measure

_REMEMBERED: Final = 1_000  # addresses that were read
_MOST_ADDRESSES: Final = 4  # of a name, that are tried
_CONNECT_SECONDS: Final = 5.0  # for each of them
_LOOKUPS: Final = 64  # at once; a name server that does not answer holds each for long
_LOOKUP_SECONDS: Final = 3.0
_CALL: Final = WorkKind(calls_out=True)

Resolve = Callable[[str, int], Awaitable[Sequence[IpAddress]]]
"""Returns the addresses of a name; raises OSError when there are none."""


class OutgoingRefused(OSError):  # noqa: N818 - a state of the call, as the kinds of errors are
    """A call that is not made, since its address is not allowed."""


class OutgoingRequest(NamedTuple):
    """A call: GET, or POST of a body."""

    address: str
    method: str = "GET"
    headers: Mapping[str, str] = {}
    body: bytes = b""


class Limits(NamedTuple):
    """The time that a call may take in total, and the bytes of the answer's body that are read."""

    seconds: float
    most_bytes: int


class OutgoingReply(NamedTuple):
    """The answer to a call, whatever the status; `headers` by names in lower case, `body` as far as it was read."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    is_whole: bool

    @property
    def is_success(self) -> bool:
        """Return whether the status is 2xx."""
        return HTTPStatus.OK <= self.status < HTTPStatus.MULTIPLE_CHOICES


class _Target(NamedTuple):
    """An address that may be called: its server, whether it uses TLS, and how a request names it."""

    server: Destination
    by_tls: bool
    authority: str
    path: bytes


class OutgoingClient:
    """Calls addresses that others chose, as `allowed` says; close it after use.

    `named`: the hosts that firms may name; None: any. A firm's own list, `hosts` below, replaces them.
    `proxy`: calls go through it, but for those to hosts that the operator lists and to this machine.
    """

    def __init__(
        self,
        allowed: AllowedHosts,
        *,
        named: Sequence[str] | None = None,
        proxy: Proxy | None = None,
        resolve: Resolve | None = None,
    ) -> None:
        self._hosts = allowed
        self._named = named
        self._proxy = proxy
        self._read = lru_cache(_REMEMBERED)(self._read_anew)
        self._threads = ThreadPoolExecutor(_LOOKUPS, "lookup")
        self._resolve = resolve or self._look_up
        self._idle = IdleConnections()

    async def require_allowed(self, address: str, hosts: Sequence[str] | None = None) -> None:
        """Raise OutgoingRefused when an address may not be called; one whose name does not resolve yet is allowed."""
        target = self._read(address)
        self._require_named(target.server, hosts)
        await self._require_allowed_addresses(target.server)

    def require_well_formed(self, address: str) -> None:
        """Raise OutgoingRefused when an address may not be called, wherever its name leads."""
        self._read(address)

    async def send(self, request: OutgoingRequest, limits: Limits, hosts: Sequence[str] | None = None) -> OutgoingReply:
        """Return the answer to a call.

        Raises OutgoingRefused when the address may not be called, and OSError without an answer in time.
        """
        target = self._read(request.address)
        self._require_named(target.server, hosts)
        try:
            with measure(request.method, _CALL, **{"http.request.method": request.method}):
                async with asyncio.timeout(limits.seconds):
                    return await self._send(target, request, limits.most_bytes)
        except TimeoutError:
            raise OSError(f"no answer within {limits.seconds:g} seconds") from None
        except h11.RemoteProtocolError as error:
            raise OSError(f"no answer of HTTP: {error}") from error

    async def close(self) -> None:
        """Close the open connections."""
        self._idle.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _send(self, target: _Target, request: OutgoingRequest, most_bytes: int) -> OutgoingReply:
        headers = {"Host": target.authority, "Accept-Encoding": "identity", **request.headers}
        if request.body or request.method != "GET":
            headers["Content-Length"] = str(len(request.body))
        head = h11.Request(method=request.method, target=target.path, headers=[*headers.items()])
        key = (target.server.host, target.server.port, target.by_tls)
        if (kept := self._idle.take(key)) is not None:
            try:
                return await self._exchange(key, kept, head, request.body, most_bytes)
            except ConnectionError:
                if kept.is_answering:
                    raise  # else it was closed while nothing was asked
        return await self._exchange(key, await self._connect(target), head, request.body, most_bytes)

    async def _exchange(
        self, key: tuple[str, int, bool], connection: Connection, head: h11.Request, body: bytes, most_bytes: int
    ) -> OutgoingReply:
        """Return the answer to a request; a reusable connection is kept.

        Raises OSError when the server does not answer.
        """
        is_reusable = False
        try:
            answer, content, is_whole = await connection.exchange(head, body, most_bytes)
            is_reusable = connection.is_reusable
        finally:
            if is_reusable:
                self._idle.put(key, connection)
            else:
                connection.close()
        told = {name.decode("ascii"): value.decode("latin-1") for name, value in answer.headers}
        return OutgoingReply(answer.status_code, told, content, is_whole)

    async def _connect(self, target: _Target) -> Connection:
        """Connect to a server, through the proxy if there is one for it. Raises OutgoingRefused, OSError."""
        if self._proxy is None or target.server.is_listed or target.server.is_loopback:
            return await self._connect_directly(target)
        await self._require_allowed_addresses(target.server)
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                return Connection(*await self._proxy.open_tunnel(target.server, self._trust))
        except TimeoutError:
            raise OSError("no connection through the proxy in time") from None

    async def _connect_directly(self, target: _Target) -> Connection:
        """Connect to the first address of a server that answers. Raises OutgoingRefused, OSError."""
        failure = OSError(f"{target.server.host} has no address")
        for address in (await self._list_addresses(target.server))[:_MOST_ADDRESSES]:
            try:
                async with asyncio.timeout(_CONNECT_SECONDS):
                    return Connection(
                        *await asyncio.open_connection(
                            str(address),
                            target.server.port,
                            ssl=self._trust if target.by_tls else None,
                            server_hostname=target.server.host if target.by_tls else None,
                        )
                    )
            except TimeoutError:
                failure = OSError("no connection in time")
            except ssl.SSLError as error:
                raise OSError(str(error)) from error
            except OSError as error:
                failure = OSError(os.strerror(error.errno) if error.errno else str(error))
        raise failure

    @cached_property
    def _trust(self) -> ssl.SSLContext:
        return httpx.create_ssl_context()

    def _read_anew(self, address: str) -> _Target:
        """Return an address that may be called. Raises OutgoingRefused."""
        try:
            server = self._hosts.find(address)
        except ValueError as error:
            raise OutgoingRefused(f"The address may not be called: {error}") from None
        url = httpx.URL(address)
        return _Target(server, url.scheme == "https", url.netloc.decode("ascii"), url.raw_path)

    def _require_named(self, server: Destination, hosts: Sequence[str] | None) -> None:
        """Raise OutgoingRefused when a firm, whose own list is `hosts`, may not name a server."""
        listed = self._named if hosts is None else hosts
        if listed is not None and not NamedHosts(listed).permit(server):
            raise OutgoingRefused(
                f"The address may not be called: {server.host} is not one of the hosts that this firm may name. Ask the"
                " operator to list it, in MEETDECK_OUTGOING_HOSTS or by `meetdeck tenant set ID --outgoing-hosts`."
            )

    async def _require_allowed_addresses(self, server: Destination) -> None:
        """Raise OutgoingRefused when a server's name leads to an address that may not be called; it may be unknown."""
        try:
            async with asyncio.timeout(_LOOKUP_SECONDS):
                await self._list_addresses(server)
        except OutgoingRefused:
            raise
        except OSError:  # TimeoutError among them
            return

    async def _list_addresses(self, server: Destination) -> Sequence[IpAddress]:
        """Return the addresses of a server. Raises OutgoingRefused when one is not allowed, OSError without any."""
        literal = read_ip(server.host)
        addresses = [literal] if literal is not None else await self._resolve(server.host, server.port)
        try:
            for address in addresses:
                server.require_allowed_at(address)
        except ValueError as error:
            raise OutgoingRefused(f"The address may not be called: {error}") from None
        return addresses

    async def _look_up(self, host: str, port: int) -> Sequence[IpAddress]:
        """Return the addresses of a name from the system, in its order; slow lookups wait for each other."""
        look_up = asyncio.get_running_loop().run_in_executor
        try:
            found = await look_up(self._threads, lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (socket.gaierror, UnicodeError) as error:
            raise OSError(f"{host} is not known: {error}") from None
        literals = (read_ip(str(place[0]).partition("%")[0]) for *_, place in found)
        return list(dict.fromkeys(literal for literal in literals if literal is not None))
