"""References in an SVG to anything outside of itself."""

import binascii
import re
from typing import Final
from xml.parsers import expat

from meetdeck.present.render.pictures.raster import is_raster

# LibreOffice reads every encoding; text that we decode differently could hide something.
_ENCODINGS: Final = frozenset({"utf-8", "utf-16", "us-ascii", "ascii", "iso-8859-1", "windows-1252"})
_MOST_MARKUP: Final = 1_000_000
_MOST_NESTED: Final = 256
_REFERENCES: Final = frozenset({"href", "src"})
_OUTSIDE_URL: Final = re.compile(r"@import|url\((?!\s*+[\"']?+\s*+(?:#|[\"']?+\s*+\)))", re.IGNORECASE)
_LINK: Final = re.compile(r"(?:https?|mailto|tel):|#|$", re.IGNORECASE)
_PUBLIC: Final = ("http://", "https://")
_PICTURE: Final = re.compile(r"data:image/[\w.+-]+(?:;[\w=.-]+)*;base64,(.*)", re.IGNORECASE | re.DOTALL)


class _LeadsOutside(Exception):  # noqa: N818 - a finding that ends the parse
    pass


def is_self_contained(svg: bytes) -> bool:
    """Return whether the SVG is well-formed, declares no entities, and refers only to itself and to pictures within."""
    if svg.count(b"<") > _MOST_MARKUP:
        return False
    try:
        _Reader().read(svg)
    except (_LeadsOutside, expat.ExpatError, LookupError, ValueError):  # the last two: an encoding nobody knows
        return False
    return True


class _Reader:
    """Follows an SVG to its end; raises _LeadsOutside at the first outside reference."""

    def __init__(self) -> None:
        self._open = list[str]()
        self._styles = list[str]()
        parser = self._parser = expat.ParserCreate(namespace_separator=" ")
        parser.XmlDeclHandler = self._check_declaration
        parser.StartDoctypeDeclHandler = self._check_doctype
        parser.ProcessingInstructionHandler = self._refuse
        parser.StartElementHandler = self._check_element
        parser.EndElementHandler = self._end_element
        parser.CharacterDataHandler = self._take_text

    def read(self, svg: bytes) -> None:
        self._parser.Parse(svg, True)  # noqa: FBT003 - expat takes it by position only

    def _refuse(self, *_: object) -> None:
        raise _LeadsOutside

    def _check_declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if encoding and encoding.lower() not in _ENCODINGS:
            raise _LeadsOutside

    def _check_doctype(
        self,
        _name: str,
        system_id: str | None,
        _public_id: str | None,
        has_internal_subset: bool,  # noqa: FBT001 - expat's signature
    ) -> None:
        if has_internal_subset or not (system_id or _PUBLIC[0]).startswith(_PUBLIC):
            raise _LeadsOutside

    def _check_element(self, element: str, attributes: dict[str, str]) -> None:
        self._open.append(element.rpartition(" ")[2])
        if len(self._open) > _MOST_NESTED:
            raise _LeadsOutside
        is_link = self._open[-1] == "a"  # to be clicked, not to be loaded
        for name, value in attributes.items():
            local = name.rpartition(" ")[2]
            if local in _REFERENCES and not (_LINK.match(value) if is_link else _stays_inside(value)):
                raise _LeadsOutside
            if local == "attributeName" and value.rpartition(":")[2] in _REFERENCES:
                raise _LeadsOutside
            self._check_style(value, is_css=local == "style")

    def _end_element(self, _element: str) -> None:
        if self._open.pop() == "style" and "style" not in self._open:
            self._check_style("".join(self._styles), is_css=True)
            self._styles.clear()

    def _take_text(self, text: str) -> None:
        """Collect style sheets, which arrive in pieces."""
        if "style" in self._open:
            self._styles.append(text)

    def _check_style(self, style: str, *, is_css: bool) -> None:
        """Refuse addresses, and in CSS the escapes that could spell them."""
        if _OUTSIDE_URL.search(style) or (is_css and "\\" in style):
            raise _LeadsOutside


def _stays_inside(reference: str) -> bool:
    """Return whether it is a fragment of the same SVG, or an inline raster picture (an inline SVG could nest)."""
    if reference.startswith("#") or not reference:
        return True
    picture = _PICTURE.fullmatch(reference)
    if picture is None:
        return False
    try:
        return is_raster(binascii.a2b_base64("".join(picture[1].split()), strict_mode=True))
    except (binascii.Error, ValueError):
        return False
