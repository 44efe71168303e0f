"""PNG files of black and white modules, whose lines are written once and repeated."""

import struct
import zlib
from typing import Final

import numpy as np
from numpy.typing import NDArray

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
# One bit a pixel, in gray; neither filtered by another method nor interlaced (PNG, 11.2.1).
_GRAY: Final = (1, 0, 0, 0, 0)
_SAME_AS_ABOVE: Final = 2  # the filter "Up": each pixel is given as its difference from the one above


def write_bitmap(is_white: NDArray[np.bool_], width: int, height: int) -> bytes:
    """Return a PNG of modules by row and column, each `width` pixels wide and `height` pixels high."""
    rows, columns = is_white.shape
    packed = np.packbits(np.repeat(is_white, width, axis=1), axis=1)
    lines = np.zeros((rows, height, 1 + packed.shape[1]), dtype=np.uint8)
    lines[:, 0, 1:] = packed
    lines[:, 1:, 0] = _SAME_AS_ABOVE
    header = struct.pack(">II5B", columns * width, rows * height, *_GRAY)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes())), (b"IEND", b""))
    return _SIGNATURE + b"".join(_write_chunk(kind, content) for kind, content in chunks)


def _write_chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
