"""Limits of a template's or deck's size: uploads are hostile until checked."""

from typing import Final

from msgspec import Struct

_MIB: Final = 1024 * 1024


class Limits(Struct, frozen=True):
    """Sizes in bytes. A text part has a bound of its own: parsed XML takes many times its size."""

    file_bytes: int = 200 * _MIB
    entries: int = 10_000
    unpacked_bytes: int = 512 * _MIB
    xml_part_bytes: int = 16 * _MIB
    # Deflate cannot pass 1032:1; honest XML stays below 60:1. Small entries are harmless whatever their ratio.
    ratio: int = 200
    ratio_counts_from_bytes: int = 4 * _MIB
    deck_bytes: int = 512 * _MIB


DEFAULT_LIMITS: Final = Limits()
# For presentations that are rendered: decks are larger than their template, and only searched.
RENDERING_LIMITS: Final = Limits(
    file_bytes=512 * _MIB,
    unpacked_bytes=256 * _MIB,
    xml_part_bytes=64 * _MIB,
    ratio_counts_from_bytes=16 * _MIB,
)
