"""Removal of the parts that LibreOffice must not see; it recognizes a picture by its bytes, whatever its name.

An SVG or a PDF can name other files, which LibreOffice draws whatever its security settings; a metafile can hold an SVG
or a PDF; PostScript is a program; an OLE or ZIP file is a document that may do all of that. So nothing is searched for
bad content: a part is passed on if its kind is named here and it was followed to its end, and is replaced by an empty
picture otherwise (docs/decisions/0042).
"""

import re
import zlib
from typing import Final

from meetdeck.present.deck.opc.xml import MarkupError, parse
from meetdeck.present.render.pictures.emf import clean_emf, is_emf
from meetdeck.present.render.pictures.raster import is_raster
from meetdeck.present.render.pictures.svg import is_self_contained
from meetdeck.present.render.pictures.wmf import clean_wmf, is_wmf

EMPTY_SVG: Final = b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'

_MOST_UNPACKED: Final = 64 * 2**20
_MOST_NESTED: Final = 4  # pictures in pictures; what programs write has one
_GZIP: Final = b"\x1f\x8b"
_FONT: Final = re.compile(rb".{8}(?:\0\0\x01\0|[\x01\x02]\0\x02\0).{22}LP", re.DOTALL)  # Embedded OpenType
_MARKUP: Final = re.compile(rb"\xff\xfe|\xfe\xff|(?:\xef\xbb\xbf)?\s*<")
_VML_ROOT: Final = "xml"
_OFFICE_VOCABULARIES: Final = (
    "http://schemas.openxmlformats.org/",
    "http://purl.oclc.org/ooxml/",
    "http://schemas.microsoft.com/",
    "urn:schemas-microsoft-com:",
)


def defuse(part: bytes) -> bytes:
    """Return the part without pictures that must not be seen, or an empty picture instead."""
    if part.startswith(_GZIP):
        unpacked = _unpack(part)
        return EMPTY_SVG if unpacked is None or unpacked.startswith(_GZIP) else defuse(unpacked)
    if _MARKUP.match(part):
        return _check_markup(part)
    if _FONT.match(part) and int.from_bytes(part[:4], "little") == len(part):
        return part
    return _clean(part, 0) or EMPTY_SVG


def leads_nowhere(markup: bytes) -> bool:
    """Return whether well-formed XML refers to nothing outside of it, should LibreOffice take it for an SVG."""
    return not _resembles_svg(markup) or is_self_contained(markup)


def is_office_vocabulary(namespace: str) -> bool:
    """Return whether a root in this namespace belongs to a presentation, and not to another kind of document."""
    return namespace.startswith(_OFFICE_VOCABULARIES)


def _check_markup(markup: bytes) -> bytes:
    """Return an SVG without outside references, or a part with an unusual name (VML has one); else an empty picture."""
    if _resembles_svg(markup):
        return markup if is_self_contained(markup) else EMPTY_SVG
    try:
        root = parse(markup)
    except MarkupError:
        return EMPTY_SVG
    namespace = root.tag[1:].partition("}")[0] if root.tag[0] == "{" else ""
    return markup if is_office_vocabulary(namespace) or root.tag == _VML_ROOT else EMPTY_SVG


def _resembles_svg(markup: bytes) -> bool:
    """Return whether LibreOffice could take it for an SVG, which needs no root of that name."""
    if b"\0" in markup[:4]:  # UTF-16
        return b"s\0v\0g" in markup
    return b"svg" in markup and (b"<svg" in markup or b"DOCTYPE" in markup)


def _clean(picture: bytes, depth: int) -> bytes | None:
    """Return a raster picture unchanged, a metafile cleaned, and None for everything else."""
    if is_raster(picture):
        return picture
    if depth < _MOST_NESTED and is_emf(picture):
        return clean_emf(picture, lambda inner: _clean(inner, depth + 1))
    if depth < _MOST_NESTED and is_wmf(picture):
        return clean_wmf(picture, lambda inner: _clean(inner, depth + 1))
    return None


def _unpack(packed: bytes) -> bytes | None:
    """Return the content of one whole gzip member with the right checksum and length, and nothing after it; else None.

    LibreOffice checks neither, and unpacks what it can.
    """
    stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        unpacked = stream.decompress(packed, _MOST_UNPACKED)
    except zlib.error:
        return None
    return unpacked if stream.eof and not stream.unused_data else None
