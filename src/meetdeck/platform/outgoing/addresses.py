"""Web addresses: whether they are valid, and calls to them private."""

import ipaddress
import re
from urllib.parse import urlsplit

import httpx

_HOST = re.compile(r"(?!-)[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|[0-9a-f:.]*:[0-9a-f:.]*")
_LAST_PORT = 65535
_LONGEST_LABEL = 63
_BYTES_OF_IPV4 = 4
_UNSPECIFIED = {"0.0.0.0", "::"}  # noqa: S104 - nothing is bound to them here
_PATH = re.compile(r"(?:/(?!\.{1,2}(?:/|$))(?:[\w.~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*)*", re.ASCII)  # RFC 3986, no dots


def check_address(text: str) -> str:
    """Return an `http` or `https` address unchanged. Raises ValueError, which does not repeat it.

    It has a host, and no user, query or fragment: paths are appended to it.
    """
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL as error:
        raise ValueError(f"it is not a web address ({error})") from None
    if url.scheme not in {"http", "https"}:
        raise ValueError("it must begin with https:// or http://")
    if not _names_host(url.raw_host.decode("ascii")):
        raise ValueError("it names no host")
    if url.host in _UNSPECIFIED:
        raise ValueError(f"{url.host} is an address to listen on, not one that can be called")
    if url.port is not None and not 0 < url.port <= _LAST_PORT:
        raise ValueError(f"a port is a number from 1 to {_LAST_PORT}")
    if url.userinfo or "?" in text or "#" in text or any(sign.isspace() for sign in text):
        raise ValueError("it must have no user, no query, no fragment and no space")
    if not _PATH.fullmatch(urlsplit(text).path):
        raise ValueError("its path must have no steps back (..), and only characters that are allowed in addresses")
    return text


def _names_host(host: str) -> bool:
    *_, last = labels = host.removesuffix(".").split(".")
    is_number = last.isdigit() and len(labels) != _BYTES_OF_IPV4  # browsers take it for an address in numbers
    return bool(_HOST.fullmatch(host)) and not is_number and max(map(len, labels)) <= _LONGEST_LABEL


def is_private(text: str) -> bool:
    """Return whether calls to an address cannot be read or changed on the way: https, or this machine itself."""
    return httpx.URL(text).scheme == "https" or is_loopback(text)


def is_loopback(text: str) -> bool:
    """Return whether an address leads to this machine itself."""
    return names_this_machine(httpx.URL(text).host)


def names_this_machine(host: str) -> bool:
    """Return whether a host is this machine itself, by its name, its address, or as the folder of a socket."""
    if host == "localhost" or host.endswith(".localhost") or host.startswith("/"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
