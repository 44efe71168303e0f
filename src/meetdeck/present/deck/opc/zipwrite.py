"""Writing a zip by hand: compressed bytes are copied unchanged, and the same input gives the same bytes."""

import struct
from collections.abc import Iterable
from itertools import groupby
from typing import Final, NamedTuple

from msgspec import Struct

from meetdeck.present.deck.errors import DeckTooLarge
from meetdeck.present.deck.opc.packed import ZipEntry

# Every entry is dated 1 January 1980, 00:00, where DOS time begins.
_DOS_DATE: Final = 0x21
_VERSION: Final = 20
_UTF8_FLAG: Final = 0x0800
_MOST_ENTRIES: Final = 0xFFFE
# Larger content is not copied next to its neighbours: it would take more memory than time.
_MOST_JOINED: Final = 8_192

# The part that all headers of an entry share: from the version needed to the length of the extra field.
_COMMON: Final = struct.Struct("<5H3L2H")
_LOCAL_HEAD: Final = b"PK\x03\x04"
_CENTRAL_HEAD: Final = struct.pack("<4sH", b"PK\x01\x02", _VERSION)
# No comment, the first disk, no attributes; then comes the offset.
_CENTRAL_TAIL: Final = bytes(10)
_LOCAL_SIZE: Final = len(_LOCAL_HEAD) + _COMMON.size
_OFFSET: Final = struct.Struct("<L")
_END: Final = struct.Struct("<4s4H2LH")


class ZipStart(Struct, frozen=True):
    """The first entries of archives that all begin with the same ones, as written: local and central."""

    local: bytes = b""
    central: bytes = b""
    entries: int = 0


class PreparedEntries(NamedTuple):
    """Entries that many archives have, one behind the other: `local` are their bytes with their headers, in pieces.

    `central` are the bytes in the directory before the place of each entry, and this place, counted from the first
    entry's; then follows the last `name`.
    """

    local: tuple[bytes | memoryview, ...]
    size: int
    central: tuple[tuple[bytes, int], ...]
    name: bytes


_NOTHING: Final = ZipStart()


def prepare(entries: Iterable[tuple[str, ZipEntry]]) -> PreparedEntries:
    """Return named entries with their headers."""
    pieces: list[bytes | memoryview] = []
    central: list[tuple[bytes, int]] = []
    size, raw_name = 0, b""
    for name, packed in entries:
        before, raw_name = raw_name, name.encode()
        common = _pack_common(raw_name, packed)
        central.append((before + _CENTRAL_HEAD + common + _CENTRAL_TAIL, size))
        pieces += (_LOCAL_HEAD + common + raw_name, packed.content)
        size += _LOCAL_SIZE + len(raw_name) + len(packed.content)
    joined = groupby(pieces, lambda piece: len(piece) <= _MOST_JOINED)
    local = [piece for is_small, run in joined for piece in ([b"".join(run)] if is_small else run)]
    return PreparedEntries(tuple(local), size, tuple(central), raw_name)


def _pack_common(name: bytes, packed: ZipEntry) -> bytes:
    flags, packed_size, length = 0 if name.isascii() else _UTF8_FLAG, len(packed.content), len(name)
    return _COMMON.pack(_VERSION, flags, packed.method, 0, _DOS_DATE, packed.crc, packed_size, packed.size, length, 0)


class ZipWriter:
    """Collects entries, after those of `start`, and joins them once; `most_bytes` bounds the file."""

    def __init__(self, most_bytes: int, start: ZipStart = _NOTHING) -> None:
        self._most_bytes = most_bytes
        self._local: list[bytes | memoryview] = [start.local]
        self._central: list[bytes] = [start.central]
        self._entries = start.entries
        self._offset = len(start.local)

    def add(self, name: str, packed: ZipEntry) -> None:
        """Append one entry. Raises `DeckTooLarge` beyond 65,534 entries or the size bound."""
        content, offset = packed.content, self._offset
        raw_name = name.encode()
        common = _pack_common(raw_name, packed)
        self._local += (_LOCAL_HEAD, common, raw_name, content)
        self._central += (_CENTRAL_HEAD, common, _CENTRAL_TAIL, _OFFSET.pack(offset), raw_name)
        self._entries += 1
        self._offset = offset + _LOCAL_SIZE + len(raw_name) + len(content)
        self._check_size()

    def add_prepared(self, entries: PreparedEntries) -> None:
        """Append entries. Raises the same as `add`."""
        start, central = self._offset, self._central
        self._local += entries.local
        for before, place in entries.central:
            central += (before, _OFFSET.pack(start + place))
        central.append(entries.name)
        self._entries += len(entries.central)
        self._offset = start + entries.size
        self._check_size()

    def _check_size(self) -> None:
        if self._offset > self._most_bytes or self._entries > _MOST_ENTRIES:
            raise DeckTooLarge(f"The deck would pass {self._most_bytes:,} bytes or 65,534 parts; request fewer slides.")

    def as_start(self) -> ZipStart:
        """Return the entries so far, for writers that continue from here."""
        return ZipStart(b"".join(self._local), b"".join(self._central), self._entries)

    def finish(self) -> bytes:
        """Return the archive."""
        central = b"".join(self._central)
        count = self._entries
        end = _END.pack(b"PK\x05\x06", 0, 0, count, count, len(central), self._offset, 0)
        return b"".join((*self._local, central, end))
