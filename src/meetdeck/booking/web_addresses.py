"""Addresses of the web that a firm gives: of a logo, of its privacy notice."""

from typing import Final
from urllib.parse import urlsplit

NO_WEB_ADDRESS: Final = "Write an address that begins with https:// or http://, or leave it empty."
"""The fault of a text that is no such address."""


def is_web_address(text: str) -> bool:
    """Return whether a text is an http or https address of a host, in printable characters without blanks."""
    try:
        parts = urlsplit(text)
        scheme = parts.scheme if parts.hostname else ""
    except ValueError:
        return False
    return scheme in {"http", "https"} and text.isprintable() and " " not in text
