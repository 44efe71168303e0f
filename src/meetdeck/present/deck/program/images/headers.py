"""The header of a picture: its format, its size, whether it is whole. Nothing is decoded here.

Read by hand and not by Pillow, whose TIFF and WebP readers allocate as much as a hostile header asks for before the
size can be checked. Formats: PNG (ISO/IEC 15948), JPEG (ITU T.81, Exif 2.3), GIF89a, BMP, TIFF 6.0, [MS-EMF], [MS-WMF],
WebP (RFC 9649).
"""

import re
import struct
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from meetdeck.present.deck.opc.packed import crc32

UPRIGHT: Final = 1

_MAGIC: Final = re.compile(
    rb"(?P<png>\x89PNG\r\n\x1a\n)|(?P<jpeg>\xff\xd8\xff)|(?P<gif>GIF8[79]a)|(?P<bmp>BM)|(?P<tiff>II\*\0|MM\0\*)"
    rb"|(?P<emf>\x01\0\0\0.{36} EMF)|(?P<wmf>\xd7\xcd\xc6\x9a)|(?P<webp>RIFF.{4}WEBP)"
    rb"|(?P<svg>(?:\xef\xbb\xbf)?\s*<(?:\?xml|!|svg))|(?P<heif>.{4}ftyp)|(?P<pdf>%PDF)",
    re.DOTALL,
)
_FILL_BYTES: Final = re.compile(rb"\xff+")
# More than any honest file has; a hostile one could have millions of empty ones.
_MOST_SEGMENTS: Final = 100_000
_PNG_SIGNATURE_BYTES: Final = 8
_ORIENTATIONS: Final = range(1, 9)
_FRAME_HEADERS: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # SOF0 to SOF15 but for DHT, JPG, DAC
_START_OF_SCAN: Final = 0xDA
_APP1: Final = 0xE1
_WIDTH_TAG, _HEIGHT_TAG, _ORIENTATION_TAG = 256, 257, 274
_INTEGERS: Final = {3: "H", 4: "I"}  # short and long
_GIF_FRAME, _GIF_EXTENSION, _GIF_TRAILER = 0x2C, 0x21, 0x3B
_OS2_BITMAP_HEADER: Final = 12


class TruncatedPicture(ValueError):  # noqa: N818 - the state it reports
    """The picture is truncated or damaged."""


class Header(NamedTuple):
    """A picture's size in its own units, of which only the proportions matter for EMF and WMF.

    `orientation` is Exif's, 1 to 8: how to turn the pixels upright.
    """

    width: int
    height: int
    orientation: int = UPRIGHT


def picture_format(content: bytes) -> str:
    """Return a file's format by its first bytes: `png`, `svg`, …; empty for a file that is not a picture."""
    match = _MAGIC.match(content)
    return (match.lastgroup or "") if match else ""


def read_header(content: bytes, kind: str) -> Header:
    """Return the header of a picture of one of the formats in `READABLE`.

    Raises `TruncatedPicture` for a truncated one (PNG, JPEG and GIF are followed to their end).
    """
    try:
        header = _READERS[kind](content)
    except (struct.error, IndexError) as problem:
        raise TruncatedPicture from problem
    if header.width <= 0 or header.height <= 0:
        raise TruncatedPicture
    return header


def _read_png(content: bytes) -> Header:
    position = _PNG_SIGNATURE_BYTES
    for _ in range(_MOST_SEGMENTS):
        length, kind = struct.unpack_from(">I4s", content, position)
        end = position + 8 + length
        if struct.unpack_from(">I", content, end)[0] != crc32(memoryview(content)[position + 4 : end]):
            raise TruncatedPicture
        if kind == b"IEND":
            return Header(*struct.unpack_from(">II", content, _PNG_SIGNATURE_BYTES + 8))
        position = end + 4
    raise TruncatedPicture


def _read_jpeg(content: bytes) -> Header:
    width = height = 0
    orientation = UPRIGHT
    for marker, start, end in _jpeg_segments(content):
        if marker in _FRAME_HEADERS:
            height, width = struct.unpack_from(">HH", content, start + 1)
        elif marker == _APP1 and content.startswith(b"Exif\0\0", start):
            orientation = _exif_orientation(content[start + 6 : end])
        elif marker == _START_OF_SCAN and content.find(b"\xff\xd9", end) >= 0:
            return Header(width, height, orientation)
    raise TruncatedPicture


