"""Settings about callers: the origins of browsers' pages, and the networks of proxies."""

import ipaddress
from ipaddress import IPv4Network, IPv6Network
from typing import Final
from urllib.parse import urlsplit

import httpx

from meetdeck.platform.outgoing import check_address

Network = IPv4Network | IPv6Network

ANY_ORIGIN: Final = "*"


def check_origin(text: str) -> str:
    """Return an origin as browsers send it: scheme, host in lower case, and a port unless it is the scheme's own.

    Raises ValueError.
    """
    try:
        url = httpx.URL(check_address(text).lower())
    except ValueError as error:
        reason = str(error)
    else:
        if not urlsplit(text).path:
            return f"{url.scheme}://{url.netloc.decode('ascii')}"
        reason = "it has a path, if only a slash"
    raise ValueError(
        f"{text.rpartition('@')[2]} is not an origin: {reason}. An origin is scheme://host or scheme://host:port, such"
        f" as https://app.example.com; several are separated by commas, and {ANY_ORIGIN} alone is every origin"
    )


def read_networks(text: str) -> tuple[Network, ...]:
    """Return the networks in a list such as `10.0.0.0/8, ::1`; a single address is a network of one. Raises ValueError.

    A network of everybody is refused.
    """
    networks: list[Network] = []
    for name in filter(None, map(str.strip, text.split(","))):
        try:
            network = ipaddress.ip_network(name)
        except ValueError as error:
            raise ValueError(f"{name!r} is not an IP address and no network such as 10.0.0.0/8 ({error})") from None
        if network.prefixlen == 0:
            raise ValueError(f"{name} includes every address: name the addresses or networks of your proxies")
        networks.append(network)
    return tuple(networks)
