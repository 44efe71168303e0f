"""Hyperlink addresses from the data: which may stand in a deck, and how a value becomes part of one (RFC 3986)."""

from typing import Final
from urllib.parse import quote, urlsplit

_SAFE_SCHEMES: Final = frozenset({"http", "https", "mailto", "tel", "sms"})
# What Office takes at most.
_LONGEST_ADDRESS: Final = 2_083
_PUNCTUATION: Final = ":/?#[]@!$&'()*+,;=%-._~"
_UNRESERVED: Final = "-._~"


def is_safe_address(address: str) -> bool:
    """Say whether an address from the data may stand in a deck: web, mail and telephone, no scripts, no files.

    A relative address is a file for PowerPoint, `//server/share` one that it would log in for.
    """
    try:
        return len(address) <= _LONGEST_ADDRESS and urlsplit(address).scheme.lower() in _SAFE_SCHEMES
    except ValueError:
        return False


def encode_address(text: str, *, whole: bool) -> str:
    """Percent-encode a value: one that begins an address keeps its punctuation, a part of one does not."""
    return quote(text.strip(), safe=_PUNCTUATION if whole else _UNRESERVED)
