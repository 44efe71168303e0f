"""Which addresses may be called: public ones by https, and what the operator lists (docs/decisions/0114); pure."""

import ipaddress
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Final, NamedTuple

import httpx

from meetdeck.platform.addresses import check_address

IpAddress = IPv4Address | IPv6Address

_PORTS: Final = {"https": 443, "http": 80}
LONGEST: Final = 2_000

# Beside what `ipaddress` knows to be special.
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
    """A server; `is_listed`: the operator allows it, private and plain too."""

    host: str
    port: int
    is_listed: bool

    def require_public(self, address: IpAddress) -> None:
        """Raise ValueError when the host's address is not public, unless the operator lists the host."""
        if not self.is_listed and not is_public(address):
            raise ValueError(
                f"{self.host} leads to an address that is not public. Only public ones are called, and hosts that the "
                "operator lists in MEETDECK_OUTGOING_ALLOW."
            )


class ListedHosts:
    """Hosts, and hosts with a port, that may be called though they are private or plain."""

    def __init__(self, listed: Iterable[str] = ()) -> None:
        self._listed = frozenset(map(read_listed, listed))

    def find(self, text: str) -> Destination:
        """Return the server that an http or https address names. Raises ValueError when it may not be called.

        What its name leads to is not looked up: see `Destination.require_public`.
        """
        address, _, query = text.partition("?")
        if "@" in address.partition("//")[2].partition("/")[0] or "#" in text:
            raise ValueError("it must have no user, no password and no fragment")
        check_address(address)
        if not query.isascii() or not query.isprintable() or " " in query or len(text) > LONGEST:
            raise ValueError(f"it has signs in its query that stand in no address, or more than {LONGEST:,} characters")
        url = httpx.URL(address)
        found = self.name(url.raw_host.decode("ascii"), url.port or _PORTS[url.scheme])
        if not found.is_listed and url.scheme != "https":
            raise ValueError("it must begin with https://")
        if not found.is_listed and (found.host == "localhost" or found.host.endswith(".localhost")):
            raise ValueError("it leads to this machine itself; only public addresses are called")
        if (literal := read_ip(found.host)) is not None:
            found.require_public(literal)
        return found

    def name(self, host: str, port: int) -> Destination:
        """Return a server by its host and port."""
        host = host.removesuffix(".")
        return Destination(host, port, not self._listed.isdisjoint({(host, None), (host, port)}))


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
        f"{text!r} is no host: write a name or address, like crm.intranet or 10.0.0.5, perhaps with a port, like "
        "crm.intranet:8080; several are separated by commas"
    )


def is_public(address: IpAddress) -> bool:
    """Return whether an address is one of a server on the Internet: nothing private, shared, mapped or reserved."""
    if isinstance(address, IPv4Address):
        return address.is_global and not address.is_multicast and not _is_in(address, _SPECIAL_IPV4)
    return address in _UNICAST and address.is_global and not _is_in(address, _SPECIAL_IPV6)


def read_ip(host: str) -> IpAddress | None:
    """Return the IP address that a host is written as, None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _is_in(address: IpAddress, networks: Iterable[IPv4Network | IPv6Network]) -> bool:
    return any(address in network for network in networks)
