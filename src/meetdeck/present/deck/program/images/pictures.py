"""Pictures from the data, decoded from base64 into files that PowerPoint shows."""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Final, NamedTuple, Protocol
from urllib.parse import unquote, unquote_to_bytes

from msgspec import convert

from meetdeck.present.deck.program.images.headers import (
    READABLE,
    UPRIGHT,
    TruncatedPicture,
    picture_format,
    read_header,
)

# Limits of the files that a deck may gain, by extension.
CONTENT_TYPES: Final = {
    "png": "image/png",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "bmp": "image/bmp",
    "tiff": "image/tiff",
    "emf": "image/x-emf",
    "wmf": "image/x-wmf",
    "svg": "image/svg+xml",
}

_LARGEST_MB: Final = 20
_LARGEST_BYTES: Final = _LARGEST_MB * 1_000_000
# A viewer of the deck has to hold all pixels of each picture at once.
_MOST_MEGAPIXELS: Final = 50
MOST_PIXELS: Final = _MOST_MEGAPIXELS * 1_000_000
_WITHOUT_PIXELS: Final = frozenset({"emf", "wmf"})
_FORMATS: Final = "PNG, JPEG, GIF, BMP, TIFF, WebP, EMF or WMF"
_REFUSED: Final[Mapping[str, str]] = {
    "svg": f"it is an SVG, which nothing here can draw; give it as {_FORMATS}.",
    "heif": "it is a HEIC, AVIF or video file; give it as PNG or JPEG.",
    "pdf": "it is a PDF; give it as PNG or JPEG.",
}
_CUT_SHORT: Final = "it is a picture that is damaged or cut short; send the whole file."
_NO_ENCODING: Final = "it is not a data URI, base64 or the id of an existing content."
_BASE64: Final = re.compile("[A-Za-z0-9+/]*={0,2}")


class NoPicture(ValueError):  # noqa: N818 - the state it reports
    """The value is not a picture that a deck can show; the message says why and what to do."""


class Picture(NamedTuple):
    """A picture file that PowerPoint shows: `width` and `height` in pixels, for EMF and WMF in the file's own units.

    `svg` is what a PNG was drawn from, for programs that show it; `dropped` names what was removed from it.
    """

    content: bytes
    extension: str
    width: int
    height: int
    svg: bytes = b""
    dropped: tuple[str, ...] = ()


class Drawer(Protocol):
    """Draws the SVGs of one deck. May be called from any thread."""

    def draw(self, svg: bytes) -> Picture:
        """Return an SVG made safe, with its PNG. Raises `NoPicture`."""
        ...


def decode_picture(text: str) -> bytes:
    """Return the bytes of a data URI (RFC 2397) or of base64 (RFC 4648, 4). Raises `NoPicture`."""
    if len(text) > 2 * _LARGEST_BYTES:
        raise NoPicture(_too_large(len(text) * 3 // 4))
    if text.startswith(("http:", "https:")):
        raise NoPicture("it is an address, and nothing is fetched from outside; send the picture itself.")
    if not text.isascii():
        raise NoPicture(_NO_ENCODING)
    if text[:5].lower() != "data:":
        return _decode_base64(text)
    kind, comma, payload = text.partition(",")
    if not comma:
        raise NoPicture("it is a data URI without a comma; write data:image/png;base64, and then the picture.")
    if not kind.lower().endswith(";base64"):
        return unquote_to_bytes(payload)
    return _decode_base64(unquote(payload) if "%" in payload else payload)


def _decode_base64(text: str) -> bytes:
    # msgspec is as strict as base64.b64decode and five times as fast.
    with suppress(ValueError):
        return convert(text, bytes)
    text = "".join(text.split())  # as mail programs wrap it
    try:
        return convert(text, bytes)
    except ValueError as problem:
        raise NoPicture(_CUT_SHORT if _BASE64.fullmatch(text) else _NO_ENCODING) from problem


def read_picture(content: bytes, drawer: Drawer | None = None) -> Picture:
    """Return a picture in a format that PowerPoint shows.

    Photos that the camera stored sideways are turned upright (PowerPoint does not), WebP becomes PNG or JPEG; an SVG
    becomes the result of `drawer`; other files stay unchanged. Raises `NoPicture`, also above 20 MB and 50 megapixels.
    """
    if len(content) > _LARGEST_BYTES:
        raise NoPicture(_too_large(len(content)))
    kind = picture_format(content)
    if kind == "svg" and drawer is not None:
        return drawer.draw(content)
    if kind not in READABLE:
        raise NoPicture(_REFUSED.get(kind, f"it is not a picture; give {_FORMATS}."))
    try:
        header = read_header(content, kind)
    except TruncatedPicture as problem:
        raise NoPicture(_CUT_SHORT) from problem
    if kind not in _WITHOUT_PIXELS and header.width * header.height > MOST_PIXELS:
        pixels = f"{header.width:,} times {header.height:,} pixels"
        raise NoPicture(
            f"it has {pixels}; at most {_MOST_MEGAPIXELS} megapixels are accepted: make the picture smaller."
        )
    if kind == "webp" or header.orientation != UPRIGHT:
        from meetdeck.present.deck.program.images.turning import turn  # noqa: PLC0415 - Pillow takes 4 MB: few need it

        try:
            return Picture(*turn(content, kind, header.orientation))
        except (OSError, ValueError, SyntaxError, RuntimeError) as problem:
            raise NoPicture(_CUT_SHORT) from problem
    return Picture(content, kind, header.width, header.height)


def _too_large(size: int) -> str:
    return f"it has {size / 1_000_000:,.1f} MB; at most {_LARGEST_MB} MB are accepted: make the picture smaller."
