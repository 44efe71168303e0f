"""Addresses for the links in made pages, which name their targets (`manual:page/NAME`, `manual:image/NAME` …); pure.

A page is the same whether it is served, below any path, or opened from disk; only the addresses differ.
"""

import posixpath
import re
from collections.abc import Callable
from typing import Final

_LINK: Final = re.compile(r"manual:(page|image|file|base|root)/([^\"#]*)")
_OF_INSTALLATION: Final = re.compile(r'<a [^>]*href="manual:root/[^>]*>.*?</a>', re.DOTALL)

HOME: Final = "index"

Place = Callable[[str, str], str]
"""Returns the address of a target, by its kind and name, from the root of the installation or folder."""


def place_links(html: str, at: str, place: Place) -> str:
    """Return a page with relative links, from its own address `at` to those that `place` gives."""
    folder = posixpath.dirname(at)

    def write(link: re.Match[str]) -> str:
        target = place(link[1], link[2])
        address = posixpath.relpath(target, folder or ".")
        if address == ".":
            return "./" if target.endswith("/") else f"../{posixpath.basename(target)}"
        return address + ("/" if target.endswith("/") else "")

    return _LINK.sub(write, html)


def remove_links_to_installation(html: str) -> str:
    """Return a page without links to other pages of an installation, such as the API page."""
    return _OF_INSTALLATION.sub("", html)
