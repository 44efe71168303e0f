"""Raster pictures, recognized as LibreOffice does: by their first bytes."""

import re
from typing import Final

from meetdeck.present.deck.program.images.headers import picture_format

_KINDS: Final = frozenset({"png", "jpeg", "gif", "tiff", "webp"})
# LibreOffice would try a file that begins with BM, but differs from this, as something else.
_BITMAP: Final = re.compile(rb"BM.{4}(?:\0{4}|.{8}[\x28\x0c])", re.DOTALL)
_OS2_METAFILE: Final = 0xD3


def is_raster(picture: bytes) -> bool:
    """Return whether LibreOffice, too, treats the picture as a PNG, JPEG, GIF, BMP, TIFF or WebP; whole or not."""
    kind = picture_format(picture)
    return kind in _KINDS or (kind == "bmp" and _is_bitmap(picture))


def _is_bitmap(picture: bytes) -> bool:
    """Return whether a BMP is not an OS/2 metafile as well, which LibreOffice tries first."""
    if not _BITMAP.match(picture):
        return False
    next_mark = int.from_bytes(picture[:2], "big") + 2  # may lie behind the picture, if that is part of another
    return picture[2] != _OS2_METAFILE or (len(picture) > next_mark and picture[next_mark] != _OS2_METAFILE)
