"""The mask of a QR code: of the eight that a reader undoes, the one with the lowest penalty (ISO/IEC 18004, 7.8.3).

The library judges module by module, which takes longer than the rest of a deck; here all eight are judged at once, and
the same one is found.
"""

from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

import numpy as np
import segno
from numpy.typing import NDArray
from segno import consts

Bits = NDArray[np.bool_]

_RUN: Final = 5
_FINDER: Final = (True, False, True, True, True, False, True)
_FREE: Final = 4
# The first version whose codes tell it.
_TELLS_VERSION: Final = 7


class _Regions(NamedTuple):
    """The modules of a version: whether the format or version stands there, and those that each mask turns."""

    is_format: Bits
    masks: Bits


def make_qr(text: str, level: str) -> Bits:
    """Return the modules of a text's QR code, true for dark ones, in the best mask. Raises `ValueError` if too long."""
    first = segno.make_qr(text, error=level, boost_error=False, mask=0)
    modules, version = _read(first), int(first.version)
    regions = _find_regions(version, len(modules))
    # The format is not written when masks are judged.
    unmasked = (modules & ~regions.is_format) ^ regions.masks[0]
    masked = unmasked ^ regions.masks
    mask = int(np.argmin(_judge(masked)))
    return np.where(regions.is_format, modules ^ _change_format(version, mask), masked[mask])


def _read(code: segno.QRCode) -> Bits:
    return (np.array([list(row) for row in code.matrix], dtype=np.uint8) & 1).astype(np.bool_)


@lru_cache(maxsize=320)
def _change_format(version: int, mask: int) -> Bits:
    """Return the modules of the format that differ between mask 0 and another, for any level; others are undefined."""
    first, other = (segno.make_qr("0", version=version, error="l", boost_error=False, mask=one) for one in (0, mask))
    return _read(first) ^ _read(other)


@lru_cache(maxsize=40)
def _find_regions(version: int, size: int) -> _Regions:
    is_format, is_fixed = np.zeros((2, size, size), dtype=np.bool_)
    for ends in (slice(9), slice(size - 8, size)):
        is_format[8, ends] = is_format[ends, 8] = True
    if version >= _TELLS_VERSION:
        is_format[:6, size - 11 : size - 8] = is_format[size - 11 : size - 8, :6] = True
    for rows, columns in ((slice(8), slice(8)), (slice(8), slice(size - 8, size)), (slice(size - 8, size), slice(8))):
        is_fixed[rows, columns] = True
    is_fixed[6] = is_fixed[:, 6] = True
    is_format &= ~is_fixed
    if version > 1:
        places = consts.ALIGNMENT_POS[version - 2]
        first, last = places[0], places[-1]
        for row, column in product(places, places):
            # In three corners stand the finder patterns.
            if (row, column) not in {(first, first), (first, last), (last, first)}:
                is_fixed[row - 2 : row + 3, column - 2 : column + 3] = True
    return _Regions(is_format, _turn(size) & ~(is_fixed | is_format))


def _turn(size: int) -> Bits:
    """Return the modules that each of the eight masks turns, wherever they stand."""
    row, column = np.indices((size, size))
    area = row * column
    turned = (
        *((row + column) % 2, row % 2, column % 3, (row + column) % 3, (row // 2 + column // 3) % 2),
        *(area % 2 + area % 3, (area % 2 + area % 3) % 2, ((row + column) % 2 + area % 3) % 2),
    )
    return np.stack(turned) == 0


def _judge(codes: Bits) -> NDArray[np.int_]:
    """Return the penalties of codes of the same size."""
    turned = codes.transpose(0, 2, 1)
    penalties = _count_runs(codes) + _count_runs(turned) + 3 * _count_squares(codes)
    penalties += 40 * (_count_finders(codes) + _count_finders(turned))
    shares = codes.mean(axis=(1, 2)) * 100
    return penalties + 10 * (np.abs(shares - 50) / 5).astype(np.int_)


def _count_runs(codes: Bits) -> NDArray[np.int_]:
    """Return the penalty for runs of five or more modules of a color in a row: 3, and 1 for each more than five."""
    same = codes[:, :, 1:] == codes[:, :, :-1]
    begun = np.logical_and.reduce([same[:, :, at : same.shape[2] - _RUN + 2 + at] for at in range(_RUN - 1)])
    first = begun.copy()
    first[:, :, 1:] &= ~begun[:, :, :-1]
    return begun.sum(axis=(1, 2)) + 2 * first.sum(axis=(1, 2))


def _count_squares(codes: Bits) -> NDArray[np.int_]:
    """Return the number of squares of four modules of a color."""
    across = codes[:, :, 1:] == codes[:, :, :-1]
    down = codes[:, 1:] == codes[:, :-1]
    return (across[:, 1:] & across[:, :-1] & down[:, :, 1:]).sum(axis=(1, 2))


def _count_finders(codes: Bits) -> NDArray[np.int_]:
    """Return how often rows look like a finder pattern with four light modules on a side.

    One that begins inside of another does not count.
    """
    size, width = codes.shape[2], len(_FINDER)
    places = size - width + 1
    found = np.logical_and.reduce([codes[:, :, at : at + places] == dark for at, dark in enumerate(_FINDER)])
    wide = np.pad(codes, ((0, 0), (0, 0), (_FREE, _FREE)))
    before = ~np.logical_or.reduce([wide[:, :, at : at + places] for at in range(_FREE)])
    behind = ~np.logical_or.reduce([wide[:, :, at + width : at + width + places] for at in range(_FREE, 2 * _FREE)])
    counts = np.zeros(len(codes), dtype=np.int_)
    end, last = 0, (-1, -1)
    for code, row, at in np.argwhere(found & (before | behind)).tolist():
        if (code, row) != last or at >= end:
            counts[code] += 1
            end, last = at + width, (code, row)
    return counts
