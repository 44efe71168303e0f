"""Hosts, as browsers write them: of pages that embed a portal's page, and of a portal's logo: pure."""

import ipaddress
import re
from typing import Final

import idna

from meetdeck.platform.phrases import phrase

_HOST: Final = re.compile(r"(?P<host>[^:]+)(?::(?P<port>[1-9][0-9]{0,4}))?", re.ASCII)
_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?", re.ASCII)
_URL: Final = re.compile(r"(?P<scheme>https?)://(?P<host>[^/?#\\@\s]+)(?=[/?#]|\Z)", re.IGNORECASE | re.ASCII)
_DEFAULT_PORT: Final = {"http": ":80", "https": ":443"}
_LONGEST_NAME: Final = 63
_LONGEST_HOST: Final = 253
_LAST_PORT: Final = 65_535


def read_host(text: str) -> str:
    """Return a host, with its port if there is one, in lower case and in ASCII. Raises ValueError."""
    found = _HOST.fullmatch(text)
    host = _to_ascii(found["host"]) if found else None
    if found is None or host is None or int(found["port"] or 0) > _LAST_PORT:
        shown = text if len(text) <= _LONGEST_HOST else f"{text[:_LONGEST_HOST]}…"
        raise ValueError(
            phrase(
                "'{shown}' is not a host: write a name like www.example.com, or one with its port like "
                "intranet.example.com:8443, without scheme, path, space or wildcard.",
                shown=shown,
            )
        )
    return f"{host}:{found['port']}" if found["port"] else host


def find_host(url: str) -> tuple[str, str] | None:
    """Return the scheme and the host, with a port that is not the scheme's, of an http or https address.

    None for any other text, including one that browsers might read differently from us.
    """
    found = _URL.match(url)
    if found is None:
        return None
    scheme = found["scheme"].lower()
    try:
        return scheme, read_host(found["host"]).removesuffix(_DEFAULT_PORT[scheme])
    except ValueError:
        return None


def _to_ascii(host: str) -> str | None:
    """Return a host's name in lower case and in ASCII (RFC 5891), or its IPv4 address; None when it is neither."""
    try:
        written = host.lower() if host.isascii() else idna.encode(host, uts46=True).decode()
    except (idna.IDNAError, UnicodeError):
        return None
    *_, last = names = written.split(".")
    is_host = len(written) <= _LONGEST_HOST and all(
        len(name) <= _LONGEST_NAME and _NAME.fullmatch(name) for name in names
    )
    return written if is_host and (not last.isdigit() or _is_ipv4(written)) else None


def _is_ipv4(text: str) -> bool:
    try:
        ipaddress.IPv4Address(text)
    except ValueError:
        return False
    return True
