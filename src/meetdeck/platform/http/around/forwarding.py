"""Requests that proxies pass on: the caller's address, and the path below which the installation is reached.

Only proxies named in the settings are trusted, and only about the caller: addresses in answers come from the settings
alone (docs/decisions/0091-behind-a-proxy.md).
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

import structlog
from litestar.types import ASGIApp, Receive, Scope, Send

from meetdeck.platform.settings import Network

IPAddress = IPv4Address | IPv6Address

_REMEMBERED: Final = 4096

_TOKEN: Final = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"  # noqa: S105 - RFC 9110, section 5.6.2
_PAIR: Final = rf'({_TOKEN})=({_TOKEN}|"(?:[^"\\]|\\.)*")'
_PAIRS: Final = re.compile(_PAIR)
_ELEMENT: Final = re.compile(rf"(?:{_PAIR})?(?:;(?:{_PAIR})?)*")

# A node of RFC 7239, section 6; X-Forwarded-For also has IPv6 without brackets.
_NODE: Final = re.compile(
    r"(?:([0-9.]+)|\[([0-9A-Fa-f:.]+)\])(?::(?:\d{1,5}|_[\w.-]+))?|([0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)"
)

_NAMES: Final = frozenset({b"forwarded", b"x-forwarded-for"})
_IGNORED: Final = (
    "its sender is not in MEETDECK_TRUSTED_PROXIES; if it is your proxy, all its callers are one network address: they "
    "share one rate limit, the times that an address may hold on portals (MEETDECK_ADDRESS_HELD_TIMES), and its mails"
)

log = structlog.stdlib.get_logger()

Headers = Iterable[tuple[bytes, bytes]]


class Proxies:
    """The proxies that are trusted about their callers' addresses."""

    def __init__(self, trusted: Sequence[Network]) -> None:
        self._trusted = trusted
        self.trusts = lru_cache(maxsize=_REMEMBERED)(self._trusts)
        """Returns True if a host, as named by the connection, is one of them."""

    def find_caller(self, peer: str, headers: Headers) -> str:
        """Return the address of the caller of the outermost trusted proxy; `peer` itself when it is not a proxy.

        `Forwarded` and `X-Forwarded-For` must agree when both are present: a proxy writes one of them, and the other
        may be the caller's own.
        """
        if not self.trusts(peer):
            return peer
        told = {
            self._walk(peer, read(b",".join(values).decode("latin-1")))
            for name, read in ((b"forwarded", _read_forwarded), (b"x-forwarded-for", _read_forwarded_for))
            if (values := [value for given, value in headers if given == name])
        }
        return told.pop() if len(told) == 1 else peer

    def _walk(self, peer: str, hops: Iterable[IPAddress | None]) -> str:
        """Return the first hop that is not trusted, nearest first; the last one known when an address is missing."""
        caller = peer
        for hop in hops:
            if hop is None:
                return caller
            caller = str(hop)
            if not self.trusts(caller):
                return caller
        return caller

    def _trusts(self, host: str) -> bool:
        address = _read_node(f"[{host}]" if ":" in host else host)
        return address is not None and any(address in network for network in self._trusted)


def _read_forwarded_for(value: str) -> Iterable[IPAddress | None]:
    """Yield the hops of X-Forwarded-For, nearest first; None for an invalid address."""
    return (_read_node(part.strip(" \t")) for part in reversed(value.split(",")))


def _read_forwarded(value: str) -> Iterable[IPAddress | None]:
    """Yield the hops of Forwarded (RFC 7239), nearest first; None for what is malformed, hidden or unknown.

    A comma inside quotes separates two elements here, neither of which is then well-formed.
    """
    return (_read_element(part.strip(" \t")) for part in reversed(value.split(",")))


def _read_element(element: str) -> IPAddress | None:
    if not _ELEMENT.fullmatch(element):
        return None
    nodes = [str(value) for name, value in _PAIRS.findall(element) if name.lower() == "for"]
    return _read_node(re.sub(r"\\(.)", r"\1", nodes[0].strip('"'))) if len(nodes) == 1 else None


def _read_node(text: str) -> IPAddress | None:
    found = _NODE.fullmatch(text)
    try:
        address = ip_address(found[1] or found[2] or found[3]) if found else None
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


class ForwardingMiddleware:
    """Sets the caller's address, and removes the installation's own path from addresses that a proxy left it in.

    `prefix` is the path of the public address, empty for none. If one of our own addresses begins like it (`ours` are
    their first steps), it is ambiguous, and must be removed by the proxy.
    """

    def __init__(self, app: ASGIApp, proxies: Proxies, prefix: str, ours: Iterable[str]) -> None:
        self._app = app
        self._proxies = proxies
        self._prefix = b"" if _first_step(prefix) in {*ours} else prefix.encode()
        self._has_told = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on as if the caller had sent it to us directly."""
        if scope["type"] == "http":
            client, raw_path = scope["client"], self._strip(scope["raw_path"])
            caller = client and (self._find_caller(client[0], scope["headers"]), client[1])
            if caller != client or raw_path != scope["raw_path"]:
                scope = {**scope, "client": caller, "raw_path": raw_path}
        await self._app(scope, receive, send)

    def _strip(self, path: bytes) -> bytes:
        is_below = self._prefix and path.startswith(self._prefix) and path[len(self._prefix) :][:1] in {b"", b"/"}
        return path[len(self._prefix) :] if is_below else path

    def _find_caller(self, peer: str, headers: Headers) -> str:
        if self._proxies.trusts(peer):
            return self._proxies.find_caller(peer, headers)
        if not self._has_told and not _NAMES.isdisjoint(dict(headers)):
            self._has_told = True
            log.warning("forwarding header ignored", why=_IGNORED)
        return peer


def _first_step(path: str) -> str:
    return path.lstrip("/").split("/", 1)[0]


def list_first_steps(paths: Iterable[str]) -> frozenset[str]:
    """Return the first steps of paths, such as `api` of `/api/v3`."""
    return frozenset(map(_first_step, paths)) - {""}
