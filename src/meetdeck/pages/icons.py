"""Lucide's icons (ISC) as SVG inside a page: they have the text's color, and need no request."""

import re
from functools import cache
from pathlib import Path
from typing import Final

from markupsafe import Markup

_FOLDER: Final = Path(__file__).parent.parent / "web/assets/lucide"
_DRAWING: Final = re.compile(r"<svg[^>]*>(.*)</svg>", re.DOTALL)
_BETWEEN: Final = re.compile(r"\s*\n\s*")
_SVG: Final = Markup('<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">{}</svg>')
_NAMED: Final = Markup('<symbol id="{0}" viewBox="0 0 24 24">{1}</symbol><use href="#{0}"/>')
_AGAIN: Final = Markup('<svg class="icon"><use href="#{}"/></svg>')


WAY_ICONS: Final = {"Physical": "map-pin", "Online": "video", "Telephone": "phone", "Offsite": "building-2"}
"""The icons of the ways to meet."""


@cache
def icon(name: str, element_id: str = "") -> Markup:
    """Return an icon of the locked package by its name there, hidden from screen readers: there is text beside it.

    With an id, `icon_again` draws it on the same page in a few bytes. The folder has only the icons that
    `assets/package.json` names. Raises FileNotFoundError.
    """
    drawing = _DRAWING.search((_FOLDER / f"{name}.svg").read_text(encoding="utf-8"))
    lines = Markup(_BETWEEN.sub("", drawing[1]) if drawing else "")  # noqa: S704 - a file of ours
    return _SVG.format(_NAMED.format(element_id, lines) if element_id else lines)


@cache
def icon_again(element_id: str) -> Markup:
    """Return an icon that is already on the page, by its id."""
    return _AGAIN.format(element_id)
