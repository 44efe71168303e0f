"""Pictures that can do more than be seen: an SVG that leads to other files, a PostScript program.

LibreOffice draws the local files that an SVG names into the PDF, whatever its security settings say, and hands
PostScript to an interpreter. PowerPoint draws neither, so such a picture is replaced by an empty one.
"""

import base64
import binascii
import re
import zlib
from typing import Final
from xml.parsers import expat

EMPTY_SVG: Final = b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'

_HEAD_BYTES: Final = 4096  # LibreOffice looks for the root element in the first half of this
_MAX_UNPACKED: Final = 64 * 2**20
_GZIP: Final = b"\x1f\x8b"
_POSTSCRIPT: Final = (b"%!", b"\xc5\xd0\xd3\xc6")
_RASTER: Final = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8", b"BM", b"RIFF", b"II*\0", b"MM\0*")
_SVG_ROOT: Final = ("<svg", "DOCTYPE svg")
_SVG_MARKS: Final = tuple(mark.encode(code) for mark in _SVG_ROOT for code in ("ascii", "utf-16-le", "utf-16-be"))
_OUTSIDE_URL: Final = re.compile(r"@import|url\(\s*[\"']?(?!#)[^\s\"']", re.IGNORECASE)


def defuse(picture: bytes) -> bytes:
    """Return the picture, or an empty one when it may reach outside of itself."""
    if picture.startswith(_RASTER):
        return picture
    if picture.startswith(_POSTSCRIPT):
        return EMPTY_SVG
    plain = _gunzip(picture) if picture.startswith(_GZIP) else picture
    if not any(mark in plain[:_HEAD_BYTES] for mark in _SVG_MARKS):
        return picture
    return plain if _is_self_contained(plain) else EMPTY_SVG


def _gunzip(picture: bytes) -> bytes:
    """Unpack up to a limit; what is not gzip, or longer, is left to be refused as malformed."""
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(picture, _MAX_UNPACKED)
    except zlib.error:
        return picture


class _LeadsOutside(Exception):  # noqa: N818 - a finding that ends the parse
    pass


def _is_self_contained(svg: bytes) -> bool:
    """Tell whether the SVG is well-formed, declares no entities, and refers only to itself and to pictures within."""
    parser = expat.ParserCreate(namespace_separator=" ")

    def refuse(*_: object) -> None:
        raise _LeadsOutside

    def check_doctype(_name: str, _system_id: str | None, _public_id: str | None, has_internal_subset: bool) -> None:  # noqa: FBT001 - expat's signature
        if has_internal_subset:
            raise _LeadsOutside

    def check_element(element: str, attributes: dict[str, str]) -> None:
        is_link = element.rpartition(" ")[2] == "a"  # to be clicked, not to be loaded
        for name, value in attributes.items():
            is_reference = name.rpartition(" ")[2] in {"href", "src"} and not is_link
            if (is_reference and not _stays_inside(value)) or _OUTSIDE_URL.search(value):
                raise _LeadsOutside

    def check_text(text: str) -> None:
        if _OUTSIDE_URL.search(text):
            raise _LeadsOutside

    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = check_doctype
    parser.ProcessingInstructionHandler = refuse
    parser.StartElementHandler = check_element
    parser.CharacterDataHandler = check_text
    try:
        parser.Parse(svg, True)  # noqa: FBT003 - expat takes it by position only
    except (_LeadsOutside, expat.ExpatError, LookupError, ValueError):
        return False
    return True


def _stays_inside(reference: str) -> bool:
    """Accept a fragment of the same SVG, or a raster picture written out in place (an SVG in place could nest)."""
    if reference.startswith("#") or not reference:
        return True
    head, _, data = reference.partition(";base64,")
    if not head.startswith("data:image/"):
        return False
    try:
        return base64.b64decode("".join(data.split())[:32]).startswith(_RASTER)
    except (binascii.Error, ValueError):
        return False
