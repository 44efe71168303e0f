"""The EMF+ records [MS-EMFPLUS] in the comments of an EMF. Their objects hold pictures of any format.

LibreOffice imports a picture by its content, reads an object's head whatever its record's size, and joins an object
split over records in its own way; each of these is followed here, and what does not fit becomes a comment.
"""

import struct
from collections.abc import Callable
from typing import Final, NamedTuple

_MOST_RECORDS: Final = 500_000
_RECORD: Final = struct.Struct("<HHII")  # type, flags, size, size of the data
_OBJECT, _COMMENT = 0x4008, 0x4003
_CONTINUES: Final = 0x8000
_BRUSH, _PEN, _IMAGE = 1, 2, 5
_BITMAP, _METAFILE = 1, 2
_BITMAP_HEAD: Final = struct.Struct("<IIiiiII")  # version, type, width, height, stride, pixel format, coding
_METAFILE_HEAD_BYTES: Final = 16
_TOTAL_SIZE_BYTES: Final = 4
_RAW_PIXELS: Final = 0
# LibreOffice recognizes pictures that are more than pixels by these. A brush or a pen may hold one as its texture.
_NO_PIXELS: Final = (b"<svg", b"<?xml", b"%PDF", b"\x1f\x8b\x08", b" EMF", b"\xd7\xcd\xc6\x9a", b"VCLMTF", b"%!PS")


class _Piece(NamedTuple):
    """An object's record: its beginning and end, and its flags, with the object's kind and number."""

    start: int
    end: int
    flags: int

    @property
    def data(self) -> slice:
        return slice(self.start + _RECORD.size, self.end)

    @property
    def name(self) -> int:
        """The object's kind and number."""
        return self.flags & ~_CONTINUES


class EmfPlus:
    """Cleans the EMF+ records of one metafile, `emf`, comment by comment; `clean_inner` checks their pictures."""

    def __init__(self, emf: bytearray, clean_inner: Callable[[bytes], bytes | None]) -> None:
        self._emf = emf
        self._clean_inner = clean_inner
        self._records_left = _MOST_RECORDS
        self._split: list[_Piece] = []  # the object that is being read, in several records

    def clean(self, start: int, end: int) -> None:
        """Clean the records of one comment between two positions."""
        while end - start >= _RECORD.size and self._records_left:
            self._records_left -= 1
            kind, flags, size, data_size = _RECORD.unpack_from(self._emf, start)
            if size < _RECORD.size or size > end - start or data_size > size - _RECORD.size:
                break
            if kind == _OBJECT:
                self._clean_object(_Piece(start, start + _RECORD.size + data_size, flags))
            else:
                self.finish()
            start += size
        self._emf[start:end] = bytes(end - start)  # nobody reads on from here

    def finish(self) -> None:
        """Clean the object that was split over the records before."""
        pieces, self._split = self._split, []
        if not pieces:
            return
        parts = [bytes(self._emf[piece.data])[_TOTAL_SIZE_BYTES:] for piece in pieces]
        is_one = all(piece.name == pieces[0].name for piece in pieces)
        cleaned = self._clean_content(pieces[0].flags, b"".join(parts)) if is_one else None
        if cleaned is None:
            self._drop(pieces)
            return
        for piece, part in zip(pieces, parts, strict=True):
            self._emf[piece.data.start + _TOTAL_SIZE_BYTES : piece.end] = cleaned[: len(part)]
            cleaned = cleaned[len(part) :]

    def _clean_object(self, piece: _Piece) -> None:
        continues = bool(piece.flags & _CONTINUES)
        is_part = continues or bool(self._split and piece.name == self._split[0].name)
        if not is_part:
            self.finish()
        elif piece.end - piece.data.start < _TOTAL_SIZE_BYTES:
            self._drop([*self._split, piece])
            self._split = []
            return
        else:
            self._split.append(piece)
        if not continues:  # LibreOffice reads the last piece of a split object as one of its own, too
            cleaned = self._clean_content(piece.flags, bytes(self._emf[piece.data]))
            if cleaned is None:
                self._drop([*self._split, piece])
                self._split = []
            else:
                self._emf[piece.data] = cleaned

    def _clean_content(self, flags: int, content: bytes) -> bytes | None:
        kind = flags >> 8 & 0x7F
        if kind == _IMAGE:
            return self._clean_image(content)
        if kind in {_BRUSH, _PEN} and any(mark in content for mark in _NO_PIXELS):
            return None
        return content

    def _clean_image(self, content: bytes) -> bytes | None:
        if len(content) < _BITMAP_HEAD.size:
            return None
        _, kind, width, _, _, _, coding = _BITMAP_HEAD.unpack_from(content)
        if kind == _BITMAP and coding == _RAW_PIXELS and width:
            return content
        if kind not in {_BITMAP, _METAFILE}:
            return None
        head = _BITMAP_HEAD.size if kind == _BITMAP else _METAFILE_HEAD_BYTES
        cleaned = self._clean_inner(content[head:])
        return None if cleaned is None else content[:head] + cleaned

    def _drop(self, pieces: list[_Piece]) -> None:
        for piece in pieces:
            struct.pack_into("<HH", self._emf, piece.start, _COMMENT, 0)
            self._emf[piece.data] = bytes(piece.end - piece.data.start)
