"""Windows metafiles [MS-WMF], placeable or not, followed record by record and wiped in place.

Two escapes remain: LibreOffice's own, which hold text, and those that hold an EMF in pieces, which is drawn instead of
everything else.
"""

import struct
from collections.abc import Callable
from typing import Final, NamedTuple

from meetdeck.present.render.pictures.emf import is_emf

_PLACEABLE: Final = b"\xd7\xcd\xc6\x9a"
_HEADER: Final = b"\x01\0\x09\0"
_PLACEABLE_BYTES, _HEADER_BYTES = 22, 18
_MOST_RECORDS: Final = 500_000
_RECORD: Final = struct.Struct("<IH")  # size in words, function
_LEAST_WORDS: Final = 3
_END_OF_FILE, _ESCAPE = 0, 0x0626
_ESCAPE_HEAD: Final = struct.Struct("<HH4s")  # function, size of the data, how it begins
_COMMENT: Final = 15
_TEXT, _EMF_PIECE = b"OO*,", b"WMFC"
# Type, version, checksum, flags, number of pieces, size of this one, size of the rest, size of all.
_PIECE_HEAD: Final = struct.Struct("<IIHIIIII")
_PIECE_KIND: Final = (1, 0x10000)
_PIECE_HEAD_BYTES: Final = 4 + _PIECE_HEAD.size  # with the beginning


class _Piece(NamedTuple):
    """A piece of an EMF in an escape: the positions of its head and bytes, its declared counts of pieces and bytes."""

    head: int
    start: int
    size: int
    pieces: int
    total: int


def is_wmf(picture: bytes) -> bool:
    """Return whether LibreOffice treats the picture as a WMF."""
    return picture.startswith((_PLACEABLE, _HEADER))


def clean_wmf(picture: bytes, clean_inner: Callable[[bytes], bytes | None]) -> bytes | None:
    """Return the metafile with no escapes except text, and an EMF as returned by `clean_inner`.

    None when a record extends past the end, or there are endlessly many: LibreOffice draws nothing then, either.
    """
    wmf = bytearray(picture)
    position = _PLACEABLE_BYTES if picture.startswith(_PLACEABLE) else 0
    if picture[position : position + len(_HEADER)] != _HEADER:
        return None
    position += _HEADER_BYTES
    escapes = _Escapes(wmf)
    for _ in range(_MOST_RECORDS):
        if len(wmf) - position < _RECORD.size:
            return None
        words, function = _RECORD.unpack_from(wmf, position)
        if words < _LEAST_WORDS or (words == _LEAST_WORDS and function == _END_OF_FILE):
            break
        if 2 * words > len(wmf) - position:
            return None
        if function == _ESCAPE:
            escapes.clean(position + _RECORD.size, position + 2 * words)
        position += 2 * words
    else:
        return None
    escapes.finish(clean_inner)
    position += _RECORD.size
    wmf[position:] = bytes(len(wmf) - position)  # nobody reads on from here
    return bytes(wmf)


class _Escapes:
    """Wipes the escapes of a metafile except text, and joins the EMF that some of them hold."""

    def __init__(self, wmf: bytearray) -> None:
        self._wmf = wmf
        self._pieces: list[_Piece] = []
        self._has_text = False

    def clean(self, start: int, end: int) -> None:
        """Clean one escape, whose data is between two positions."""
        if end - start >= _ESCAPE_HEAD.size:
            function, size, begins = _ESCAPE_HEAD.unpack_from(self._wmf, start)
            fits = function == _COMMENT and size <= end - start - 4
            if fits and begins == _TEXT:
                self._has_text = True
                return
            if fits and begins == _EMF_PIECE and size >= _PIECE_HEAD_BYTES and self._add_piece(start, size):
                return
        self._wipe(start, end)

    def _add_piece(self, start: int, size: int) -> bool:
        head = start + 4
        kind, version, _, _, count, length, _, total = _PIECE_HEAD.unpack_from(self._wmf, head + len(_EMF_PIECE))
        if (kind, version) != _PIECE_KIND or length > size - _PIECE_HEAD_BYTES:
            return False
        self._pieces.append(_Piece(head, head + _PIECE_HEAD_BYTES, length, count, total))
        return True

    def finish(self, clean_inner: Callable[[bytes], bytes | None]) -> None:
        """Clean the EMF; wipe it when it must not be seen, or when LibreOffice might join it differently."""
        pieces, first = self._pieces, next(iter(self._pieces), None)
        if first is None:
            return
        emf = b"".join(self._wmf[piece.start : piece.start + piece.size] for piece in pieces)
        is_whole = len(pieces) == first.pieces and len(emf) == first.total
        is_one = all((piece.pieces, piece.total) == (first.pieces, first.total) for piece in pieces)
        # After a text LibreOffice skips records, and a piece of the EMF may be among them.
        cleaned = clean_inner(emf) if is_whole and is_one and not self._has_text and is_emf(emf) else None
        for piece in pieces:
            if cleaned is None:
                self._wipe(piece.head, piece.start + piece.size)
            else:
                self._wmf[piece.start : piece.start + piece.size] = cleaned[: piece.size]
                cleaned = cleaned[piece.size :]

    def _wipe(self, start: int, end: int) -> None:
        self._wmf[start:end] = bytes(end - start)
