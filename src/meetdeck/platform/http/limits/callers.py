"""The network address of a caller."""

from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Final

from litestar.types import Scope

_OF_ONE_CALLER: Final = 64  # bits: the smallest network that is assigned to a household or a firm (RFC 6177)


def find_caller_address(scope: Scope) -> str:
    """Return the address that a request came from, an IPv6 one as its network; empty when it is not known."""
    client = scope["client"]
    return name_network(client[0]) if client is not None else ""


@lru_cache(maxsize=1024)
def name_network(host: str) -> str:
    """Return the address of a host, an IPv6 one as its network; for a name, the host itself."""
    try:
        address = ip_address(host)
    except ValueError:  # a Unix socket has none
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or IPv6Network((int(address), _OF_ONE_CALLER), strict=False))
