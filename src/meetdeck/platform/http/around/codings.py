"""Content codings (RFC 9110, section 8.4): gzip and brotli, whole or flushed piece by piece, and their negotiation."""

import zlib
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, Protocol

import brotli
from isal import isal_zlib

from meetdeck.platform.http.answers import read_weight

GZIP: Final = "gzip"
BROTLI: Final = "br"

# Measured (docs/decisions/0082): beyond these levels, a percent less to send costs several times the processor.
_GZIP_LEVEL: Final = 1
_BROTLI_QUALITY: Final = 1
_BROTLI_QUALITY_FOR_GOOD: Final = 9
_GZIP_WINDOW: Final = 31  # with gzip's head and end


class Encoder(Protocol):
    """Compresses piece by piece; the output so far decodes to all input so far."""

    def encode(self, piece: bytes, *, is_last: bool) -> bytes:
        """Return the next bytes to send."""
        ...


class _Gzip:
    def __init__(self) -> None:
        isal: Any = isal_zlib  # its stubs leave the data untyped
        self._packer = isal.compressobj(_GZIP_LEVEL, wbits=_GZIP_WINDOW)

    def encode(self, piece: bytes, *, is_last: bool) -> bytes:
        packed = self._packer.compress(piece)
        return packed + self._packer.flush(zlib.Z_FINISH if is_last else zlib.Z_SYNC_FLUSH)


class _Brotli:
    def __init__(self) -> None:
        self._packer = brotli.Compressor(mode=brotli.MODE_TEXT, quality=_BROTLI_QUALITY)

    def encode(self, piece: bytes, *, is_last: bool) -> bytes:
        packed = self._packer.process(piece)
        return packed + (self._packer.finish() if is_last else self._packer.flush())


_ENCODERS: Final[dict[str, Callable[[], Encoder]]] = {BROTLI: _Brotli, GZIP: _Gzip}  # the one that we like best first
CODINGS: Final = tuple(_ENCODERS)


def make_encoder(coding: str) -> Encoder:
    """Return a new encoder of a coding."""
    return _ENCODERS[coding]()


@lru_cache(maxsize=256)
def choose_coding(accept_encoding: str) -> str | None:
    """Return our coding that a caller prefers, brotli among equals; None for an uncompressed answer.

    Without the header, which may be empty here, the answer is sent uncompressed (RFC 9110, section 12.5.3 allows both).
    """
    weights: dict[str, float] = {}
    for element in accept_encoding.split(","):
        name, _, parameters = element.partition(";")
        weights[name.strip().lower().removeprefix("x-")] = read_weight(f";{parameters}")
    others = weights.get("*", 0.0)
    best = max(CODINGS, key=lambda coding: weights.get(coding, others))
    quality = weights.get(best, others)
    return best if quality > 0 and quality >= weights.get("identity", 0.0) else None


def compress_for_good(coding: str, content: bytes) -> bytes:
    """Return a content in the smallest form of a coding, for content that is compressed once and sent often."""
    if coding == BROTLI:
        return brotli.compress(content, mode=brotli.MODE_TEXT, quality=_BROTLI_QUALITY_FOR_GOOD)
    packer = zlib.compressobj(9, wbits=_GZIP_WINDOW)
    return packer.compress(content) + packer.flush()
