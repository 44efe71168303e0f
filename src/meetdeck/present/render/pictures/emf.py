"""Enhanced metafiles [MS-EMF], followed record by record as LibreOffice follows them, and wiped in place.

Only drawing records remain, and comments with EMF+; other comments and escapes carry PDF, EPS, fonts or whole
metafiles. Nothing moves: wiped records become zeros, so that everything else is drawn as before.
"""

import struct
from collections.abc import Callable
from typing import Final

from meetdeck.present.render.pictures.emf_plus import EmfPlus

Clean = Callable[[bytes], bytes | None]
"""Returns a picture, wiped where needed and of the same length, or None when it must not be seen."""

_HEADER_BYTES: Final = 88
_MOST_RECORDS: Final = 500_000
_RECORD: Final = struct.Struct("<II")  # type, size
_COMMENT: Final = struct.Struct("<I4s")  # size of the data, identifier of its kind
_HEADER, _END_OF_FILE, _COMMENT_RECORD = 1, 14, 70
_DRAWING: Final = frozenset(range(1, 123)) - {105, 106, 110}  # without escapes, which go to printers
_EMF_PLUS: Final = b"EMF+"


def is_emf(picture: bytes) -> bool:
    """Return whether LibreOffice treats the picture as an EMF."""
    return picture.startswith(b"\x01\0\0\0") and picture[40:44] == b" EMF"


def clean_emf(picture: bytes, clean_inner: Clean) -> bytes | None:
    """Return the metafile with only its drawing records, without pictures that `clean_inner` refuses.

    None when it has no whole header or endlessly many records.
    """
    emf = bytearray(picture)
    if len(emf) < _HEADER_BYTES:
        return None
    (_, position), (declared,) = _RECORD.unpack_from(emf), struct.unpack_from("<I", emf, 48)
    end = min(declared, len(emf))
    struct.pack_into("<I", emf, 48, end)  # else what follows in memory could be read, too
    if position < _HEADER_BYTES or position % 4 or position > end:
        return None
    plus = EmfPlus(emf, clean_inner)
    for _ in range(_MOST_RECORDS):
        if end - position < _RECORD.size:
            break
        kind, size = _RECORD.unpack_from(emf, position)
        if size < _RECORD.size or size % 4 or size > end - position:
            break
        if kind == _COMMENT_RECORD:
            _clean_comment(emf, position, size, plus)
        elif kind not in _DRAWING:
            _wipe(emf, position + _RECORD.size, position + size)
        position += size
        if kind == _END_OF_FILE:
            break
    else:
        return None
    plus.finish()
    _wipe(emf, position, len(emf))  # nobody reads on from here
    return bytes(emf)


def _clean_comment(emf: bytearray, start: int, size: int, plus: EmfPlus) -> None:
    data, end = start + _RECORD.size, start + size
    if size >= _RECORD.size + _COMMENT.size:
        length, identifier = _COMMENT.unpack_from(emf, data)
        # LibreOffice trusts the length even when it extends past the record.
        if identifier == _EMF_PLUS and len(_EMF_PLUS) <= length <= size - 12:
            plus.clean(data + _COMMENT.size, data + 4 + length)
            return
    _wipe(emf, data, end)


def _wipe(emf: bytearray, start: int, end: int) -> None:
    emf[start:end] = bytes(end - start)
