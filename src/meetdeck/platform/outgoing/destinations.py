"""Addresses that may be called: public ones by https, and those that the operator lists (docs/decisions/0114); pure.

With the demo data, loopback may be called too, since a developer's first receiver runs there (docs/decisions/0150).
"""

import ipaddress
from collections.abc import Collection, Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Final, NamedTuple

import httpx

from meetdeck.platform.outgoing.addresses import check_address

IpAddress = IPv4Address | IPv6Address

_PORTS: Final = {"https": 443, "http": 80}
LONGEST: Final = 2_000
_BELOW: Final = "*."
_LOOPBACK_IPV4: Final = IPv4Network("127.0.0.0/8")
_LOOPBACK_IPV6: Final = IPv6Address("::1")

# In addition to what `ipaddress` knows to be special.
_SPECIAL_IPV4: Final = tuple(
    IPv4Network(network)
    for network in (
        "192.0.0.0/24",  # protocol assignments; a cloud's metadata among them
        "192.88.99.0/24",  # 6to4 relays
        "168.63.129.16/32",  # a cloud's host, as each of its machines sees it
    )
)
_UNICAST: Final = IPv6Network(
    "2000::/3"
)  # so that nothing mapped (::ffff:0:0/96), translated (64:ff9b::/96) or local is
_SPECIAL_IPV6: Final = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments, Teredo among them
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: an IPv4 address inside
        "3fff::/20",  # documentation
    )
)


class Destination(NamedTuple):
    """A server; `is_listed`: the operator allows it, even if private or plain.

    `is_loopback`: it may also be called plainly, if its address is this machine's own.
    """

    host: str
    port: int
    is_listed: bool
    is_loopback: bool = False

    def require_allowed_at(self, address: IpAddress) -> None:
        """Raise ValueError when the host may not be called at one of its addresses."""
        if self.is_listed or (is_loopback(address) if self.is_loopback else is_public(address)):
            return
        wanted = "this machine's own" if self.is_loopback else "public"
        raise ValueError(f"{self.host} leads to an address that is not {wanted}. {self.advice}")

    @property
    def advice(self) -> str:
        """Return how the operator can let the server be called."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return (
            f"In the test environment, set MEETDECK_OUTGOING_ALLOW={host}:{self.port} and restart Meetdeck; separate "
            "several hosts by commas. In production, ask the operator to list the host there."
        )


class AllowedHosts:
    """The hosts that may be called though they are private or plain: those listed, some with a port.

    `closed_ports`: loopback may be called as well, at every port but these; None: it may not.
    """

    def __init__(self, listed: Iterable[str] = (), closed_ports: Collection[int] | None = None) -> None:
        self._listed = frozenset(map(read_listed, listed))
        self._closed_ports = closed_ports

    def find(self, text: str) -> Destination:
        """Return the server that an http or https address names. Raises ValueError when it may not be called.

        Its name is not resolved: see `Destination.require_allowed_at`.
        """
        address, _, query = text.partition("?")
        if "@" in address.partition("//")[2].partition("/")[0] or "#" in text:
            raise ValueError("it must have no user, no password and no fragment")
        check_address(address)
        if not query.isascii() or not query.isprintable() or " " in query or len(text) > LONGEST:
            raise ValueError(
                f"its query has characters that addresses cannot have, or it has more than {LONGEST:,} characters"
            )
        url = httpx.URL(address)
        found = self.name(url.raw_host.decode("ascii"), url.port or _PORTS[url.scheme])
        if found.is_listed or found.is_loopback:
            return found
        if self._closed_ports is not None and _names_loopback(found.host):
            raise ValueError(f"port {found.port} is one of Meetdeck's own or its database's. {found.advice}")
        if url.scheme != "https":
            raise ValueError(f"it must begin with https://. {found.advice}")
        if _names_loopback(found.host):
            raise ValueError(f"it leads to this machine itself, and is not public. {found.advice}")
        if (literal := read_ip(found.host)) is not None:
            found.require_allowed_at(literal)
        return found

    def name(self, host: str, port: int) -> Destination:
        """Return a server by its host and port."""
        host = host.removesuffix(".")
        is_open = self._closed_ports is not None and port not in self._closed_ports
        return Destination(
            host,
            port,
            is_listed=not self._listed.isdisjoint({(host, None), (host, port)}),
            is_loopback=is_open and _names_loopback(host),
        )


class NamedHosts:
    """The hosts that a firm may name for calls, some with a port; `*.bank.example` is every host below that one."""

    def __init__(self, listed: Iterable[str]) -> None:
        entries = [(text.startswith(_BELOW), read_named(text)) for text in listed]
        self._exact = frozenset(entry for is_below, entry in entries if not is_below)
        self._below = [(f".{host}", port) for is_below, (host, port) in entries if is_below]

    def permit(self, server: Destination) -> bool:
        """Return whether a server is one of them."""
        if not self._exact.isdisjoint({(server.host, None), (server.host, server.port)}):
            return True
        return any(server.host.endswith(end) and port in {None, server.port} for end, port in self._below)


def read_named(text: str) -> tuple[str, int | None]:
    """Return the host of an entry like `crm.bank.example`, `crm.bank.example:8443` or `*.bank.example`, and its port.

    Raises ValueError.
    """
    if "*" in text.removeprefix(_BELOW):
        raise ValueError(f"{text!r} has a * that is not its beginning: *.bank.example is every host below bank.example")
    return read_listed(text.removeprefix(_BELOW))


def read_listed(text: str) -> tuple[str, int | None]:
    """Return the host of an entry like `crm.intranet`, `10.0.0.5:8080` or `[::1]:8080`, and its port; None: any.

    Raises ValueError.
    """
    try:
        entry = f"[{text}]" if text.count(":") > 1 and not text.startswith("[") else text
        url = httpx.URL(check_address(f"http://{entry}"))
        if url.path in {"", "/"} and not text.endswith("/"):
            explicit = entry.rpartition("]")[2].rpartition(":")[2] if ":" in entry.rpartition("]")[2] else None
            return url.raw_host.decode("ascii").removesuffix("."), int(explicit) if explicit else None
    except ValueError:
        pass
    raise ValueError(
        f"{text!r} is not a host: write a name or address, like crm.intranet or 10.0.0.5, perhaps with a port, like "
        "crm.intranet:8080; several are separated by commas"
    )


def is_public(address: IpAddress) -> bool:
    """Return whether an address is one of a server on the Internet: nothing private, shared, mapped or reserved."""
    if isinstance(address, IPv4Address):
        return address.is_global and not address.is_multicast and not _is_in(address, _SPECIAL_IPV4)
    return address in _UNICAST and address.is_global and not _is_in(address, _SPECIAL_IPV6)


def is_loopback(address: IpAddress) -> bool:
    """Return whether an address is in 127.0.0.0/8 or ::1, and not mapped from IPv4."""
    return address in _LOOPBACK_IPV4 if isinstance(address, IPv4Address) else address == _LOOPBACK_IPV6


def read_ip(host: str) -> IpAddress | None:
    """Return the IP address in a host, None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _names_loopback(host: str) -> bool:
    """Return whether a host is this machine by its name or address, without resolving a name."""
    if (literal := read_ip(host)) is not None:
        return is_loopback(literal)
    return host == "localhost" or host.endswith(".localhost")


def _is_in(address: IpAddress, networks: Iterable[IPv4Network | IPv6Network]) -> bool:
    return any(address in network for network in networks)