def _jpeg_segments(content: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the marker, the beginning and the end of each segment, up to the first scan."""
    position = 2
    for _ in range(_MOST_SEGMENTS):
        fill = _FILL_BYTES.match(content, position)
        if fill is None:
            return
        marker, length = struct.unpack_from(">BH", content, fill.end())
        end = fill.end() + 1 + length
        yield marker, fill.end() + 3, end
        if marker == _START_OF_SCAN:
            return
        position = end


def _exif_orientation(tiff: bytes) -> int:
    """Return the orientation; upright for damaged Exif data, which cameras and editors leave."""
    try:
        orientation = dict(_tiff_tags(tiff)).get(_ORIENTATION_TAG, UPRIGHT)
    except struct.error:
        return UPRIGHT
    return orientation if orientation in _ORIENTATIONS else UPRIGHT


def _read_tiff(content: bytes) -> Header:
    """Return the size, the largest of several: readers choose differently."""
    tags = list(_tiff_tags(content))
    width, height = (
        max((value for tag, value in tags if tag == side), default=0) for side in (_WIDTH_TAG, _HEIGHT_TAG)
    )
    return Header(width, height)


def _tiff_tags(content: bytes) -> Iterator[tuple[int, int]]:
    """Yield number and value of the first directory's entries with one short or long integer."""
    order = ">" if content.startswith(b"MM") else "<"
    (offset,) = struct.unpack_from(order + "I", content, 4)
    (entries,) = struct.unpack_from(order + "H", content, offset)
    for entry in range(offset + 2, offset + 2 + 12 * entries, 12):
        tag, kind, count = struct.unpack_from(order + "HHI", content, entry)
        if count == 1 and kind in _INTEGERS:
            yield tag, struct.unpack_from(order + _INTEGERS[kind], content, entry + 8)[0]


def _read_gif(content: bytes) -> Header:
    """Return the size of the screen, enlarged by frames that extend beyond it, as readers do."""
    width, height = struct.unpack_from("<HH", content, 6)
    position = 13 + _color_table_bytes(content[10])
    for _ in range(_MOST_SEGMENTS):
        kind = content[position]
        if kind == _GIF_TRAILER:
            return Header(width, height)
        if kind == _GIF_FRAME:
            left, top, wide, high, flags = struct.unpack_from("<4HB", content, position + 1)
            width, height = max(width, left + wide), max(height, top + high)
            # The size of the codes precedes the data.
            position = _end_of_blocks(content, position + 10 + _color_table_bytes(flags) + 1)
        elif kind == _GIF_EXTENSION:
            position = _end_of_blocks(content, position + 2)
        else:
            raise TruncatedPicture
    raise TruncatedPicture


def _color_table_bytes(flags: int) -> int:
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _end_of_blocks(content: bytes, position: int) -> int:
    """Return the end of the data blocks that begin here: each has its length, and an empty one is the last."""
    while length := content[position]:
        position += 1 + length
    return position + 1


def _read_bmp(content: bytes) -> Header:
    (size,) = struct.unpack_from("<I", content, 14)
    width, height = struct.unpack_from("<HH" if size == _OS2_BITMAP_HEADER else "<ii", content, 18)
    return Header(width, abs(height))  # negative: written from top to bottom


def _read_emf(content: bytes) -> Header:
    left, top, right, bottom = struct.unpack_from("<4i", content, 24)
    return Header(right - left, bottom - top)


def _read_wmf(content: bytes) -> Header:
    left, top, right, bottom = struct.unpack_from("<4h", content, 6)
    return Header(abs(right - left), abs(bottom - top))


def _read_webp(content: bytes) -> Header:
    kind = content[12:16]
    if kind == b"VP8X":
        width, height = (int.from_bytes(content[at : at + 3], "little") + 1 for at in (24, 27))
    elif kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", content, 21)
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    else:
        width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", content, 26))
    return Header(width, height)


_READERS: Final[dict[str, Callable[[bytes], Header]]] = {
    "png": _read_png,
    "jpeg": _read_jpeg,
    "gif": _read_gif,
    "bmp": _read_bmp,
    "tiff": _read_tiff,
    "emf": _read_emf,
    "wmf": _read_wmf,
    "webp": _read_webp,
}
READABLE: Final = frozenset(_READERS)
