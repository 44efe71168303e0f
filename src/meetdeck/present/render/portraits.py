"""Small square pictures of people, made from uploaded contents.

The upload is hostile until its header was read: only then is it decoded, once, and encoded anew. What is kept has no
metadata (where it was taken), and nothing beside the square.
"""

import io
from collections.abc import Mapping
from typing import Final

from meetdeck.platform.phrases import phrase
from meetdeck.present.deck.program.images.headers import TruncatedPicture, picture_format, read_header

SIDE: Final = 192
"""Pixels: sharp at 64 CSS pixels on a screen of three pixels each."""
_QUALITY: Final = 80
_LARGEST_MB: Final = 10
_MOST_MEGAPIXELS: Final = 25
_EYES: Final = (0.5, 0.4)
"""The middle of the square in a picture that is not one: faces are above its middle."""
_DECODERS: Final[Mapping[str, str]] = {"png": "PNG", "jpeg": "JPEG", "webp": "WEBP"}

_NO_PICTURE: Final = phrase("It is not a picture: send a PNG, JPEG or WebP file.")
_DAMAGED: Final = phrase("The picture is damaged or cut short; send the whole file.")


class UnusablePicture(ValueError):  # noqa: N818 - the state it reports
    """No portrait can be made of a file; the message says why."""


def require_small(size_bytes: int) -> None:
    """Raise UnusablePicture for a file that is too large to be read."""
    if size_bytes > _LARGEST_MB * 1_000_000:
        raise UnusablePicture(phrase("The picture has more than {most} MB; make it smaller.", most=_LARGEST_MB))


def draw_portrait(content: bytes) -> bytes:
    """Return the square in the middle of a picture as WebP. Raises UnusablePicture."""
    require_small(len(content))
    kind = picture_format(content)
    if kind not in _DECODERS:
        raise UnusablePicture(_NO_PICTURE)
    try:
        header = read_header(content, kind)
    except TruncatedPicture as problem:
        raise UnusablePicture(_DAMAGED) from problem
    if header.width * header.height > _MOST_MEGAPIXELS * 1_000_000:
        raise UnusablePicture(
            phrase("The picture has more than {most} megapixels; make it smaller.", most=_MOST_MEGAPIXELS)
        )
    try:
        return _encode(content, kind)
    except (OSError, ValueError, SyntaxError, RuntimeError, EOFError) as problem:
        raise UnusablePicture(_DAMAGED) from problem


def _encode(content: bytes, kind: str) -> bytes:
    from PIL import Image, ImageOps  # noqa: PLC0415 - Pillow takes 4 MB: few need it

    out = io.BytesIO()
    with Image.open(io.BytesIO(content), formats=[_DECODERS[kind]]) as image:
        image.draft("RGB", (2 * SIDE, 2 * SIDE))  # a JPEG is decoded no larger than it needs to be
        has_holes = image.has_transparency_data
        turned = ImageOps.exif_transpose(image).convert("RGBA" if has_holes else "RGB")
    square = ImageOps.fit(turned, (SIDE, SIDE), centering=_EYES)
    square.info.clear()
    square.save(out, "WEBP", quality=_QUALITY)
    return out.getvalue()
