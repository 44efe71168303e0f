"""Re-encoded pictures: photos turned upright, WebP as PNG or JPEG."""

import io
from collections.abc import Callable, Mapping
from typing import Final

from PIL.Image import Transpose
from PIL.ImageFile import ImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.WebPImagePlugin import WebPImageFile

from meetdeck.present.deck.program.images.headers import UPRIGHT

_QUALITY: Final = 92
_TURNS: Final[Mapping[int, Transpose]] = {
    2: Transpose.FLIP_LEFT_RIGHT,
    3: Transpose.ROTATE_180,
    4: Transpose.FLIP_TOP_BOTTOM,
    5: Transpose.TRANSPOSE,
    6: Transpose.ROTATE_270,
    7: Transpose.TRANSVERSE,
    8: Transpose.ROTATE_90,
}
# Not Image.open: it warns, guesses and tries other formats.
_DECODERS: Final[Mapping[str, Callable[[io.BytesIO], ImageFile]]] = {"jpeg": JpegImageFile, "webp": WebPImageFile}


def turn(content: bytes, kind: str, orientation: int) -> tuple[bytes, str, int, int]:
    """Return a re-encoded JPEG or WebP: its bytes, extension, width and height.

    It has no metadata, which would turn it a second time and contains where it was taken. Raises what Pillow raises for
    a damaged file: OSError, ValueError, SyntaxError, RuntimeError.
    """
    out = io.BytesIO()
    # Pillow has nothing to look for in the Exif data, and would warn of faults in it.
    source = io.BytesIO(content.replace(b"Exif\0\0", bytes(6), 1))
    with _DECODERS[kind](source) as image:
        turned = image.transpose(_TURNS[orientation]) if orientation != UPRIGHT else image
        has_losses = image.mode != "RGBA" and content[12:16] != b"VP8L"
        extension = "jpeg" if kind == "jpeg" or has_losses else "png"
        turned.save(out, extension, quality=_QUALITY, icc_profile=image.info.get("icc_profile"))
        width, height = turned.size
    return out.getvalue(), extension, width, height
