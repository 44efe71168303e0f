"""Calls to addresses that others chose: webhooks, data services, calendars, logos (docs/decisions/0114).

Only what `destinations.py` allows is called, by the very address that was checked: a name is looked up once, all of its
addresses are checked, and one of these is connected to. Redirects are not followed, and no proxy of the environment is
used.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from http import HTTPStatus
from typing import Final, NamedTuple, cast

import httpcore
import httpx

from meetdeck.platform.destinations import Destination, IpAddress, ListedHosts, read_ip
from meetdeck.platform.tracing import Kind, measure

_MOST_CONNECTIONS: Final = 100
_MOST_IDLE: Final = 50
_MOST_ADDRESSES: Final = 4  # of a name, that are tried
_CONNECT_SECONDS: Final = 5.0  # for each of them
_LOOKUPS: Final = 16
_LOOKUP_SECONDS: Final = 3.0
_CALL: Final = Kind(calls_out=True)
_FAILURES: Final = (
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.TimeoutException,
    httpcore.UnsupportedProtocol,
)

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
    """How long a call may take in all, and how much of the answer's body is read; the rest is left."""

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


class OutgoingClient:
    """Calls addresses that others chose; whoever opened it closes it."""

    def __init__(self, listed: Iterable[str] = (), *, resolve: Resolve | None = None) -> None:
        self._hosts = ListedHosts(listed)
        self._threads = ThreadPoolExecutor(_LOOKUPS, "lookup")
        self._resolve = resolve or self._look_up

    async def require_allowed(self, address: str) -> None:
        """Raise OutgoingRefused when an address may not be called; one whose name leads nowhere yet may."""
        found = self._find(address)
        try:
            async with asyncio.timeout(_LOOKUP_SECONDS):
                await self._list_addresses(found)
        except OutgoingRefused:
            raise
        except OSError:  # TimeoutError among them
            return

    def require_well_formed(self, address: str) -> None:
        """Raise OutgoingRefused when an address may not be called, wherever its name leads."""
        self._find(address)

    async def send(self, request: OutgoingRequest, limits: Limits) -> OutgoingReply:
        """Return the answer to a call.

        Raises OutgoingRefused when the address may not be called, and OSError when no answer comes in time.
        """
        self._find(request.address)
        url = httpx.URL(request.address)
        headers = {"Host": url.netloc.decode("ascii"), "Accept-Encoding": "identity", **request.headers}
        try:
            with measure(request.method, _CALL, **{"http.request.method": request.method}):
                async with (
                    asyncio.timeout(limits.seconds),
                    self._pool.stream(
                        request.method,
                        httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
                        headers=[(name.encode(), value.encode("latin-1")) for name, value in headers.items()],
                        content=request.body or None,
                    ) as answer,
                ):
                    body, is_whole = await _read(answer, limits.most_bytes)
        except TimeoutError:
            raise OSError(f"no answer within {limits.seconds:g} seconds") from None
        except _FAILURES as error:
            raise OSError(_explain(error)) from error
        return OutgoingReply(answer.status, _read_headers(answer), body, is_whole)

    async def close(self) -> None:
        """Close what is open."""
        if "_pool" in self.__dict__:
            await self._pool.aclose()
        self._threads.shutdown(wait=False, cancel_futures=True)

    @cached_property
    def _pool(self) -> httpcore.AsyncConnectionPool:
        return httpcore.AsyncConnectionPool(
            ssl_context=httpx.create_ssl_context(),
            max_connections=_MOST_CONNECTIONS,
            max_keepalive_connections=_MOST_IDLE,
            keepalive_expiry=5.0,
            network_backend=_CheckedNetwork(self._find_addresses),
        )

    def _find(self, address: str) -> Destination:
        try:
            return self._hosts.find(address)
        except ValueError as error:
            raise OutgoingRefused(f"The address may not be called: {error}") from None

    async def _find_addresses(self, host: str, port: int) -> Sequence[IpAddress]:
        return await self._list_addresses(self._hosts.name(host, port))

    async def _list_addresses(self, destination: Destination) -> Sequence[IpAddress]:
        """Return the addresses of a server. Raises OutgoingRefused when one is not allowed, OSError without any."""
        literal = read_ip(destination.host)
        addresses = [literal] if literal is not None else await self._resolve(destination.host, destination.port)
        try:
            for address in addresses:
                destination.require_public(address)
        except ValueError as error:
            raise OutgoingRefused(f"The address may not be called: {error}") from None
        return addresses

    async def _look_up(self, host: str, port: int) -> Sequence[IpAddress]:
        """Return the addresses of a name as the system knows them, in its order; slow lookups wait for each other."""
        look_up = asyncio.get_running_loop().run_in_executor
        try:
            found = await look_up(self._threads, lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (socket.gaierror, UnicodeError) as error:
            raise OSError(f"{host} is not known: {error}") from None
        literals = (read_ip(str(place[0]).partition("%")[0]) for *_, place in found)
        return list(dict.fromkeys(literal for literal in literals if literal is not None))


class _CheckedNetwork(httpcore.AsyncNetworkBackend):
    """Connects to addresses that were checked."""

    def __init__(self, find_addresses: Resolve) -> None:
        self._find_addresses = find_addresses
        self._network = cast("httpcore.AsyncNetworkBackend", httpcore.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's interface
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first address of a host that answers."""
        del timeout
        failure: Exception = httpcore.ConnectError(f"{host} has no address")
        for address in (await self._find_addresses(host, port))[:_MOST_ADDRESSES]:
            try:
                return await self._network.connect_tcp(
                    str(address), port, _CONNECT_SECONDS, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's interface
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Raise OutgoingRefused: sockets of this machine are not called."""
        del path, timeout, socket_options
        raise OutgoingRefused("Sockets of this machine are not called.")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


async def _read(answer: httpcore.Response, most: int) -> tuple[bytes, bool]:
    """Return the begin of an answer's body, and whether that is all."""
    body = bytearray()
    async for piece in answer.aiter_stream():
        body += piece
        if len(body) > most:
            return bytes(body[:most]), False
    return bytes(body), True


def _read_headers(answer: httpcore.Response) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in answer.headers}


def _explain(error: Exception) -> str:
    is_late = isinstance(error, httpcore.ConnectTimeout)
    return str(error) or ("no connection in time" if is_late else "the connection was lost")
